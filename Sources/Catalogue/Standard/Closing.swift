extension Entity {
  /// What the exam lead decides, and the locks that two people put on an exam.
  static var closing: [Entity] {
    [
      examRuling.barredFromFiles("the exam lead rules, on the lead's desk or with osce rule"),
      examLock.barredFromFiles("two people lock an exam, on the lead's desk or with osce close --lock"),
    ]
  }

  private static var examRuling: Entity {
    Entity(
      "ExamRuling", .assessment, key: .uuid, sync: .both, table: "examRuling", isExtension: true,
      purpose: "A decision of the exam lead on what counts, with its reason.",
      note:
        "It names what it is about by codes and numbers, as exam.yaml and the exports do: what a ruling says must be "
        + "readable without the rows that it was made on.",
      attributes: [
        .uuid.added("The key of the row."),
        .string("kind").impersonal(.word).required.indexed.added(
          "exclusion, excuse, adjudication, waiver, policy, answer, amendment or reopening."),
        .date("time").added("When it was made."),
        .string("circuit").impersonal(.plan).added("The circuit's name; no value: any."),
        .string("session").impersonal(.time).added("Date and start, YYYY-MM-DD HH:MM; no value: any."),
        .string("station").impersonal(.plan).added("The station's code; no value: any."),
        .string("candidate").personal(.numbered(by: "candidate")).indexed.added(
          "The candidate's number; no value: any."),
        .string("item").impersonal(.plan).added("The item's key."),
        .string("sheet").impersonal(.key).indexed.added("The mark sheet's key: the ruling is about this sheet alone."),
        .string("subject").impersonal(.key).indexed.added("waiver: the open line; answer: the row that is answered."),
        .string("choice").impersonal(.word).added(
          "adjudication: a seat, mean or typed; waiver: the check; policy: the choices that were changed."),
        .json("policy", .results).impersonal(.plan).added("policy: the choices as results: in exam.yaml has them."),
        .double("score").added("adjudication, typed: the score in percent."),
        .double("grade").added("adjudication, typed: the global grade."),
        .string("reason").personal(.numbered(by: "candidate")).required.added("Why."),
        .dsDeleted.added("Soft delete: the ruling was withdrawn."),
      ],
      relationships: [
        .one("staff", "Staff", inverse: "rulings").added("Who ruled."),
        .one("secondStaff", "Staff", inverse: "secondRulings").added("Who ruled with them."),
      ])
  }

  private static var examLock: Entity {
    Entity(
      "ExamLock", .assessment, key: .uuid, sync: .both, table: "examLock", isExtension: true,
      purpose: "What two people locked, and what it came to: the record that a final hash proves.",
      note: "An amendment is a lock of its own with the next number; the first one stays as it was.",
      attributes: [
        .uuid.added("The key of the row."),
        .date("lockedAt").added("When."),
        .string("circuit").impersonal(.plan).added("The circuit's name; no value: every circuit."),
        .string("session").impersonal(.time).added("Date and start, YYYY-MM-DD HH:MM; no value: every session."),
        .integer32("amendment", 0...Int64(Int32.max)).defaulting(to: .integer(0)).added("0: the lock itself."),
        .json("content", .any, longest: Bounds.longestMade).impersonal(.plan).added(
          "What was locked: counts, heads of the chains, policy, digest of the results, waivers."),
        .string("hash").impersonal(.digest).indexed.added(
          "SHA-256 of the content in its canonical form, in hexadecimal digits."),
        .string("reason").personal(.exam).added("Why it was amended."),
        .date("reopenedAt").added("When two people opened it again; no value: it holds."),
        .string("reopenReason").personal(.exam).added("Why."),
        .dsDeleted.added("Soft delete."),
      ],
      relationships: [
        .one("staff", "Staff", inverse: "locks").added("Who locked."),
        .one("secondStaff", "Staff", inverse: "secondLocks").added("Who locked with them."),
        .one("reopenedBy", "Staff", inverse: "reopenedLocks").added("Who opened it again."),
        .one("secondReopenedBy", "Staff", inverse: "secondReopenedLocks").added("Who opened it with them."),
      ])
  }
}

extension Entity {
  /// General comments, and those at the three levels of an exam.
  static var commentary: [Entity] {
    [comment, commentGroup, commentMetaCircuit, commentMetaStation, commentMetaStationCandidate, jot]
  }

  private static var comment: Entity {
    Entity(
      "Comment", .comments, key: .uuid, sync: .up, table: "comment",
      purpose: "A general comment from one person to another.",
      attributes: [
        .uuid, .string("text").ofCandidate("recipient").required, .string("date").impersonal(.time).indexed, .dsDeleted,
        .syncChangedKeys, .syncNew, .syncError,
      ],
      relationships: [
        .one("writer", "User", inverse: "commentsWritten"),
        .one("recipient", "User", inverse: "commentsReceived"),
        .one("group", "CommentGroup", inverse: "comments"),
      ])
  }

  private static var commentGroup: Entity {
    Entity(
      "CommentGroup", .comments, key: .dsid, sync: .down, table: "commentGroup",
      purpose: "A category of general comments.",
      attributes: [.dsid, .string("name").impersonal(.plan).required, .dsDeleted],
      relationships: [.many("comments", "Comment", inverse: "group")])
  }

  private static var time: Attribute { .date("time").added("When it was written.") }
  private static var session: Attribute {
    .string("session").indexed.impersonal(.time).added(
      "The session it was written in: DATE START, local in the exam's time zone.")
  }
  private static var concern: Attribute {
    .boolean("concern").indexed.added("Marked as a concern, which the exam lead sees at once.")
  }

  private static var commentMetaCircuit: Entity {
    Entity(
      "CommentMetaCircuit", .comments, key: .uuid, sync: .up, table: "commentMetaCircuit",
      purpose: "A comment on a whole circuit.",
      attributes: [
        .uuid, .string("text").personal(.exam).required, time, session, concern, .dsDeleted, .syncChangedKeys, .syncNew,
        .syncError,
      ],
      relationships: [
        .one("circuit", "ClinicGroup", inverse: "circuitComment").owner,
        .inverseOne("commentedCircuit", "ClinicGroup", inverse: "circuitComments").derived("").added(
          "Inverse of ClinicGroup.circuitComments; the same row as circuit."),
        .one("author", "Staff", inverse: "circuitComments").added("Who wrote it."),
        .one("timetable", "Timetable", inverse: "circuitCommentsWritten").added(
          "The station session in which it was written, where there was one."),
      ])
  }

  private static var commentMetaStation: Entity {
    Entity(
      "CommentMetaStation", .comments, key: .uuid, sync: .up, table: "commentMetaStation",
      purpose: "A comment on a station.",
      attributes: [
        .uuid, .string("text").personal(.exam).required, time, session, concern, .dsDeleted, .syncChangedKeys, .syncNew,
        .syncError,
      ],
      relationships: [
        .one("station", "ActivityType", inverse: "stationComment").owner,
        .inverseOne("commentedStation", "ActivityType", inverse: "stationComments").derived("").added(
          "Inverse of ActivityType.stationComments; the same row as station."),
        .one("author", "Staff", inverse: "stationComments").added("Who wrote it."),
        .one("timetable", "Timetable", inverse: "stationCommentsWritten").added(
          "The station session in which it was written, where there was one."),
      ])
  }

  private static var commentMetaStationCandidate: Entity {
    Entity(
      "CommentMetaStationCandidate", .comments, key: .uuid, sync: .up, table: "commentMetaStationCandidate",
      purpose: "A comment on a candidate at a station.",
      attributes: [
        .uuid, .string("text").ofCandidate("attendanceLog", "student").required, time, concern,
        .boolean("visibleToCandidate").added("Whether the candidate may read it."),
        .dsDeleted, .syncChangedKeys, .syncNew, .syncError,
      ],
      relationships: [
        .one("attendanceLog", "TimetableAttendanceLog", inverse: "candidateComment").owner,
        .one("author", "Staff", inverse: "candidateComments").added("Who wrote it."),
      ])
  }

  private static var jot: Entity {
    Entity(
      "Jot", .comments, key: .uuid, sync: .up, table: "jot", isExtension: true,
      purpose: "One line noted while watching a candidate, stamped with the time of the phase.",
      note: "Raw material of a comment, which the candidate may never read; a comment is written for a reader.",
      attributes: [
        .uuid.added("The key of the row."),
        .string("text").ofCandidate("attendanceLog", "student").required.added("The line."),
        .date("time").added("When it was noted."),
        .string("phase").impersonal(.word).added("Phase, round and time left when it was noted, in words."),
        .dsDeleted.added("Soft delete."),
      ],
      relationships: [
        .one("attendanceLog", "TimetableAttendanceLog", inverse: "jots").owner.added("The candidate at the station."),
        .one("author", "Staff", inverse: "jots").added("Who noted it."),
      ])
  }
}

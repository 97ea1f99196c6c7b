extension Entity {
  /// What the invigilator's desk adds to a session: changes of slots, stations to be made up, messages to the room.
  static var hall: [Entity] { [slotTable, rerunEntry, hallMessage] }

  private static var slotTable: Entity {
    Entity(
      "SlotTable", .assessment, key: .uuid, sync: .both, table: "slotTable", isExtension: true,
      purpose: "Who has changed slots with whom in a session, and from which round on.",
      note: "One field holds all changes of a session, so that two changes made apart cannot mix into a roster that "
        + "nobody meant: one of them stands whole, and a person is asked.",
      attributes: [
        .uuid.added("The key of the row, derived from circuit, date and start."),
        .string("date", .day).impersonal(.time).indexed.added("The session's date, YYYY-MM-DD."),
        .string("startTime", .timeOfDay).impersonal(.time).indexed.added("The session's start, HH:MM."),
        .json("places", .places).impersonal(.plan).added(
          "A list of {round, planned, comes}: from that round on, who comes where another candidate was planned."),
      ],
      relationships: [.one("circuit", "ClinicGroup", inverse: "slotTables").owner.added("The circuit.")])
  }

  private static var rerunEntry: Entity {
    Entity(
      "RerunEntry", .assessment, key: .uuid, sync: .both, table: "rerunEntry", isExtension: true,
      purpose: "A station that a candidate has missed and is to be examined at after the session.",
      attributes: [
        .uuid.added("The key of the row."),
        .integer32("place", 1...10_000).defaulting(to: .integer(1)).added("The round of the re-run, from 1."),
        .string("status").impersonal(.word).indexed.defaulting(to: .string("queued")).added(
          "queued, done or withdrawn."),
        .date("time").added("When it was queued."),
        .string("reason").ofCandidate("attendanceLog", "student").added("Why the station was missed, in words."),
        .dsDeleted.added("Soft delete."),
      ],
      relationships: [
        .one("attendanceLog", "TimetableAttendanceLog", inverse: "reruns").owner.added("Who, at which station."),
        .one("staff", "Staff", inverse: "reruns").added("Who queued it."),
      ])
  }

  private static var hallMessage: Entity {
    Entity(
      "HallMessage", .syncState, key: .uuid, sync: .both, table: "hallMessage", isExtension: true,
      purpose: "A line shown to everybody in the hall, or to one station.",
      attributes: [
        .uuid.added("The key of the row."),
        .string("text").personal(.exam).required.added("The line."),
        .date("time").added("When it was sent."),
        .date("withdrawnAt").added("When it was taken down; no value: it is shown."),
        .dsDeleted.added("Soft delete."),
      ],
      relationships: [
        .one("circuit", "ClinicGroup", inverse: "messages").added("For this circuit; no value: for all."),
        .one("station", "ActivityType", inverse: "messages").added("For this station alone; no value: for everybody."),
        .one("staff", "Staff", inverse: "hallMessages").added("Who sent it."),
      ])
  }
}

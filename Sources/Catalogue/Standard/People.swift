extension Entity {
  /// Staff, candidates and their groups.
  static var people: [Entity] {
    let user = user
    return [
      user, staff(inheriting: user), student(inheriting: user), studentGroup, studentMajor, studentForGroup,
      studentForMajor,
    ]
  }

  private static var user: Entity {
    Entity(
      "User", .users, key: .dsid, sync: .down, table: "user",
      purpose: "What staff and candidates have in common.",
      attributes: [
        .dsid,
        .string("username").ofCandidate().indexed,
        .string("forename").ofCandidate(),
        .string("surname").ofCandidate(),
        .string("title").ofCandidate(),
        .string("email").ofCandidate(),
        .string("passcode").derived("Never stored; the reference keeps it in a keychain. See passcodeHash."),
        .boolean("active").indexed.defaulting(to: .boolean(true)),
        .integer32("dsAdviserId").indexed.noted("The dsid of the adviser among staff; not a relationship."),
        .string("passcodeHash").impersonal(.digest).salted.added(
          "scrypt, with its parameters and salt in the string; no value: no passcode."),
        .dsDeleted,
      ],
      relationships: [
        .many("commentsWritten", "Comment", inverse: "writer"),
        .many("commentsReceived", "Comment", inverse: "recipient"),
      ])
  }

  private static func staff(inheriting parent: Entity) -> Entity {
    Entity(
      "Staff", inheriting: parent, purpose: "An assessor or another member of staff.",
      attributes: [
        .string("firstName").personal(.exam).noted(
          "Duplicates forename, which is what is shown; kept for bundles that carry it."),
        .string("lastName").personal(.exam).noted(
          "Duplicates surname, which is what is shown; kept for bundles that carry it."),
      ],
      relationships: [
        .many("assignedTimetables", "Timetable", inverse: "staff"),
        .many("coverTimetables", "Timetable", inverse: "coverStaff"),
        .many("scheduledCoverTimetables", "Timetable", inverse: "scheduledCoverStaff"),
        .many("teachingActivities", "ActivityType", inverse: "teachingLead"),
        .many("staffSignIns", "StaffSignIn", inverse: "staff"),
        .inverse("additionalTimetables", "AdditionalStaff", of: "staff"),
        .inverse("signedForms", "DataForm", of: "signedBy"),
        .inverse("judgedForms", "DataForm", of: "judgedBy"),
        .inverse("judgedItems", "DataQuestion", of: "judgedBy"),
        .inverse("enteredItems", "DataQuestion", of: "enteredBy"),
        .inverse("circuitComments", "CommentMetaCircuit", of: "author"),
        .inverse("stationComments", "CommentMetaStation", of: "author"),
        .inverse("candidateComments", "CommentMetaStationCandidate", of: "author"),
        .inverse("syncInformation", "SyncInformation", of: "staff"),
        .inverse("assistanceRequests", "AssistanceRequested", of: "staff"),
        .inverse("assistanceResponses", "AssistanceRequested", of: "responder"),
        .inverse("incidents", "StationIncident", of: "staff"),
        .inverse("clockEvents", "ClockEvent", of: "staff"),
        .inverse("sittings", "Sitting", of: "staff"),
        .inverse("passcodeAttempts", "PasscodeAttempt", of: "staff"),
        .inverse("hallMessages", "HallMessage", of: "staff"),
        .inverse("reruns", "RerunEntry", of: "staff"),
        .inverse("releasedTimetables", "Timetable", of: "releasedBy"),
        .inverse("jots", "Jot", of: "author"),
        .inverse("rulings", "ExamRuling", of: "staff"),
        .inverse("secondRulings", "ExamRuling", of: "secondStaff"),
        .inverse("locks", "ExamLock", of: "staff"),
        .inverse("secondLocks", "ExamLock", of: "secondStaff"),
        .inverse("reopenedLocks", "ExamLock", of: "reopenedBy"),
        .inverse("secondReopenedLocks", "ExamLock", of: "secondReopenedBy"),
      ])
  }

  private static func student(inheriting parent: Entity) -> Entity {
    Entity(
      "Student", inheriting: parent, purpose: "A candidate.",
      attributes: [
        .string("studentNumber").ofCandidate().indexed,
        .string("year").impersonal(.plan),
        .integer32("extraReadingSeconds", 0...86_400).defaulting(to: .integer(0)).added(
          "An adjustment: reading time beyond everybody's, in seconds."),
        .integer32("extraStationSeconds", 0...86_400).defaulting(to: .integer(0)).added(
          "An adjustment: time at a station beyond everybody's, in seconds."),
        .string("access").ofCandidate().added("Any other adjustment, in words for the assessor."),
        .string("consent").ofCandidate().added(
          "What the candidate agreed to, and when, in words; no value: not recorded."),
      ],
      relationships: [
        .many("attendanceLogs", "TimetableAttendanceLog", inverse: "student", .deny),
        .many("studentGroups", "StudentForGroup", inverse: "student", .cascade),
        .many("studentMajors", "StudentForMajor", inverse: "student", .cascade),
      ]
    ).metAtTerminals
  }

  private static var studentGroup: Entity {
    Entity(
      "StudentGroup", .users, key: .dsid, sync: .down, table: "studentGroup",
      purpose: "A group of candidates, such as a cohort.",
      attributes: [.dsid, .string("name").impersonal(.plan).required, .dsDeleted],
      relationships: [.many("students", "StudentForGroup", inverse: "group", .cascade)])
  }

  private static var studentMajor: Entity {
    Entity(
      "StudentMajor", .users, key: .dsid, sync: .down, table: "studentMajor",
      purpose: "A programme of study.",
      attributes: [.dsid, .string("name").impersonal(.plan).required, .dsDeleted],
      relationships: [.many("students", "StudentForMajor", inverse: "major", .cascade)])
  }

  private static var studentForGroup: Entity {
    Entity(
      "StudentForGroup", .users, key: .dsid, sync: .down, table: "studentForGroup",
      purpose: "Places a candidate in a group.",
      attributes: [.dsid, .dsDeletedOfLink],
      relationships: [
        .one("student", "Student", inverse: "studentGroups").owner,
        .one("group", "StudentGroup", inverse: "students").owner,
      ])
  }

  private static var studentForMajor: Entity {
    Entity(
      "StudentForMajor", .users, key: .dsid, sync: .down, table: "studentForMajor",
      purpose: "Places a candidate in a programme of study.",
      attributes: [.dsid, .dsDeletedOfLink],
      relationships: [
        .one("student", "Student", inverse: "studentMajors").owner,
        .one("major", "StudentMajor", inverse: "students").owner,
      ])
  }
}

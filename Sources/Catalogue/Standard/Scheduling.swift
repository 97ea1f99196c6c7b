extension Entity {
  /// Circuits, their stations, the sessions at them and who comes when.
  static var scheduling: [Entity] { [clinicGroup, activityType, timetable, timetableAttendanceLog, additionalStaff] }

  private static var clinicGroup: Entity {
    Entity(
      "ClinicGroup", .assessment, key: .dsid, sync: .down, table: "clinicGroup",
      purpose: "A circuit: a ring of stations that candidates rotate round.",
      attributes: [
        .dsid,
        .string("name").impersonal(.plan).required,
        .string("code").impersonal(.plan).indexed.added("The circuit's natural key in an exam folder."),
        .json("warnings", .warnings).impersonal(.plan).added(
          "Rules {phase type, seconds left, level, text} that replace the clock's default alerts as they stand."),
        .dsDeleted,
      ],
      relationships: [
        .many("stations", "ActivityType", inverse: "clinicGroup", .cascade),
        .many("durations", "CircuitStationDuration", inverse: "clinicGroup", .cascade),
        .inverseOne("circuitComment", "CommentMetaCircuit", inverse: "circuit", .cascade).noted(
          "The latest comment; circuitComments has them all."),
        .many("timetables", "Timetable", inverse: "circuit").derived("The timetables of the stations."),
        .many("disciplines", "DisciplineForClinicGroup", inverse: "clinicGroup", .cascade),
        .many("circuitComments", "CommentMetaCircuit", inverse: "commentedCircuit").derived("").added(
          "Several assessors comment on one circuit. The rows whose circuit is this one."),
        .inverse("typeForms", "TypeForm", of: "clinicGroup"),
        .inverse("assistanceRequests", "AssistanceRequested", of: "circuit"),
        .inverse("runs", "CircuitRun", of: "circuit", .cascade),
        .inverse("slotTables", "SlotTable", of: "circuit", .cascade),
        .inverse("messages", "HallMessage", of: "circuit"),
      ])
  }

  private static var activityType: Entity {
    Entity(
      "ActivityType", .assessment, key: .dsid, sync: .down, table: "activityType",
      purpose: "A station of a circuit; a rest station has no form.",
      attributes: [
        .dsid,
        .string("name").impersonal(.plan).required,
        .boolean("iPadEnabled").defaulting(to: .boolean(true)),
        .boolean("acceptsPatients"),
        .boolean("acceptsSimulatedPatient"),
        .boolean("requiresStudentSignout"),
        .string("code").impersonal(.plan).indexed.added("The station's natural key in an exam folder."),
        .order16.added("The station's place in the ring, from 1; stations of equal order stand by key."),
        .string("forms").impersonal(.plan).defaulting(to: .string("all")).added(
          "all: a candidate needs a sheet of every available form; one: of exactly one of them."),
        .double("doubleMarkingMargin").added(
          "How far the scores of two assessors of one candidate may differ, in percent of the maximum, before the lead "
            + "is asked; no value: 10."),
        .string("withdrawn").personal(.exam).added(
          "Why nothing counts here any more; its station sessions are cancelled. No value: it is examined."),
        .dsDeleted,
      ],
      relationships: [
        .one("clinicGroup", "ClinicGroup", inverse: "stations").owner,
        .one("teachingLead", "Staff", inverse: "teachingActivities"),
        .many("timetables", "Timetable", inverse: "activityType", .cascade),
        .many("availableForms", "AvailableForm", inverse: "activityType", .cascade),
        .inverseOne("stationComment", "CommentMetaStation", inverse: "station", .cascade).noted(
          "The latest comment; stationComments has them all."),
        .inverseOne("assistanceRequest", "AssistanceRequested", inverse: "station", .cascade).noted(
          "The latest help call of the station."),
        .many("stationComments", "CommentMetaStation", inverse: "commentedStation").derived("").added(
          "Several assessors comment on one station. The rows whose station is this one."),
        .inverse("messages", "HallMessage", of: "station"),
      ])
  }

  private static var timetable: Entity {
    Entity(
      "Timetable", .assessment, key: .dsid, sync: .both, table: "timetable",
      purpose: "A station session: one station, date, start time, one assessor.",
      attributes: [
        .dsid,
        .string("date", .day).impersonal(.time).indexed.noted(
          "YYYY-MM-DD, local in the exam's time zone. A row without a date belongs to no session of a circuit."),
        .string("startTime", .timeOfDay).impersonal(.time).indexed.noted(
          "HH:MM. With circuit and date it names the session of a circuit."),
        .string("endTime", .timeOfDay).impersonal(.time).indexed.noted(
          "HH:MM, as planned; the clock alone says when a session really ends."),
        .string("group").impersonal(.plan),
        .order16,
        .boolean("cancelled").indexed,
        .date("releasedAt").added("When the invigilator let the assessors go; no value: not yet."),
        .dsDeleted, .syncChangedKeys, .syncNew, .syncError,
      ],
      relationships: [
        .one("activityType", "ActivityType", inverse: "timetables").owner,
        .one("staff", "Staff", inverse: "assignedTimetables"),
        .one("coverStaff", "Staff", inverse: "coverTimetables").syncing(.up).noted(
          "Set at the station. Stands before scheduledCoverStaff, which stands before staff."),
        .one("scheduledCoverStaff", "Staff", inverse: "scheduledCoverTimetables").syncing(.down),
        .many("timetableAttendanceLogs", "TimetableAttendanceLog", inverse: "timetable", .cascade),
        .many("staffSignIns", "StaffSignIn", inverse: "timetable", .cascade),
        .many("additionalStaff", "AdditionalStaff", inverse: "timetable", .cascade).added(
          "Second assessors, who each fill their own sheet."),
        .inverseOne("circuit", "ClinicGroup", inverse: "timetables").derived("").added(
          "Inverse of ClinicGroup.timetables; the circuit of the station, so never written and never required."),
        .inverseOne("activeForm", "DataForm", inverse: "activeForTimetable").transient("").added(
          "Inverse of DataForm.activeForTimetable."),
        .inverse("circuitCommentsWritten", "CommentMetaCircuit", of: "timetable"),
        .inverse("stationCommentsWritten", "CommentMetaStation", of: "timetable"),
        .inverse("incidents", "StationIncident", of: "timetable", .cascade),
        .inverse("sittings", "Sitting", of: "timetable"),
        .one("releasedBy", "Staff", inverse: "releasedTimetables").added("Who let them go."),
      ])
  }

  private static var timetableAttendanceLog: Entity {
    Entity(
      "TimetableAttendanceLog", .assessment, key: .uuid, sync: .both, table: "timetableAttendanceLog",
      purpose: "A roster entry: one candidate in one station session.",
      attributes: [
        .uuid,
        .boolean("present").withoutDefault.indexed.noted(
          "No value: not yet recorded. The reference has a plain boolean, which cannot tell that from absent."),
        .integer32("order", 1...10_000).noted(
          "The round in which the candidate comes, from 1. No value: not placed in a round."),
        .boolean("additional"),
        .boolean("addedInApp"),
        .boolean("staffSignout"),
        .date("feedbackReceivedAt"),
        .boolean("feedbackAgreed"),
        .date("identityCheckedAt").added("When the assessor passed the identity step."),
        .date("lateAt").added("When a late candidate came in; no value: not late."),
        .string("identityNote").ofCandidate("student").added(
          "What did not fit when the candidate's identity was checked; no value: it fitted, or was not checked."),
        .boolean("practice").added("A practice entry, which never counts in what is expected or exported."),
        .dsDeleted, .syncChangedKeys, .syncNew, .syncError,
      ],
      relationships: [
        .one("timetable", "Timetable", inverse: "timetableAttendanceLogs").owner,
        .one("student", "Student", inverse: "attendanceLogs").noted("A practice entry has no candidate."),
        .many("dataForms", "DataForm", inverse: "attendanceLog", .cascade),
        .inverseOne("currentForm", "DataForm", inverse: "currentForAttendanceLog").transient(
          "The sheet open on this terminal."),
        .many("candidateComment", "CommentMetaStationCandidate", inverse: "attendanceLog", .cascade).noted(
          "To-many, in spite of its name."),
        .many("attributes", "AttributesSelected", inverse: "attendanceLog", .cascade),
        .inverse("reruns", "RerunEntry", of: "attendanceLog", .cascade),
        .inverse("jots", "Jot", of: "attendanceLog", .cascade),
      ])
  }

  private static var additionalStaff: Entity {
    Entity(
      "AdditionalStaff", .assessment, key: .uuid, sync: .both, table: "additionalStaff", isExtension: true,
      purpose: "A second assessor of a station session.",
      note: "Double marking needs more than one assessor in a session; the reference has one, and covers.",
      attributes: [
        .uuid.added("The key of the row."),
        .string("seat").impersonal(.word).added(
          "The seat of the sheets that this second assessor fills; no value: the row's uuid."),
        .dsDeleted.added("Soft delete."),
      ],
      relationships: [
        .one("timetable", "Timetable", inverse: "additionalStaff").owner.added("The session marked in."),
        .one("staff", "Staff", inverse: "additionalTimetables").added("Who assesses."),
      ])
  }
}

/// A place where the reference is silent or contradicts itself, and what was picked.
public struct Decision: Sendable, Equatable {
  /// What it is about, often an entity or one of its attributes.
  public let subject: String
  /// What was picked, and why.
  public let text: String
}

extension Catalogue {
  /// How the reference's gaps were settled.
  public static var decisions: [Decision] {
    [
      Decision(
        subject: "Number of entities",
        text: "The reference says 38 and lists 37. Its categories count 16 assessment entities and describe 15; the "
          + "other categories agree with their counts. There are 37."),
      Decision(
        subject: "Directions",
        text: "The summary counts 9 entities that only go up, the table lists 10, because RatingQuestion has its own "
          + "line there. The table stands. AssistanceRequested is the one direction changed: see below."),
      Decision(
        subject: "Soft delete",
        text: "dsDeleted is said to be on all synchronised entities, yet the lists of the five linking entities leave "
          + "it out. They have it here, marked as an extension, because removing a section from a template is a "
          + "deletion that has to travel. LastUpdate has none."),
      Decision(
        subject: "syncNew, syncChangedKeys, syncError",
        text: "Declared where the reference lists them, never stored: they are derived from the journal. A stored flag "
          + "loses an edit that is made while an upload is in flight."),
      Decision(
        subject: "Families",
        text: "User, Staff and Student share one table and one range of keys, and so do DataQuestion and "
          + "RatingQuestion; the column entity tells them apart. A dsid names one person, so a candidate and a member "
          + "of staff never have the same. A comment's writer may be either."),
      Decision(
        subject: "What is required",
        text: "The primary key, the attribute name or text (MarkingDescriptor.descriptor is its text), and the "
          + "relationships by which a row belongs to another. Everything else may be left out. Timetable.date and "
          + "startTime may be left out too: such a row is in no session until it has them."),
      Decision(
        subject: "Instances keep what they are made from optional",
        text: "DataForm.type, DataSection.type and DataQuestion.type are not owners: a sheet belongs to a roster "
          + "entry. They may be left out, and a template that has sheets cannot be deleted."),
      Decision(
        subject: "User.passcode",
        text: "Declared and never stored. passcodeHash holds an scrypt string with its parameters."),
      Decision(
        subject: "Staff.firstName, Staff.lastName",
        text: "Called duplicates of forename and surname. Both are kept as a bundle gives them; forename and surname "
          + "are what is shown."),
      Decision(
        subject: "User.dsAdviserId",
        text: "Called a foreign key, but no relationship is named. It stays an attribute with an index."),
      Decision(
        subject: "TimetableAttendanceLog.present",
        text: "Optional, so that not yet recorded differs from absent."),
      Decision(
        subject: "TimetableAttendanceLog.order",
        text: "The round. It has no default, because a candidate without a round is not in round 1. Every other order "
          + "is 1 where it is left out, and rows of equal order stand by key."),
      Decision(
        subject: "TimetableAttendanceLog.student",
        text: "Optional, because a practice entry has no candidate; required of every entry that counts."),
      Decision(
        subject: "TimetableAttendanceLog.candidateComment",
        text: "To-many in spite of its name, as the reference's brackets say."),
      Decision(
        subject: "ClinicGroup.circuitComment, ActivityType.stationComment",
        text:
          "To-one in the reference, though many people comment. They stay, as the latest comment, and circuitComments "
          + "and stationComments hold them all."),
      Decision(
        subject: "ActivityType.assistanceRequest",
        text: "To-one in the reference: the latest help call. Earlier ones keep their rows."),
      Decision(
        subject: "ClinicGroup.timetables",
        text: "The reference names no way back and a Timetable has no key of a circuit. Both ends are derived through "
          + "the station."),
      Decision(
        subject: "CircuitStationDuration.manualStart",
        text: "An Integer 16 called boolean-like. It stays an integer; anything but 0 counts as set."),
      Decision(
        subject: "CircuitStationDuration.duration",
        text: "Whole minutes, 0 where left out, so that a phase may have seconds alone. A length of 0 is an import "
          + "error."),
      Decision(
        subject: "CircuitStationDuration.durationType",
        text: "An open list in the reference. A rotation where left out; unknown words are phases without a round of "
          + "their own."),
      Decision(
        subject: "TypeQuestion",
        text: "A rating of 5 levels from 1 where questionType and numberOfOptions are left out. lowest and step place "
          + "the levels, so that 0 to 4 and a mark out of 20 can be said."),
      Decision(
        subject: "TypeQuestion.defaultState",
        text: "A suggestion of the high level where true. An item stays blank until somebody marks it."),
      Decision(
        subject: "MarkingDescriptor.value",
        text: "Optional: the reference's example has a level ? for unable to assess."),
      Decision(
        subject: "DataQuestion",
        text: "Called abstract, yet an item of free text has no rating. Free text is a DataQuestion with its answer in "
          + "feedback; every other item is a RatingQuestion."),
      Decision(
        subject: "DataForm.typeID, DataForm.attendanceLogID, clinic_group_id, discipline_id",
        text:
          "Keys that the reference lists beside the relationships that they belong to. They are the columns of those "
          + "relationships, and derived as attributes, so one fact has one place."),
      Decision(
        subject: "DataForm.activeForTimetable, TimetableAttendanceLog.currentForm",
        text: "Transient in the reference: state of one screen, never stored. Their inverses are transient too."),
      Decision(
        subject: "AssistanceRequested",
        text:
          "Comes only from a server in the reference. A help call is made here, without a network: rows have a uuid "
          + "that keys them, dsid is optional, and they travel both ways."),
      Decision(
        subject: "AttributesSelected",
        text: "Its use is called unclear, and it has no key. It mirrors the tags of items, and SQLite assigns the key."),
      Decision(
        subject: "Timetable.coverStaff, Timetable.scheduledCoverStaff",
        text: "The reference gives these two a direction of their own, up and down. It is declared with the "
          + "relationship."),
      Decision(
        subject: "Delete rules",
        text:
          "The reference names four cascades. Here a deletion cascades exactly along the relationships by which rows "
          + "belong to another; what somebody judged, wrote or signed goes on naming that person; candidates and "
          + "templates with sheets cannot be deleted."),
      Decision(
        subject: "Inverses",
        text:
          "The reference names most of them by listing both ends. Where it lists one, the other is added and marked."),
    ]
  }
}

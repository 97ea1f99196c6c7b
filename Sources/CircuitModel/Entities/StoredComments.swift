// Generated from the catalogue by script/generate; edit the catalogue, not this file.
import ExamStore
import Timer

extension Stored {
  /// A general comment from one person to another.
  package enum Comment: StoredEntity, DeletableEntity {
    package typealias Key = String
    package static let entityName = "Comment"
    package enum Field: String, StoredField {
      case text, date, writer, recipient, group
    }
  }
}

extension FieldChange where Entity == Stored.Comment {
  package static func text(_ value: String) -> Self { Self("text", value) }
  package static func date(_ value: String?) -> Self { Self("date", value) }
  package static func writer(_ value: Stored.User.Key?) -> Self { Self("writer", value) }
  package static func recipient(_ value: Stored.User.Key?) -> Self { Self("recipient", value) }
  package static func group(_ value: Stored.CommentGroup.Key?) -> Self { Self("group", value) }
}

extension Stored {
  /// A category of general comments.
  package enum CommentGroup: StoredEntity, DeletableEntity {
    package typealias Key = Int
    package static let entityName = "CommentGroup"
    package enum Field: String, StoredField {
      case name
    }
  }
}

extension FieldChange where Entity == Stored.CommentGroup {
  package static func name(_ value: String) -> Self { Self("name", value) }
}

extension Stored {
  /// A comment on a whole circuit.
  package enum CommentMetaCircuit: StoredEntity, DeletableEntity {
    package typealias Key = String
    package static let entityName = "CommentMetaCircuit"
    package enum Field: String, StoredField {
      case text, time, session, concern, circuit, author, timetable
    }
  }
}

extension FieldChange where Entity == Stored.CommentMetaCircuit {
  package static func text(_ value: String) -> Self { Self("text", value) }
  /// When it was written.
  package static func time(_ value: Instant?) -> Self { Self("time", value) }
  /// The session it was written in: DATE START, local in the exam's time zone.
  package static func session(_ value: String?) -> Self { Self("session", value) }
  /// Marked as a concern, which the exam lead sees at once.
  package static func concern(_ value: Bool) -> Self { Self("concern", value) }
  package static func circuit(_ value: Stored.ClinicGroup.Key) -> Self { Self("circuit", value) }
  /// Who wrote it.
  package static func author(_ value: Stored.Staff.Key?) -> Self { Self("author", value) }
  /// The station session in which it was written, where there was one.
  package static func timetable(_ value: Stored.Timetable.Key?) -> Self { Self("timetable", value) }
}

extension Stored {
  /// A comment on a station.
  package enum CommentMetaStation: StoredEntity, DeletableEntity {
    package typealias Key = String
    package static let entityName = "CommentMetaStation"
    package enum Field: String, StoredField {
      case text, time, session, concern, station, author, timetable
    }
  }
}

extension FieldChange where Entity == Stored.CommentMetaStation {
  package static func text(_ value: String) -> Self { Self("text", value) }
  /// When it was written.
  package static func time(_ value: Instant?) -> Self { Self("time", value) }
  /// The session it was written in: DATE START, local in the exam's time zone.
  package static func session(_ value: String?) -> Self { Self("session", value) }
  /// Marked as a concern, which the exam lead sees at once.
  package static func concern(_ value: Bool) -> Self { Self("concern", value) }
  package static func station(_ value: Stored.ActivityType.Key) -> Self { Self("station", value) }
  /// Who wrote it.
  package static func author(_ value: Stored.Staff.Key?) -> Self { Self("author", value) }
  /// The station session in which it was written, where there was one.
  package static func timetable(_ value: Stored.Timetable.Key?) -> Self { Self("timetable", value) }
}

extension Stored {
  /// A comment on a candidate at a station.
  package enum CommentMetaStationCandidate: StoredEntity, DeletableEntity {
    package typealias Key = String
    package static let entityName = "CommentMetaStationCandidate"
    package enum Field: String, StoredField {
      case text, time, concern, visibleToCandidate, attendanceLog, author
    }
  }
}

extension FieldChange where Entity == Stored.CommentMetaStationCandidate {
  package static func text(_ value: String) -> Self { Self("text", value) }
  /// When it was written.
  package static func time(_ value: Instant?) -> Self { Self("time", value) }
  /// Marked as a concern, which the exam lead sees at once.
  package static func concern(_ value: Bool) -> Self { Self("concern", value) }
  /// Whether the candidate may read it.
  package static func visibleToCandidate(_ value: Bool) -> Self { Self("visibleToCandidate", value) }
  package static func attendanceLog(_ value: Stored.TimetableAttendanceLog.Key) -> Self { Self("attendanceLog", value) }
  /// Who wrote it.
  package static func author(_ value: Stored.Staff.Key?) -> Self { Self("author", value) }
}

extension Stored {
  /// One line noted while watching a candidate, stamped with the time of the phase.
  package enum Jot: StoredEntity, DeletableEntity {
    package typealias Key = String
    package static let entityName = "Jot"
    package enum Field: String, StoredField {
      case text, time, phase, attendanceLog, author
    }
  }
}

extension FieldChange where Entity == Stored.Jot {
  /// The line.
  package static func text(_ value: String) -> Self { Self("text", value) }
  /// When it was noted.
  package static func time(_ value: Instant?) -> Self { Self("time", value) }
  /// Phase, round and time left when it was noted, in words.
  package static func phase(_ value: String?) -> Self { Self("phase", value) }
  /// The candidate at the station.
  package static func attendanceLog(_ value: Stored.TimetableAttendanceLog.Key) -> Self { Self("attendanceLog", value) }
  /// Who noted it.
  package static func author(_ value: Stored.Staff.Key?) -> Self { Self("author", value) }
}

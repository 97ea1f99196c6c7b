// Generated from the catalogue by script/generate; edit the catalogue, not this file.
import ExamStore
import Timer

extension Stored {
  /// When which terminal last met the hub.
  package enum SyncInformation: StoredEntity, DeletableEntity {
    package typealias Key = String
    package static let entityName = "SyncInformation"
    package enum Field: String, StoredField {
      case lastSync, deviceUUID, deviceName, appUUID, appVersion, iOSVersion, staff
    }
  }
}

extension FieldChange where Entity == Stored.SyncInformation {
  package static func lastSync(_ value: Instant?) -> Self { Self("lastSync", value) }
  package static func deviceUUID(_ value: String?) -> Self { Self("deviceUUID", value) }
  package static func deviceName(_ value: String?) -> Self { Self("deviceName", value) }
  package static func appUUID(_ value: String?) -> Self { Self("appUUID", value) }
  package static func appVersion(_ value: String?) -> Self { Self("appVersion", value) }
  /// The version of the terminal's operating system.
  package static func iOSVersion(_ value: String?) -> Self { Self("iOSVersion", value) }
  package static func staff(_ value: Stored.Staff.Key?) -> Self { Self("staff", value) }
}

extension Stored {
  /// Who signed in to which station session, when.
  package enum StaffSignIn: StoredEntity, DeletableEntity {
    package typealias Key = String
    package static let entityName = "StaffSignIn"
    package enum Field: String, StoredField {
      case time, appUUID, staff, timetable
    }
  }
}

extension FieldChange where Entity == Stored.StaffSignIn {
  package static func time(_ value: Instant?) -> Self { Self("time", value) }
  package static func appUUID(_ value: String?) -> Self { Self("appUUID", value) }
  package static func staff(_ value: Stored.Staff.Key?) -> Self { Self("staff", value) }
  package static func timetable(_ value: Stored.Timetable.Key) -> Self { Self("timetable", value) }
}

extension Stored {
  /// A help call from a station.
  package enum AssistanceRequested: StoredEntity, DeletableEntity {
    package typealias Key = String
    package static let entityName = "AssistanceRequested"
    package enum Field: String, StoredField {
      case dsid, assistanceRequired, timeRequested, status, timeResponded, timeResolved, text, station, circuit, staff
      case responder
    }
  }
}

extension FieldChange where Entity == Stored.AssistanceRequested {
  /// Optional: a call made here has none.
  package static func dsid(_ value: Int?) -> Self { Self("dsid", value) }
  package static func assistanceRequired(_ value: Bool) -> Self { Self("assistanceRequired", value) }
  /// RFC 3339, or YYYY-MM-DD HH:MM:SS in UTC.
  package static func timeRequested(_ value: String?) -> Self { Self("timeRequested", value) }
  /// requested, responding or resolved.
  package static func status(_ value: String) -> Self { Self("status", value) }
  /// When somebody set out.
  package static func timeResponded(_ value: Instant?) -> Self { Self("timeResponded", value) }
  /// When the call was closed.
  package static func timeResolved(_ value: Instant?) -> Self { Self("timeResolved", value) }
  /// What is needed, in words.
  package static func text(_ value: String?) -> Self { Self("text", value) }
  package static func station(_ value: Stored.ActivityType.Key) -> Self { Self("station", value) }
  package static func circuit(_ value: Stored.ClinicGroup.Key?) -> Self { Self("circuit", value) }
  /// Who calls.
  package static func staff(_ value: Stored.Staff.Key?) -> Self { Self("staff", value) }
  /// Who answers.
  package static func responder(_ value: Stored.Staff.Key?) -> Self { Self("responder", value) }
}

extension Stored {
  /// Something that went wrong in a station session, and the time it cost.
  package enum StationIncident: StoredEntity, DeletableEntity {
    package typealias Key = String
    package static let entityName = "StationIncident"
    package enum Field: String, StoredField {
      case kind, time, secondsLost, text, timetable, staff
    }
  }
}

extension FieldChange where Entity == Stored.StationIncident {
  /// What happened, in one word.
  package static func kind(_ value: String?) -> Self { Self("kind", value) }
  /// When it happened.
  package static func time(_ value: Instant?) -> Self { Self("time", value) }
  /// The time that the candidate lost; no value: not known.
  package static func secondsLost(_ value: Int?) -> Self { Self("secondsLost", value) }
  /// What happened, in words.
  package static func text(_ value: String?) -> Self { Self("text", value) }
  /// The session.
  package static func timetable(_ value: Stored.Timetable.Key) -> Self { Self("timetable", value) }
  /// Who reported it.
  package static func staff(_ value: Stored.Staff.Key?) -> Self { Self("staff", value) }
}

extension Stored {
  /// A line shown to everybody in the hall, or to one station.
  package enum HallMessage: StoredEntity, DeletableEntity {
    package typealias Key = String
    package static let entityName = "HallMessage"
    package enum Field: String, StoredField {
      case text, time, withdrawnAt, circuit, station, staff
    }
  }
}

extension FieldChange where Entity == Stored.HallMessage {
  /// The line.
  package static func text(_ value: String) -> Self { Self("text", value) }
  /// When it was sent.
  package static func time(_ value: Instant?) -> Self { Self("time", value) }
  /// When it was taken down; no value: it is shown.
  package static func withdrawnAt(_ value: Instant?) -> Self { Self("withdrawnAt", value) }
  /// For this circuit; no value: for all.
  package static func circuit(_ value: Stored.ClinicGroup.Key?) -> Self { Self("circuit", value) }
  /// For this station alone; no value: for everybody.
  package static func station(_ value: Stored.ActivityType.Key?) -> Self { Self("station", value) }
  /// Who sent it.
  package static func staff(_ value: Stored.Staff.Key?) -> Self { Self("staff", value) }
}

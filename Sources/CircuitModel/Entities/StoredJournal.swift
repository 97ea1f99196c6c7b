// Generated from the catalogue by script/generate; edit the catalogue, not this file.
import ExamStore
import Timer

extension Stored {
  /// A store that writes operations, with a chain of its own.
  package enum Device: StoredEntity {
    package typealias Key = String
    package static let entityName = "Device"
    package enum Field: String, StoredField {
      case name, machine, file, created, continues, clockSet, clockMoved
    }
  }
}

extension FieldChange where Entity == Stored.Device {
  /// The name that people see.
  package static func name(_ value: String) -> Self { Self("name", value) }
  /// A digest of the machine's identity.
  package static func machine(_ value: String?) -> Self { Self("machine", value) }
  /// The file system and inode of the store.
  package static func file(_ value: String?) -> Self { Self("file", value) }
  /// When its chain began.
  package static func created(_ value: Instant?) -> Self { Self("created", value) }
  /// The device in whose place it goes on, where another copy of the store wrote too.
  package static func continues(_ value: String?) -> Self { Self("continues", value) }
  /// The exam's time that a person set last; no value: never.
  package static func clockSet(_ value: Instant?) -> Self { Self("clockSet", value) }
  /// By how many milliseconds that moved it.
  package static func clockMoved(_ value: Int64?) -> Self { Self("clockMoved", value) }
}

extension Stored {
  /// One person at one terminal from sign-in to sign-out.
  package enum Sitting: StoredEntity {
    package typealias Key = String
    package static let entityName = "Sitting"
    package enum Field: String, StoredField {
      case process, processStart, tty, host, sshKey, version, openSheet, began, ended, device, staff, timetable
    }
  }
}

extension FieldChange where Entity == Stored.Sitting {
  /// The process id.
  package static func process(_ value: Int?) -> Self { Self("process", value) }
  /// When the process was started: the machine's start and clock ticks since. A process id is used again.
  package static func processStart(_ value: String?) -> Self { Self("processStart", value) }
  /// The terminal's device; no value: none.
  package static func tty(_ value: String?) -> Self { Self("tty", value) }
  /// Where the person sits, as far as ssh tells.
  package static func host(_ value: String?) -> Self { Self("host", value) }
  /// The fingerprint of the key by which ssh let the person in, as far as sshd tells; no value: none.
  package static func sshKey(_ value: String?) -> Self { Self("sshKey", value) }
  /// The version of the program.
  package static func version(_ value: String?) -> Self { Self("version", value) }
  /// The uuid of the mark sheet that is open there; no value: none.
  package static func openSheet(_ value: String?) -> Self { Self("openSheet", value) }
  /// Sign-in.
  package static func began(_ value: Instant?) -> Self { Self("began", value) }
  /// Sign-out; no value: open, or the process was killed.
  package static func ended(_ value: Instant?) -> Self { Self("ended", value) }
  /// The store written to.
  package static func device(_ value: Stored.Device.Key) -> Self { Self("device", value) }
  /// Who.
  package static func staff(_ value: Stored.Staff.Key?) -> Self { Self("staff", value) }
  /// The station session, where there is one.
  package static func timetable(_ value: Stored.Timetable.Key?) -> Self { Self("timetable", value) }
}

extension Stored {
  /// One passcode given for a person, right or wrong; the passcode itself is not kept.
  package enum PasscodeAttempt: StoredEntity {
    package typealias Key = String
    package static let entityName = "PasscodeAttempt"
    package enum Field: String, StoredField {
      case at, succeeded, tty, host, sshKey, device, staff
    }
  }
}

extension FieldChange where Entity == Stored.PasscodeAttempt {
  /// When.
  package static func at(_ value: Instant?) -> Self { Self("at", value) }
  /// Whether it was right; false while it is looked at.
  package static func succeeded(_ value: Bool) -> Self { Self("succeeded", value) }
  /// The terminal's device; no value: none.
  package static func tty(_ value: String?) -> Self { Self("tty", value) }
  /// Where it was given, as far as ssh tells.
  package static func host(_ value: String?) -> Self { Self("host", value) }
  /// The fingerprint of the key by which ssh let the person in; no value: none.
  package static func sshKey(_ value: String?) -> Self { Self("sshKey", value) }
  /// The store written to.
  package static func device(_ value: Stored.Device.Key) -> Self { Self("device", value) }
  /// Whose passcode it should have been.
  package static func staff(_ value: Stored.Staff.Key?) -> Self { Self("staff", value) }
}

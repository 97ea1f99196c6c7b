// Generated from the catalogue by script/generate; edit the catalogue, not this file.
import ExamStore

extension Stored {
  /// The settings of the whole exam.
  package enum Config: StoredEntity, DeletableEntity {
    package typealias Key = Int
    package static let entityName = "Config"
    package enum Field: String, StoredField {
      case universityCode, configURL, timeZone, examName, settings, retentionDays
    }
  }
}

extension FieldChange where Entity == Stored.Config {
  package static func universityCode(_ value: String?) -> Self { Self("universityCode", value) }
  package static func configURL(_ value: String?) -> Self { Self("configURL", value) }
  /// The exam's time zone by its IANA name; no value: that of the host.
  package static func timeZone(_ value: String?) -> Self { Self("timeZone", value) }
  /// The exam's name on screens and exports.
  package static func examName(_ value: String?) -> Self { Self("examName", value) }
  /// Any further setting, by name.
  package static func settings(_ value: String?) -> Self { Self("settings", value) }
  /// For how many days after a candidate's last session what tells of the candidate is kept; no value: nobody said.
  package static func retentionDays(_ value: Int?) -> Self { Self("retentionDays", value) }
}

extension Stored {
  /// The instructions of a scenario.
  package enum ScenarioMetadata: StoredEntity, DeletableEntity {
    package typealias Key = Int
    package static let entityName = "ScenarioMetadata"
    package enum Field: String, StoredField {
      case assessorInstructions, candidateInstructions, typeForm
    }
  }
}

extension FieldChange where Entity == Stored.ScenarioMetadata {
  package static func assessorInstructions(_ value: String?) -> Self { Self("assessorInstructions", value) }
  package static func candidateInstructions(_ value: String?) -> Self { Self("candidateInstructions", value) }
  package static func typeForm(_ value: Stored.TypeForm.Key) -> Self { Self("typeForm", value) }
}

extension Stored {
  /// An academic discipline.
  package enum Discipline: StoredEntity, DeletableEntity {
    package typealias Key = Int
    package static let entityName = "Discipline"
    package enum Field: String, StoredField {
      case name
    }
  }
}

extension FieldChange where Entity == Stored.Discipline {
  package static func name(_ value: String) -> Self { Self("name", value) }
}

extension Stored {
  /// Places a circuit in a discipline.
  package enum DisciplineForClinicGroup: StoredEntity, DeletableEntity {
    package typealias Key = Int
    package static let entityName = "DisciplineForClinicGroup"
    package enum Field: String, StoredField {
      case clinicGroup, discipline
    }
  }
}

extension FieldChange where Entity == Stored.DisciplineForClinicGroup {
  package static func clinicGroup(_ value: Stored.ClinicGroup.Key) -> Self { Self("clinicGroup", value) }
  package static func discipline(_ value: Stored.Discipline.Key) -> Self { Self("discipline", value) }
}

extension Stored {
  /// A phase of a circuit's cycle.
  package enum CircuitStationDuration: StoredEntity, DeletableEntity {
    package typealias Key = Int
    package static let entityName = "CircuitStationDuration"
    package enum Field: String, StoredField {
      case duration, durationType, manualStart, order, seconds, clinicGroup
    }
  }
}

extension FieldChange where Entity == Stored.CircuitStationDuration {
  /// Whole minutes. The length is duration · 60 + seconds, and a length of 0 is an import error.
  package static func duration(_ value: Int) -> Self { Self("duration", value) }
  /// rotation, reading, feedback, changeover, break or a word of the exam's own.
  package static func durationType(_ value: String) -> Self { Self("durationType", value) }
  /// 0 or 1; anything but 0 counts as 1. The phase waits for a start.
  package static func manualStart(_ value: Int) -> Self { Self("manualStart", value) }
  package static func order(_ value: Int) -> Self { Self("order", value) }
  /// 0 to 59, beyond the minutes: 90 s of reading exists.
  package static func seconds(_ value: Int) -> Self { Self("seconds", value) }
  package static func clinicGroup(_ value: Stored.ClinicGroup.Key) -> Self { Self("clinicGroup", value) }
}

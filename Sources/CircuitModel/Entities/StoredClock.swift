// Generated from the catalogue by script/generate; edit the catalogue, not this file.
import ExamStore

extension Stored {
  /// One start of a circuit's session; a re-run is another run.
  package enum CircuitRun: StoredEntity {
    package typealias Key = String
    package static let entityName = "CircuitRun"
    package enum Field: String, StoredField {
      case date, startTime, number, rerun, host, circuit
    }
  }
}

extension FieldChange where Entity == Stored.CircuitRun {
  /// The session's date, YYYY-MM-DD.
  package static func date(_ value: String?) -> Self { Self("date", value) }
  /// The session's start, HH:MM.
  package static func startTime(_ value: String?) -> Self { Self("startTime", value) }
  /// Counts the runs of a session from 1.
  package static func number(_ value: Int) -> Self { Self("number", value) }
  /// Whether it is for the stations that were missed, with rounds of its own.
  package static func rerun(_ value: Bool) -> Self { Self("rerun", value) }
  /// The device that has the run, whose events count however late they come; no value: the one that made it.
  package static func host(_ value: String?) -> Self { Self("host", value) }
  /// The circuit.
  package static func circuit(_ value: Stored.ClinicGroup.Key) -> Self { Self("circuit", value) }
}

extension Stored {
  /// One event of a run: start, pause, resume, extend, skip, restart, jump, rounds, stop or annul.
  package enum ClockEvent: StoredEntity {
    package typealias Key = String
    package static let entityName = "ClockEvent"
    package enum Field: String, StoredField {
      case kind, at, seconds, index, rounds, passage, target, reason, plan, run, staff
    }
  }
}

extension FieldChange where Entity == Stored.ClockEvent {
  /// The event's word.
  package static func kind(_ value: String?) -> Self { Self("kind", value) }
  /// Its instant on the exam's clock, in milliseconds.
  package static func at(_ value: Int64?) -> Self { Self("at", value) }
  /// extend: by how much.
  package static func seconds(_ value: Int?) -> Self { Self("seconds", value) }
  /// jump: to which phase, from 1.
  package static func index(_ value: Int?) -> Self { Self("index", value) }
  /// rounds: to how many.
  package static func rounds(_ value: Int?) -> Self { Self("rounds", value) }
  /// Which entry into a phase the operator was shown.
  package static func passage(_ value: Int?) -> Self { Self("passage", value) }
  /// annul: the uuid of the event taken out.
  package static func target(_ value: String?) -> Self { Self("target", value) }
  /// Why, in words.
  package static func reason(_ value: String?) -> Self { Self("reason", value) }
  /// start: the expanded phases and the rounds needed.
  package static func plan(_ value: String?) -> Self { Self("plan", value) }
  /// The run.
  package static func run(_ value: Stored.CircuitRun.Key) -> Self { Self("run", value) }
  /// Who gave it.
  package static func staff(_ value: Stored.Staff.Key?) -> Self { Self("staff", value) }
}

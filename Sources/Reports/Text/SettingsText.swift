import CircuitModel
import GRDB
import Glibc
import Timer

extension ConfigInForce {
  /// What a person is told where the settings of another university are here, in one line; nil where none are.
  public static func foreignText(_ db: Database, for university: String? = university) throws -> String? {
    guard let university, let code = try foreignCode(db, for: university) else { return nil }
    return "settings of \(code) NOT APPLIED: this terminal belongs to \(university) (university in config.yaml)"
  }
}

extension LocalTime {
  /// The zone in which local times are where the exam names none, in words.
  /// - Parameter variable: what `TZ` says.
  static func machineZoneText(
    at now: Instant, variable: String? = getenv("TZ").map { String(cString: $0) }
  ) -> String {
    if let name = unknownZone(variable: variable) {
      return "the exam names none, and TZ=\(name) is unknown here: local times are UTC"
    }
    return "the exam names none: local times are this machine's, \(offsetText(at: now)) now"
  }
}

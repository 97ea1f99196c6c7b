import CircuitModel
import GRDB

extension ConfigInForce {
  /// What a person is told where the settings of another university are here, in one line; nil where none are.
  public static func foreignText(_ db: Database, for university: String? = university) throws -> String? {
    guard let university, let code = try foreignCode(db, for: university) else { return nil }
    return "settings of \(code) NOT APPLIED: this terminal belongs to \(university) (university in config.yaml)"
  }
}

import ArgumentParser
import CircuitModel

/// `--session` where it names one session.
enum SessionOption {
  /// - Throws: `ValidationError` for what is no date and start.
  static func check(_ name: String?) throws {
    do { _ = try name.map { try Session.written($0) } } catch let refusal as SessionRefusal {
      throw ValidationError("\(refusal)")
    }
  }
}

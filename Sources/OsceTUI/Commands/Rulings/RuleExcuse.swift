import ArgumentParser
import CircuitModel

/// `osce rule excuse`.
struct RuleExcuse: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "excuse", abstract: "Excuse a candidate, a circuit or a session at a station: nothing is due there.")

  @OptionGroup var scope: RulingScope
  @OptionGroup var ruling: RulingOptions

  func validate() throws {
    if scope.station == nil || scope.candidate == nil && scope.circuit == nil && scope.session == nil {
      throw ValidationError("excuse takes --station, and --candidate, --circuit or --session")
    }
  }

  func run() throws { try ruling.rule(on: scope.scope) { _ in .excuse } }
}

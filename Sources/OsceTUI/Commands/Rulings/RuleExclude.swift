import ArgumentParser
import CircuitModel

/// `osce rule exclude`.
struct RuleExclude: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "exclude", abstract: "Leave a station, an item, a candidate or one mark sheet out of the results.",
    discussion: """
      With --seat, one assessor's sheet of a candidate at a station is not to be had or does not count, begun or not, \
      while the other assessor's does: --station CONSENT --candidate 1001 --seat "seat 2".
      """)

  @OptionGroup var scope: RulingScope
  @Option(name: .long, help: "One mark sheet, by its key: not to be had, or void.")
  var sheet: String?
  @Option(name: .long, help: "Whose sheet: a seat, as lead or \"seat 2\", or its assessor's username.")
  var seat: String?
  @OptionGroup var ruling: RulingOptions

  func validate() throws {
    if seat != nil && (scope.station == nil || scope.candidate == nil || scope.item != nil || sheet != nil) {
      throw ValidationError("--seat goes with --station and --candidate, and with neither --item nor --sheet")
    }
  }

  func run() throws {
    var scope = scope.scope
    scope.sheet = sheet
    guard let seat, let station = scope.station, let candidate = scope.candidate else {
      return try ruling.rule(on: scope) { _ in .exclusion }
    }
    try ruling.act { [scope] lead, transaction in
      let circuit = try Circuit.name(of: scope.circuit, at: transaction.clock.now, in: transaction.db)
      let candidate = try CandidateLabel.known(candidate, in: transaction.db)
      let places = try Rulings.plannedPlaces(
        seat, of: candidate, at: station, circuit: circuit, session: scope.session, in: transaction.db)
      return try places.map { place in
        "ruled: \(try Rulings.exclude(place, reason: ruling.reason, by: lead, transaction))\n"
      }.joined()
    }
  }
}

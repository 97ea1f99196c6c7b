import ArgumentParser
import CircuitModel

/// `osce differences`: where two markers of one candidate are too far apart.
struct DifferencesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "differences", abstract: "List where two markers of one candidate differ beyond the station's margin.",
    discussion: """
      Both sheets must be signed. For the lead: marking is blind, so keep the list from the markers while they mark.
      """)

  @Flag(name: .long, help: "List the pairs within the margin too.")
  var all = false
  @Flag(name: .long, help: "Print JSON.")
  var json = false
  @OptionGroup var options: StoreOptions

  func run() throws {
    let store = try options.openToRead()
    defer { store.close() }
    let pairs = try store.read { try DoubleMarking.differences(in: $0) }
    var list = ListPrinter(name: "differences", isJSON: json)
    for pair in pairs where all || pair.isBeyond {
      try list.add(pair.json, line: DifferencesCommand.line(pair))
    }
    let beyond = pairs.count(where: \.isBeyond)
    try list.finish(
      closing: pairs.isEmpty
        ? "no candidate has two signed sheets" : "\(beyond) of \(pairs.count) pairs beyond the margin")
  }

  private static func line(_ pair: DoubleMarking.Difference) -> String {
    let place = "\(pair.place.session.name) \(pair.place.circuit.name), \(pair.place.stationCode)"
    let round = pair.round.map { "round \($0), " } ?? ""
    let who = pair.candidate.map { "\($0.number) \($0.name)" } ?? "nobody"
    let apart = "\(points(pair.points)) points apart, margin \(points(pair.margin))"
    return "\(place), \(round)\(who), \(pair.form): \(score(pair.first)), \(score(pair.second)): \(apart)"
      + (pair.isBeyond ? " BEYOND" : "")
  }

  private static func score(_ score: DoubleMarking.Score) -> String {
    "\(score.assessor ?? score.seat.name) \(score.score)/\(score.maximum) = \(points(score.percent)) %"
  }

  /// With one decimal, none where it is a nought.
  private static func points(_ number: Double) -> String {
    let tenths = Int((number * 10).rounded())
    return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(abs(tenths % 10))"
  }
}

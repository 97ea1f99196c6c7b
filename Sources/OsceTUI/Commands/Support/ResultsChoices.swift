import ArgumentParser
import CircuitModel
import ExamStore
import Reports
import Standards

extension Policy.Method: ExpressibleByArgument {}
extension Policy.DoubleMarks: ExpressibleByArgument {}
extension Policy.Missing: ExpressibleByArgument {}
extension Policy.ErrorSource: ExpressibleByArgument {}
extension Policy.Blanks: ExpressibleByArgument {}
extension Policy.Sheets: ExpressibleByArgument {}

/// The choices that can be tried for one print.
struct ResultsChoices: ParsableArguments {
  @Option(name: .long, help: "How a station's cut is found.")
  var method: Policy.Method?
  @Option(name: .long, help: "The grade of a borderline candidate, at every station.")
  var borderline: Double?
  @Option(name: .long, help: "Half the width of the borderline group, in grades.")
  var borderlineBand: Double?
  @Option(name: .long, help: "How many standard errors go on top of the cut, 0 to 5.")
  var k: Double?
  @Option(name: .long, help: "How many stations have to be passed: none, a number, a percentage, predicted.")
  var minimumStations: String?
  @Option(name: .long, help: "What two assessors' scores become.")
  var doubleMarks: Policy.DoubleMarks?
  @Option(name: .long, help: "What a station without a score does.")
  var missing: Policy.Missing?
  @Option(name: .long, help: "Which standard error goes on top.")
  var sem: Policy.ErrorSource?
  @Option(name: .long, help: "What a blank item is worth.")
  var blanks: Policy.Blanks?
  @Option(name: .long, help: "Which sheets count.")
  var sheets: Policy.Sheets?
  @Option(name: .long, parsing: .upToNextOption, help: "Stations that are tried out and do not count.")
  var pilot: [String] = []
  @Option(name: .long, parsing: .upToNextOption, help: "Weights of stations, as CODE=2.")
  var weight: [String] = []
  @Option(name: .long, parsing: .upToNextOption, help: "Stations that are left out.")
  var exclude: [String] = []
  @Option(name: .long, help: "How figures are rounded before they are compared, as nearest:1.")
  var rounding: String?

  /// What was chosen.
  /// - Throws: `ValidationError` for what is out of range.
  func document() throws -> PolicyDocument {
    var document = PolicyDocument()
    document.method = method?.rawValue
    document.doubleMarks = doubleMarks?.rawValue
    document.missing = missing?.rawValue
    document.sem = sem?.rawValue
    document.blanks = blanks?.rawValue
    document.sheets = sheets?.rawValue
    document.borderline = try number(borderline, -1000...1000, "--borderline")
    document.borderlineBand = try number(borderlineBand, 0...1000, "--borderline-band")
    document.k = try number(k, 0...5, "--k")
    if let minimumStations {
      guard Policy.MinimumStations(minimumStations) != nil else {
        throw ValidationError(
          "--minimum-stations takes none, a number, a percentage such as 60%, or predicted; got \"\(minimumStations)\"")
      }
      document.minimumStations = minimumStations
    }
    if let rounding { document.rounding = try ResultsChoices.rounding(rounding) }
    var stations: [String: PolicyDocument.Station] = [:]
    for code in pilot { stations[code, default: .init()].pilot = true }
    for text in weight {
      guard let mark = text.lastIndex(of: "="), let number = Double(text[text.index(after: mark)...]),
        (0...1000).contains(number)
      else { throw ValidationError("--weight takes a station and a number from 0 to 1000, as CODE=2; got \"\(text)\"") }
      stations[String(text[..<mark]), default: .init()].weight = number
    }
    if !stations.isEmpty { document.stations = stations }
    if !exclude.isEmpty {
      document.exclude = exclude.map {
        var exclusion = PolicyDocument.Exclusion(reason: "left out by an option")
        exclusion.station = $0
        return exclusion
      }
    }
    return document
  }

  private func number(_ value: Double?, _ range: ClosedRange<Double>, _ name: String) throws -> Double? {
    guard let value else { return nil }
    if range.contains(value) { return value }
    throw ValidationError("\(name) takes a number from \(Int(range.lowerBound)) to \(Int(range.upperBound))")
  }

  private static func rounding(_ text: String) throws -> PolicyDocument.Rounding {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    var rounding = PolicyDocument.Rounding()
    rounding.mode = parts.first.map(String.init)
    rounding.decimals = parts.count > 1 ? Int(parts[1]) : 1
    guard parts.count <= 2, let mode = rounding.mode, Policy.Rounding.Mode(rawValue: mode) != nil,
      let decimals = rounding.decimals, (0...6).contains(decimals)
    else {
      throw ValidationError("--rounding takes none, nearest, up or down and decimals from 0 to 6, as nearest:1")
    }
    return rounding
  }

  /// - Throws: as `check(_:)`; `ValidationError` for a borderline grade that no sheet of a station that counts can have.
  func check(_ report: ResultsReport, of store: ExamStore) throws {
    try check(report)
    guard let borderline else { return }
    let other = try store.read { db -> (station: String, scale: ClosedRange<Double>)? in
      let places = Dictionary(grouping: try StationSession.all(in: db), by: \.stationCode)
      for station in report.results.stations where station.isCounted {
        let scale = try Rulings.grades(at: places[station.station] ?? [], in: db)
        if let scale, !scale.contains(borderline) { return (station.station, scale) }
      }
      return nil
    }
    guard let other else { return }
    let (least, most) = (ShortestNumber.text(other.scale.lowerBound), ShortestNumber.text(other.scale.upperBound))
    throw ValidationError(
      "--borderline takes a grade from \(least) to \(most), as the global rating of \(other.station) has them; "
        + "got \(ShortestNumber.text(borderline))")
  }

  /// - Throws: `StoreError` for a station that is not in the exam, or one without a cut where cuts are fixed;
  ///   `ValidationError` for more stations to pass than there are.
  func check(_ report: ResultsReport) throws {
    let codes = report.results.stations.map(\.station)
    let named = pilot + exclude + weight.map { String($0[..<($0.lastIndex(of: "=") ?? $0.endIndex)]) }
    for code in named where !codes.contains(code) {
      throw StoreError("station \"\(code)\" is not in the exam; its stations are \(codes.joined(separator: ", "))")
    }
    if let open = report.results.stations.first(where: {
      $0.isCounted && $0.cutFigures.method == .fixed && $0.cut == nil
    }) {
      throw StoreError(
        "fixed cuts need one of each station: "
          + (report.state == nil
            ? "\(report.policy.fileName) brings none; take another --method"
            : "\(open.station) has none under 'results' in exam.yaml"))
    }
    let counted =
      report.results.stationSets.map(\.stations.count).max() ?? report.results.stations.count(where: \.isCounted)
    if case .number(let number)? = minimumStations.flatMap(Policy.MinimumStations.init), number > counted {
      throw ValidationError(
        "--minimum-stations takes at most \(counted), the number of stations that count; got \(number)")
    }
  }
}

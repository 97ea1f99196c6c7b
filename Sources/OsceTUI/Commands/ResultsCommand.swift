import ArgumentParser
import CircuitModel
import Console
import ExamFiles
import ExamStore
import Glibc
import Reports
import Standards

/// `osce results`: what the marks come to.
struct ResultsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "results", abstract: "Compute scores, cuts, reliability and who passes.",
    discussion: """
      Each station's cut is found by regressing scores on global grades, unless the exam says otherwise; 'results:' in \
      exam.yaml holds the exam's choices. An option changes a choice for this print and nothing else.
      """)

  @Flag(name: .long, help: "Print JSON.")
  var json = false
  @Option(name: .long, help: "Write a table as csv, or as xlsx with --out (without --table: a sheet for each).")
  var format: ResultsFormat?
  @Option(name: .long, help: "Which table: \(ResultsTable.allCases.map(\.rawValue).joined(separator: ", ")).")
  var table: ResultsTable?
  @Option(name: .long, help: "The file to write the table to (default: standard output).")
  var out: String?
  @Option(name: .long, help: "Read the scores from a CSV file instead of a store (-: standard input).")
  var from: String?
  @OptionGroup var choices: ResultsChoices
  @OptionGroup var acting: ActingStaff
  @OptionGroup var options: StoreOptions

  func validate() throws {
    if json && (format != nil || table != nil) { throw ValidationError("--json and --format exclude each other") }
    if out != nil && !writesTable { throw ValidationError("--out needs --format csv or xlsx") }
    if format == .xlsx && out == nil { throw ValidationError("a workbook is a file: --format xlsx needs --out FILE") }
    _ = try choices.document()
  }

  private var writesTable: Bool { format != nil || table != nil }

  func run() throws {
    let document = try choices.document()
    if let from {
      let file = try ScoreFile.read(from) { try ResultsCommand.standardInput() }
      var document = document
      document.exclude =
        (document.exclude ?? [])
        + file.excluded.map {
          var exclusion = PolicyDocument.Exclusion(reason: "left out by the file")
          exclusion.candidate = $0
          return exclusion
        }
      let report = ResultsReport(file.scores, PolicyInForce(options: document))
      try choices.check(report)
      try print(report)
    } else {
      let store = try options.openToRead()
      defer { store.close() }
      try acting.permit(.reveal, store, options)
      try PartNote.say(of: store)
      let report = try store.read { try ResultsReport.read(document, in: $0, at: store.clock.now) }
      try choices.check(report, of: store)
      try print(report)
    }
  }

  private func print(_ report: ResultsReport) throws {
    if json { return try Output.standard.json(report.json) }
    guard writesTable else { return Output.standard.text(report.lines.joined(separator: "\n") + "\n") }
    let format: ExportFormat = format == .xlsx ? .xlsx : .csv
    guard let out else {
      try report.write(table ?? .candidates, as: format) { try Output.standard.data($0) }
      return
    }
    let file = try AtomicFile(out)
    let tables = table.map { [$0] } ?? (format == .xlsx ? ResultsTable.allCases : [.candidates])
    try ExportCommand.write(to: file, format, ProgressLine()) { write in
      for table in tables { try report.write(table, as: format, to: write) }
    }
  }

  /// More than this is no file of scores.
  private static let longestInput = 16 * 1_024 * 1_024

  private static func standardInput() throws -> [UInt8] {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = chunk.withUnsafeMutableBytes { Glibc.read(STDIN_FILENO, $0.baseAddress, $0.count) }
      if count < 0 && errno == EINTR { continue }
      if count < 0 { throw StoreError("cannot read standard input: \(String(cString: strerror(errno)))") }
      if count == 0 { return bytes }
      bytes += chunk[0..<count]
      if bytes.count > longestInput { throw StoreError("standard input is larger than 16 MB: no file of scores") }
    }
  }
}

/// How a table of results is written.
enum ResultsFormat: String, CaseIterable, ExpressibleByArgument {
  case csv
  case xlsx
}

extension ResultsTable: ExpressibleByArgument {}
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
      throw StoreError("fixed cuts need one of each station: \(open.station) has none under 'results' in exam.yaml")
    }
    let counted =
      report.results.stationSets.map(\.stations.count).max() ?? report.results.stations.count(where: \.isCounted)
    if case .number(let number)? = minimumStations.flatMap(Policy.MinimumStations.init), number > counted {
      throw ValidationError(
        "--minimum-stations takes at most \(counted), the number of stations that count; got \(number)")
    }
  }
}

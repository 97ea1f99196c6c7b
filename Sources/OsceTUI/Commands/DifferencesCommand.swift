import ArgumentParser
import CircuitModel
import Console
import ExamStore
import Reports

/// `osce differences`: where two assessors of one candidate are too far apart.
struct DifferencesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "differences",
    abstract: "List where two assessors of one candidate differ beyond the station's margin.",
    discussion: """
      Both sheets must be signed. Where each assessor chooses one of several sheets, candidates for whom they \
      used different ones are listed too, signed or not.
      For the lead: marking is blind, so keep the list from the assessors while they mark.
      """)

  @Flag(name: .long, help: "List the pairs within the margin too.")
  var all = false
  @Flag(name: .long, help: "Print JSON.")
  var json = false
  @OptionGroup var acting: ActingStaff
  @OptionGroup var options: StoreOptions

  func run() throws {
    let store = try options.openToRead()
    defer { store.close() }
    try acting.permit(.reveal, store, options)
    let (pairs, mismatches) = try store.read {
      (try DoubleMarking.differences(in: $0), try DoubleMarking.mismatches(in: $0))
    }
    var list = ListPrinter(name: "differences", isJSON: json)
    for pair in pairs where all || pair.isBeyond {
      try list.add(pair.json, line: DifferencesCommand.line(pair))
    }
    for mismatch in mismatches { try list.add(mismatch.json, line: DifferencesCommand.line(mismatch)) }
    try list.finish(closing: DifferencesCommand.closing(pairs, mismatches.count))
  }

  private static func closing(_ pairs: [DoubleMarking.Difference], _ mismatches: Int) -> String {
    let different = mismatches == 0 ? [] : ["\(mismatches) marked on DIFFERENT SHEETS"]
    let compared = "\(pairs.count(where: \.isBeyond)) of \(pairs.count) pairs beyond the margin"
    if pairs.isEmpty { return different.first ?? "no candidate has two signed sheets" }
    return ([compared] + different).joined(separator: ", ")
  }

  private static func line(_ mismatch: DoubleMarking.Mismatch) -> String {
    let used = [mismatch.first, mismatch.second].map { used in
      "\(used.assessor?.name ?? mismatch.place.name(of: used.seat)) used \(used.form)"
    }
    return "\(place(mismatch.place, mismatch.round, mismatch.candidate)): \(used.joined(separator: ", "))"
      + ": DIFFERENT SHEETS"
  }

  private static func place(_ place: StationSession, _ round: Int?, _ candidate: Candidate?) -> String {
    let round = round.map { "round \($0), " } ?? ""
    let who = candidate.map { "\($0.number) \($0.name)" } ?? "nobody"
    return "\(place.session.name) \(place.circuit.name), \(place.stationCode), \(round)\(who)"
  }

  private static func line(_ pair: DoubleMarking.Difference) -> String {
    let place = place(pair.place, pair.round, pair.candidate)
    let apart = "\(points(pair.points)) points apart, margin \(points(pair.margin))"
    return "\(place), \(pair.form): \(score(pair.first, pair.place)), \(score(pair.second, pair.place)): \(apart)"
      + (pair.isBeyond ? " BEYOND" : "")
  }

  private static func score(_ score: DoubleMarking.Score, _ place: StationSession) -> String {
    "\(score.assessor?.name ?? place.name(of: score.seat)) \(score.score)/\(score.maximum) = \(points(score.percent)) %"
  }

  /// With one decimal, none where it is a nought.
  private static func points(_ number: Double) -> String {
    let tenths = Int(min(max(number * 10, -1e15), 1e15).rounded())
    return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(abs(tenths % 10))"
  }
}

/// What holds a station up, sheet by sheet, as of where the session's clock stands: in a re-run by its queue.
public struct ClearanceLines: Equatable, Sendable {
  /// What should be complete by now, in the order of rounds: `round 3 30104: 2 blank, not signed`.
  public let missing: [String]
  /// Who is still to come: `re-run 2 30101`.
  public let toCome: [String]

  /// Whether nothing is missing of what should be complete by now.
  public var isClear: Bool { missing.isEmpty }
  /// Whether the station is needed no more.
  public var isDone: Bool { missing.isEmpty && toCome.isEmpty }

  private struct Sheet {
    let round: Int?
    let rerunRound: Int?
    let number: String
    let seat: Seat
    var words: [String]
    /// Whose sheet it is, where the station has more than one for a candidate.
    let marker: String?

    var place: (Bool, Int) { (rerunRound != nil, rerunRound ?? round ?? 0) }
    var title: String {
      if let rerunRound { return "re-run \(rerunRound) \(number)" }
      return round.map { "round \($0) \(number)" } ?? number
    }
  }

  /// - Parameter moment: where the clock stands.
  public init(_ clearance: StationClearance, at moment: HallMoment) {
    var sheets: [Sheet] = []
    let assessors = clearance.station.assessors
    func marker(of seat: Seat) -> String? {
      assessors.count < 2 ? nil : assessors.last { $0.seat == seat }?.name
    }
    for sheet in clearance.unsigned {
      let blank = clearance.blanks.first {
        $0.round == sheet.round && $0.number == sheet.number && $0.seat == sheet.seat
      }
      let blanks = blank.map { ["\($0.items) blank"] } ?? []
      sheets.append(
        Sheet(
          round: sheet.round, rerunRound: sheet.rerunRound, number: sheet.number, seat: sheet.seat,
          words: sheet.isStarted ? blanks + ["not signed"] : ["no sheet"], marker: marker(of: sheet.seat)))
    }
    for sheet in clearance.blanks
    where !clearance.unsigned.contains(where: { $0.number == sheet.number && $0.seat == sheet.seat }) {
      sheets.append(
        Sheet(
          round: sheet.round, rerunRound: sheet.rerunRound, number: sheet.number, seat: sheet.seat,
          words: ["signed, \(sheet.items) blank"], marker: marker(of: sheet.seat)))
    }
    sheets.sort { $0.place.0 != $1.place.0 ? !$0.place.0 : $0.place.1 < $1.place.1 }
    let due = sheets.map { Self.isDue($0, moment) }
    missing = zip(sheets, due).filter { $0.1 }.map { sheet, _ in
      "\(sheet.title)\(sheet.marker.map { " (\($0))" } ?? ""): \(sheet.words.joined(separator: ", "))"
    }
    var toCome: [String] = []
    for (sheet, isDue) in zip(sheets, due) where !isDue && toCome.last != sheet.title { toCome.append(sheet.title) }
    self.toCome = toCome
  }

  private static func isDue(_ sheet: Sheet, _ moment: HallMoment) -> Bool {
    switch moment {
    case .before: false
    case .on(let round, _): sheet.rerunRound == nil && (sheet.round ?? 0) <= round
    case .over: sheet.rerunRound == nil
    case .rerun(let round): sheet.rerunRound.map { $0 <= round } ?? true
    }
  }
}

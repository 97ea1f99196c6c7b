import CircuitModel
import ExamStore

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

  /// - Parameters:
  ///   - moment: where the clock stands.
  ///   - excuses: of whom and of what nothing is due: they hold nobody up.
  public init(_ clearance: StationClearance, at moment: SessionStage, _ excuses: Excuses) {
    let station = clearance.station
    let assessors = station.assessors
    let open = clearance.open.filter {
      !excuses.isExcused($0.number, at: station) && !excuses.isRuledOut(sheet: $0.sheet)
    }
    let sheets = open.sorted { $0.place.0 != $1.place.0 ? !$0.place.0 : $0.place.1 < $1.place.1 }
    let due = sheets.map { Self.isDue($0, moment) }
    missing = zip(sheets, due).filter { $0.1 }.map { sheet, _ in
      // Whose sheet and which form is said where a candidate has more than one here.
      let assessor = assessors.count < 2 ? nil : assessors.last { $0.seat == sheet.seat }?.name
      let which = [assessor, sheet.form].compactMap { $0 }.joined(separator: ", ")
      return "\(sheet.title)\(which.isEmpty ? "" : " (\(which))"): \(sheet.text)"
    }
    var toCome: [String] = []
    for (sheet, isDue) in zip(sheets, due) where !isDue && toCome.last != sheet.title { toCome.append(sheet.title) }
    self.toCome = toCome
  }

  private static func isDue(_ sheet: StationClearance.OpenSheet, _ moment: SessionStage) -> Bool {
    switch moment {
    case .before: false
    case .on(let round, _): sheet.rerunRound == nil && (sheet.round ?? 0) <= round
    case .over: sheet.rerunRound == nil
    case .rerun(let round): sheet.rerunRound.map { $0 <= round } ?? true
    }
  }
}

extension StationClearance.OpenSheet {
  fileprivate var place: (Bool, Int) { (rerunRound != nil, rerunRound ?? round ?? 0) }

  fileprivate var title: String {
    if let rerunRound { return "re-run \(rerunRound) \(number)" }
    return round.map { "round \($0) \(number)" } ?? number
  }

  fileprivate var text: String {
    if !isStarted { return "no sheet" }
    let blank = items > 0 ? "\(items) blank" : nil
    // Who is not signed out has the other steps before that.
    let step: SignOut.Step? = signOut.contains(.signature) ? .signature : signOut.first
    return [isSigned ? "signed" : nil, blank, isSigned ? nil : "not signed", step?.lack].compactMap { $0 }
      .joined(separator: ", ")
  }
}

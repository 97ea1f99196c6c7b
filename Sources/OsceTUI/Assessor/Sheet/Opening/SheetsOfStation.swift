import CircuitModel
import ExamStore
import Reports
import Terminal

/// The candidate's other sheets, where the station wants several of each candidate.
extension SheetScreen {
  /// Whether the candidate has more than one sheet here.
  var hasSeveralSheets: Bool { (entry?.sheets.count ?? 0) > 1 }

  /// Which of the candidate's sheets is shown, in front of its name; empty where there is one alone.
  var placeOfSheet: String {
    guard hasSeveralSheets, let sheets = entry?.sheets, let place = sheets.firstIndex(where: { $0.key == sheet?.key })
    else { return "" }
    return "sheet \(place + 1) of \(sheets.count) \(context.theme.glyphs.separator) "
  }

  /// The candidate's other sheets here that are not signed, in the order in which they come after the shown one.
  var otherOpenSheets: [SheetProgress] {
    guard let sheets = entry?.sheets, let place = sheets.firstIndex(where: { $0.key == sheet?.key }) else { return [] }
    return (sheets[(place + 1)...] + sheets[..<place]).filter { !$0.isSigned }
  }

  /// That sheets are not signed, in words.
  func text(for open: [SheetProgress]) -> String {
    "Not signed yet: " + open.map(\.name).joined(separator: ", ")
  }
}

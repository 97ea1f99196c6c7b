import CircuitModel
import ExamStore
import Reports
import Terminal

/// The part of the screen that shows the focused item in full. Below the list its height is that of the sheet's
/// longest item, as far as the list leaves room, so that it does not jump from item to item.
@MainActor
struct DetailPane {
  /// Lines of the pane.
  private(set) var height = 5
  private var width = 80
  /// The most lines that the pane has on a terminal of 24 rows.
  private static let heightOfSmallest = 9
  private var fitted: Fitted?

  private struct Fitted: Equatable {
    let sheet: String
    let sections: Int
    let size: Size
  }

  /// Fits the pane to a sheet and to the region of the screen.
  mutating func fit(_ sheet: Sheet?, to region: Rect, _ labels: LevelLabels, _ glyphs: Glyphs) {
    guard let sheet else { return }
    let now = Fitted(sheet: sheet.key, sections: sheet.sections.count, size: region.size)
    if now == fitted { return }
    fitted = now
    if region.width >= SheetLayout.besideWidth {
      (width, height) = (SheetLayout.detailWidth(region.width), SheetLayout(region, detail: 0).detail.height)
      return
    }
    width = region.width
    let longest = sheet.sections.flatMap { section in
      section.items.map {
        SheetDetail($0, in: section, of: sheet.template, labels, glyphs).lines(width: region.width).count
      }
    }
    let whole = min(max(3, longest.max() ?? 3), max(3, (region.height - 2) / 2))
    // What a taller terminal has more goes to the list first, as far as it needs that.
    let rows = sheet.items.count + sheet.sections.count + 1
    let left = SheetLayout(region, detail: 0).list.height - rows
    height = max(min(whole, DetailPane.heightOfSmallest), min(whole, left))
  }

  /// Whether lines do not fit into the pane.
  func overflows(_ lines: [SheetDetail.Line]) -> Bool { lines.count > height }

  /// Columns of the pane.
  var columns: Int { width }

  /// How many steps the arrows can go through an item: each of its levels, then what else does not fit.
  func stops(_ lines: [SheetDetail.Line], levels: Int) -> Int {
    guard overflows(lines) else { return levels }
    if levels > 0 { return levels + (lines.last?.level == nil ? 1 : 0) }
    let page = max(1, height - 1)
    return (lines.count - height + page - 1) / page
  }

  /// The lines that are in view at a step.
  static func visible(_ lines: [SheetDetail.Line], height: Int, reading stop: Int?) -> ArraySlice<SheetDetail.Line> {
    guard lines.count > height, let stop else { return lines.prefix(height) }
    let start: Int
    if let first = lines.firstIndex(where: { $0.level == stop }) {
      let last = lines.lastIndex { $0.level == stop } ?? first
      // The whole level if it fits; the last line of the pane is kept for the sign that there is more.
      start = last < height - 1 ? 0 : max(0, min(first, last - height + 2))
    } else if levels(lines) > 0 {
      start = lines.count - height + 1
    } else {
      start = min((stop + 1) * max(1, height - 1), lines.count - height + 1)
    }
    return lines[start..<min(lines.count, start + height)]
  }

  private static func levels(_ lines: [SheetDetail.Line]) -> Int { (lines.compactMap(\.level).max() ?? -1) + 1 }
}

extension SheetScreen {
  /// The focused item in full; nil where a heading or the end has the focus.
  func detailLines(width: Int) -> [SheetDetail.Line]? {
    guard let sheet, let item = focusedItem, let section = rows.section(in: sheet) else { return nil }
    return SheetDetail(item, in: section, of: sheet.template, labels, reading: readLevel, context.theme.glyphs)
      .lines(width: width, notices: notices(on: item))
  }

  /// What must be read first: a change that was refused, values that contradict each other.
  private func notices(on item: SheetItem) -> [String] {
    typealias Field = Stored.RatingQuestion.Field
    var notices = failed[item.key].map { ["NOT SAVED: \($0). Then press the key again."] } ?? []
    let contradictions = places.contradictions(of: item)
    // The descriptor goes with its level.
    let isOfRating = contradictions.contains { $0.field == Field.rating.rawValue }
    for contradiction in contradictions where !(isOfRating && contradiction.field == Field.descriptor.rawValue) {
      let values = contradiction.values.map { claim in
        let value = claim.text.isEmpty ? "blank" : claim.text
        return "\(value) (\(claim.staff ?? "nobody named"), \(LocalTime.reading(of: claim.at).time))"
      }
      let field = contradiction.field == Field.rating.rawValue ? "" : ", \(contradiction.field)"
      notices.append("CONFLICT\(field): \(values.joined(separator: " or ")). The exam lead decides.")
    }
    if places.isRefused(item) { notices.append("REFUSED: the hub rejected a change to this item.") }
    return notices
  }

  /// The level of an item that is being read; nil where none is.
  func levelRead(of item: SheetItem) -> Level? {
    guard let readLevel, item.template.levels.indices.contains(readLevel) else { return nil }
    return item.template.levels[readLevel]
  }

  /// What Enter does beside reading on, in a word; empty for an item whose Enter writes.
  var enterWord: SafeText {
    guard let item = focusedItem, !item.template.kind.isWritten else { return "" }
    if levelRead(of: item) != nil { return "Enter marks" }
    return item.template.kind.recordsWork ? "" : "Enter all"
  }
}

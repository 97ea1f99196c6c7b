import CircuitModel
import ExamStore
import Reports
import Terminal

/// The rows of a sheet as they are listed: section headings, items that are not folded away, and the end.
struct SheetRows {
  /// What a row stands for, by keys that survive a reload.
  enum Row: Equatable {
    case section(String)
    case item(String, section: String)
    case end

    fileprivate var isItem: Bool { if case .item = self { true } else { false } }
  }

  private(set) var rows: [Row] = []
  var selection = Selection()
  private var numbers: [String: Int] = [:]

  /// Lists a sheet again and stays on the row that has the focus.
  mutating func rebuild(_ sheet: Sheet?, folded: Set<String>) {
    let focused = selection.focused(of: rows)
    rows = []
    numbers = [:]
    for section in sheet?.sections ?? [] {
      rows.append(.section(section.key))
      for item in section.items {
        numbers[item.key] = numbers.count + 1
        if !folded.contains(section.key) { rows.append(.item(item.key, section: section.key)) }
      }
    }
    if sheet != nil { rows.append(.end) }
    selection.count = rows.count
    if let focused, let index = rows.firstIndex(of: focused) { selection.index = index }
  }

  /// An item's number in the sheet, from 1.
  func number(of item: SheetItem) -> Int? { numbers[item.key] }

  /// The key of the item that has the focus.
  var focusedItem: String? {
    guard case .item(let key, _)? = selection.focused(of: rows) else { return nil }
    return key
  }

  /// The section that has the focus or holds the item that has.
  func section(in sheet: Sheet?) -> SheetSection? {
    switch selection.focused(of: rows) {
    case .section(let key), .item(_, section: let key): return sheet?.sections.first { $0.key == key }
    case .end, nil: return nil
    }
  }

  /// To the next item, past headings; after the last, to the end of the sheet, and there it stays.
  mutating func step() {
    var index = selection.index + 1
    while index < rows.count - 1, case .section = rows[index] { index += 1 }
    selection.index = min(index, rows.count - 1)
  }

  mutating func focus(item key: String) {
    if let index = rows.firstIndex(where: { if case .item(key, _) = $0 { true } else { false } }) {
      selection.index = index
    }
  }

  mutating func focus(section key: String) {
    if let index = rows.firstIndex(of: .section(key)) { selection.index = index }
  }

  /// To the first item that is not folded away.
  mutating func focusFirstItem() { selection.index = rows.firstIndex(where: \.isItem) ?? 0 }

  /// To the last item that is not folded away.
  mutating func focusLastItem() { selection.index = rows.lastIndex(where: \.isItem) ?? rows.count - 1 }

  mutating func focusEnd() { selection.index = rows.count - 1 }

  /// To the next or the previous heading.
  mutating func jumpSection(_ step: Int) {
    var index = selection.index + step
    while rows.indices.contains(index) {
      if case .section = rows[index] { return selection.index = index }
      index += step
    }
    if step > 0 { focusEnd() }
  }
}

import CircuitModel
import Terminal

/// An item in full, in lines: its text, what helps to judge it, and each level with key, value and words.
@MainActor
struct SheetDetail {
  /// One line.
  struct Line: Equatable {
    let text: SafeText
    let role: Role
    /// The level that the line belongs to, by its place.
    let level: Int?
  }

  private let item: SheetItem
  private let section: SheetSection
  private let keys: LevelKeys
  private let glyphs: Glyphs

  init(_ item: SheetItem, in section: SheetSection, _ glyphs: Glyphs) {
    self.item = item
    self.section = section
    self.glyphs = glyphs
    keys = LevelKeys(section.template.items)
  }

  /// The lines in a width.
  func lines(width: Int) -> [Line] {
    var lines = wrap(item.template.text, to: width, .heading)
    if let information = item.template.information { lines += wrap(information, to: width, .muted) }
    if item.template.kind.isWritten {
      let text = item.feedback.isEmpty ? "Enter writes; Esc keeps what is written" : item.feedback
      return lines + wrap(text, to: width, item.feedback.isEmpty ? .muted : .normal)
    }
    if hasWords {
      for index in item.template.levels.indices { lines += level(index, width: width) }
    } else {
      lines += wrap(scale, to: width, .normal)
    }
    if item.template.suggestsPositive && item.isBlank {
      lines += wrap(
        "Suggested: \(item.template.levels.last?.text ?? ""). A blank until a key confirms it.", to: width, .muted)
    }
    if item.template.allowsUnable {
      let sign: SafeText = item.isUnable ? glyphs.chosen : " "
      lines.append(Line(text: sign + "u  unable to assess: leaves score and maximum", role: .muted, level: nil))
    }
    if !item.feedback.isEmpty { lines += wrap("Feedback: \(item.feedback)", to: width, .muted) }
    return lines
  }

  private var hasWords: Bool {
    !section.template.matrixTitles.isEmpty || item.template.levels.contains { !$0.text.isEmpty }
  }

  /// A scale of bare numbers in one line.
  private var scale: String {
    let values = item.template.levels.map(\.value)
    guard let low = values.first, let high = values.last else { return "no levels" }
    if LevelKeys.isTyped(item.template) { return "\(low) to \(high): press =, type the number, Enter" }
    let isPlain = item.template.levels.indices.allSatisfy { keyText($0) == values[$0].description }
    if isPlain { return "\(low) to \(high): the key is the mark" }
    let marks = item.template.levels.indices.map { "\(keyText($0)) = \(values[$0])" }
    return "key = mark: " + marks.joined(separator: ", ")
  }

  private func keyText(_ index: Int) -> String { keys.key(of: index, in: item.template).map { String($0) } ?? "=" }

  private func level(_ index: Int, width: Int) -> [Line] {
    let level = item.template.levels[index]
    let titles = item.template.kind == .markingMatrix ? section.template.matrixTitles : []
    let key = keyText(index)
    let value = key == level.value.description ? "" : "(\(level.value)) "
    let words = [titles.indices.contains(index) ? titles[index] : "", level.text].filter { !$0.isEmpty }
    let sign: SafeText = item.rating == level.value ? glyphs.chosen : " "
    let head = sign + SafeText("\(key)  \(value)")
    let role: Role = item.rating == level.value ? .chosen : .normal
    return SafeText.wrap(words.joined(separator: ": "), to: max(1, width - head.width)).enumerated().map {
      place, text in
      Line(text: (place == 0 ? head : .spaces(head.width)) + text, role: role, level: index)
    }
  }

  private func wrap(_ text: String, to width: Int, _ role: Role) -> [Line] {
    SafeText.wrap(text, to: width).map { Line(text: $0, role: role, level: nil) }
  }
}

/// The part of the screen that shows the focused item in full. Its height is that of the sheet's longest item, as far
/// as the list leaves room, so that it does not jump from item to item.
@MainActor
struct DetailPane {
  /// Lines of the pane.
  private(set) var height = 5
  /// Whether the focused item has more lines than the pane.
  private(set) var overflows = false
  private var fitted: Fitted?

  private struct Fitted: Equatable {
    let sheet: String
    let sections: Int
    let size: Size
  }

  /// Fits the pane to a sheet and to the region of the screen.
  mutating func fit(_ sheet: Sheet?, focused: SheetItem?, to region: Rect, _ glyphs: Glyphs) {
    guard let sheet else { return }
    let now = Fitted(sheet: sheet.key, sections: sheet.sections.count, size: region.size)
    if now != fitted {
      fitted = now
      let longest = sheet.sections.flatMap { section in
        section.items.map { SheetDetail($0, in: section, glyphs).lines(width: region.width).count }
      }
      height = min(max(3, longest.max() ?? 3), max(3, (region.height - 2) / 2))
    }
    overflows = false
    guard let focused, let section = sheet.sections.first(where: { $0.items.contains { $0.key == focused.key } }) else {
      return
    }
    overflows = SheetDetail(focused, in: section, glyphs).lines(width: region.width).count > height
  }

  /// The lines that are in view while a level is being read.
  static func visible(_ lines: [SheetDetail.Line], height: Int, reading level: Int?) -> ArraySlice<SheetDetail.Line> {
    guard lines.count > height, let level, let first = lines.firstIndex(where: { $0.level == level }) else {
      return lines.prefix(height)
    }
    let last = lines.lastIndex { $0.level == level } ?? first
    // The whole level if it fits; the last line of the pane is kept for the sign that there is more.
    let top = max(0, min(first, last - height + 2))
    let start = last < height - 1 ? 0 : top
    return lines[start..<min(lines.count, start + height)]
  }
}

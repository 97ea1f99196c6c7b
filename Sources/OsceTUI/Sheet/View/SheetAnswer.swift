import CircuitModel
import ExamStore
import Reports
import Terminal

/// What stands at the right of an item: its levels, each with its key printed on it, the chosen one in brackets, and
/// before them a word on the answer. The levels stand in the same columns whatever was given.
@MainActor
struct SheetAnswer {
  typealias Run = (SafeText, Style)

  /// The answer in a word.
  let word: Run
  /// Whether the word gives way to the item's text.
  let isWordOptional: Bool
  /// The levels.
  private(set) var levels: [Run] = []

  var width: Int { levels.reduce(0) { $0 + $1.0.width } }

  private let item: SheetItem
  private let theme: Theme
  private let keys: LevelKeys
  private let isShown: Bool

  /// - Parameters:
  ///   - room: columns for all levels.
  ///   - columns: the section's columns, where there are any.
  ///   - word: what is to be said of the answer.
  init(
    _ item: SheetItem, keys: LevelKeys, sign: MarkSign, columns: LevelColumns.Fitted?, unableWidth: Int, room: Int,
    word: SheetAnswerWord, _ theme: Theme
  ) {
    self.item = item
    self.theme = theme
    self.keys = keys
    // Until the change is on the disk the mark is not shown.
    isShown = sign != .saving
    self.word = (word.text, theme[word.role])
    isWordOptional = word.isOptional
    levels = written(most: room) ?? inColumns(columns, unableWidth) ?? compact(room, unableWidth)
  }

  private func written(most: Int) -> [Run]? {
    guard item.template.kind.isWritten else { return nil }
    let first = MarkText.answer(of: item).split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
    return [
      (
        first.isEmpty ? "Enter writes " : SafeText(first).truncated(to: max(8, most - 1)) + " ",
        theme[first.isEmpty ? .muted : .chosen]
      )
    ]
  }

  private func inColumns(_ columns: LevelColumns.Fitted?, _ unableWidth: Int) -> [Run]? {
    guard let columns else { return nil }
    var runs: [Run] = item.template.levels.indices.flatMap { cell($0, width: columns.cell) }
    let missing = columns.count - item.template.levels.count
    if missing > 0 { runs.append((.spaces(missing * columns.cell), theme[.normal])) }
    return runs + unable(unableWidth)
  }

  /// Right-aligned, three columns a level, with the value beside each key that is not the value. Where these have no
  /// room, the first and the last level say what the keys mean, and the chosen one stands between them.
  private func compact(_ room: Int, _ unableWidth: Int) -> [Run] {
    if LevelKeys.isTyped(item.template) {
      let value = isShown ? item.rating.map { "[\($0)]" } : nil
      let text = "\(value ?? " =__ ") of \(item.template.maximum?.description ?? "") "
      return [(SafeText(text), theme[value == nil ? .normal : .chosen])] + unable(unableWidth)
    }
    let wide = item.template.levels.indices.flatMap { cell($0, width: nil) } + unable(unableWidth)
    if wide.reduce(0, { $0 + $1.0.width }) <= room { return wide }
    return ends + unable(unableWidth)
  }

  private var ends: [Run] {
    let inner = item.template.levels.indices.dropFirst().dropLast()
    guard let first = item.template.levels.indices.first, let last = item.template.levels.indices.last else {
      return []
    }
    let room = inner.map { LevelColumns.label($0, of: item.template, keys).width + 2 }.max() ?? 0
    let middle = inner.first { isChosen($0) }.map { cell($0, width: room) }
    return cell(first, width: nil) + [dots(2)] + (middle ?? [dots(room)]) + [dots(2)] + cell(last, width: nil)
  }

  private func dots(_ count: Int) -> Run { (SafeText(String(repeating: ".", count: count)), theme[.muted]) }

  private func isChosen(_ place: Int) -> Bool {
    isShown && item.rating != nil && item.template.levels[place] == item.level
  }

  private func cell(_ place: Int, width: Int?) -> [Run] {
    let level = item.template.levels[place]
    let label = LevelColumns.label(place, of: item.template, keys)
    let isChosen = isChosen(place)
    let isSuggested = item.isBlank && item.template.suggestsPositive && level.value == item.template.maximum
    let text: SafeText = isChosen ? "[" + label + "]" : isSuggested ? "(" + label + ")" : " " + label + " "
    let run: Run = (text, theme[isChosen ? .chosen : .normal])
    guard let width, width > text.width else { return [run] }
    let before = (width - text.width) / 2
    return [(.spaces(before), theme[.normal]), run, (.spaces(width - text.width - before), theme[.normal])]
  }

  private func unable(_ width: Int) -> [Run] {
    guard width > 0 else { return [] }
    guard item.template.allowsUnable else { return [(.spaces(width), theme[.normal])] }
    let isChosen = isShown && item.isUnable
    let before = (width - 3) / 2
    return [
      (.spaces(before), theme[.normal]), (isChosen ? "[u]" : " u ", theme[isChosen ? .chosen : .muted]),
      (.spaces(width - 3 - before), theme[.normal]),
    ]
  }
}

/// A word on an item's answer: what became of it, how it stands to the thresholds, or the text of its level.
struct SheetAnswerWord {
  var text: SafeText = ""
  var role: Role = .normal
  /// Whether it gives way to the item's text.
  var isOptional = false

  init(of item: SheetItem, in template: SheetTemplate, sign: MarkSign, contradictions: Int, hasTitles: Bool) {
    switch sign {
    case .saving: (text, role) = ("saving", .muted)
    case .failed: (text, role) = ("NOT SAVED", .error)
    case .attention: (text, role) = (contradictions > 1 ? "\(contradictions) values" : "refused by the hub", .error)
    case .optional, .blank, .disk, .hub:
      if item.isUnable {
        (text, isOptional) = ("unable", true)
      } else if let word = ThresholdWord.of(item, in: template) {
        (text, role) = (SafeText(word.rawValue), word == .satisfactory ? .normal : .warning)
      } else if !hasTitles, let level = item.level, level.text.count <= 16 {
        (text, isOptional) = (SafeText(level.text), true)
      }
    }
  }
}

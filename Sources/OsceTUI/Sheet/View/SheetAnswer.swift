import CircuitModel
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
    var runs: [Run] = item.template.levels.indices.flatMap { cell($0, withValue: true, width: columns.cell) }
    let missing = columns.count - item.template.levels.count
    if missing > 0 { runs.append((.spaces(missing * columns.cell), theme[.normal])) }
    return runs + unable(unableWidth)
  }

  /// Right-aligned, three columns a level; a value beside each key where there is room for it.
  private func compact(_ room: Int, _ unableWidth: Int) -> [Run] {
    if LevelKeys.isTyped(item.template) {
      let value = isShown ? item.rating.map { "[\($0)]" } : nil
      let text = "\(value ?? " =__ ") of \(item.template.maximum?.description ?? "") "
      return [(SafeText(text), theme[value == nil ? .normal : .chosen])] + unable(unableWidth)
    }
    let wide = item.template.levels.indices.flatMap { cell($0, withValue: true, width: nil) } + unable(unableWidth)
    if wide.reduce(0, { $0 + $1.0.width }) <= room { return wide }
    return item.template.levels.indices.flatMap { cell($0, withValue: false, width: nil) } + unable(unableWidth)
  }

  private func cell(_ place: Int, withValue: Bool, width: Int?) -> [Run] {
    let level = item.template.levels[place]
    let label = LevelColumns.label(place, of: item.template, keys, withValue: withValue)
    let isChosen = isShown && item.rating != nil && level == item.level
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

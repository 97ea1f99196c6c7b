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
  /// The levels.
  private(set) var levels: [Run] = []

  var width: Int { levels.reduce(0) { $0 + $1.0.width } }

  private let item: SheetItem
  private let theme: Theme
  private let labels: LevelLabels
  private let reading: Int?
  private let isShown: Bool

  /// - Parameters:
  ///   - room: columns for all levels.
  ///   - mostLevels: the most levels that stand one by one.
  ///   - columns: the sheet's columns, where the item's levels stand in them.
  ///   - reading: the level that is being read with the arrows, by its place.
  ///   - word: what is to be said of the answer.
  init(
    _ item: SheetItem, labels: LevelLabels, sign: MarkStatus, columns: LevelColumns.Fitted?, unableWidth: Int,
    room: Int,
    mostLevels: Int = LevelColumns.mostLevels, reading: Int? = nil, word: SheetAnswerWord, _ theme: Theme
  ) {
    self.item = item
    self.theme = theme
    self.labels = labels
    self.reading = reading
    // Until the change is on the disk the mark is not shown.
    isShown = sign != .saving
    self.word = (word.text, theme[word.role])
    levels = written(most: room) ?? inColumns(columns, unableWidth) ?? compact(room, unableWidth, most: mostLevels)
  }

  private func written(most: Int) -> [Run]? {
    if !item.template.kind.isKnown { return [("kind not known here ", theme[.warning])] }
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
    let levels = item.template.levels.indices.compactMap { place in
      columns.columns[item.template.levels[place].value].map { (place, $0) }
    }.sorted { $0.1.x < $1.1.x }
    var runs: [Run] = []
    var end = 0
    for (place, column) in levels {
      if column.x > end { runs.append((.spaces(column.x - end), theme[.normal])) }
      runs += cell(place, width: column.width, isShort: columns.isShort)
      end = column.x + column.width
    }
    if columns.width > end { runs.append((.spaces(columns.width - end), theme[.normal])) }
    return runs + unable(unableWidth)
  }

  /// Right-aligned: every level as it is printed, else its key alone, else the keys in few words with the value that
  /// was given.
  private func compact(_ room: Int, _ unableWidth: Int, most: Int) -> [Run] {
    if item.template.levels.count <= most {
      for isShort in [false, true] {
        let runs = item.template.levels.indices.flatMap { cell($0, width: nil, isShort: isShort) } + unable(unableWidth)
        if runs.reduce(0, { $0 + $1.0.width }) <= room { return runs }
      }
    }
    let given = isShown ? item.rating.map { SafeText("[\($0)]") } : nil
    let keys = labels.shortKeys(of: item.template)
    let blank = SafeText(keys.isEmpty ? "" : keys + " ") + labels.value + "__ "
    let most = SafeText("of \(item.template.maximum?.description ?? "") ")
    let text: SafeText = " " + (given.map { $0 + " " } ?? blank) + most
    return [(text, theme[given == nil ? .normal : .chosen])] + unable(unableWidth)
  }

  private func isChosen(_ place: Int) -> Bool {
    isShown && item.rating != nil && item.template.levels[place] == item.level
  }

  private func cell(_ place: Int, width: Int?, isShort: Bool) -> [Run] {
    let level = item.template.levels[place]
    let label = isShort ? labels.shortLabel(of: place, in: item.template) : labels.label(of: place, in: item.template)
    let isChosen = isChosen(place)
    let isSuggested = item.isBlank && item.template.suggestsPositive && level.value == item.template.maximum
    let text: SafeText = isChosen ? "[" + label + "]" : isSuggested ? "(" + label + ")" : " " + label + " "
    let run: Run = (text, theme[place == reading ? .focus : isChosen ? .chosen : .normal])
    guard let width, width > text.width else { return [run] }
    let before = (width - text.width) / 2
    return [(.spaces(before), theme[.normal]), run, (.spaces(width - text.width - before), theme[.normal])]
  }

  private func unable(_ width: Int) -> [Run] {
    guard width > 0 else { return [] }
    guard item.template.allowsUnable else { return [(.spaces(width), theme[.normal])] }
    let isChosen = isShown && item.isUnable
    let text = labels.unable(isGiven: isChosen)
    let before = (width - text.width) / 2
    return [
      (.spaces(before), theme[.normal]), (text, theme[isChosen ? .chosen : .muted]),
      (.spaces(width - text.width - before), theme[.normal]),
    ]
  }
}

/// A word on an item's answer: what became of it, or how it stands to the thresholds.
struct SheetAnswerWord {
  var text: SafeText = ""
  var role: Role = .normal

  init(of item: SheetItem, in template: SheetTemplate, sign: MarkStatus, contradictions: Int) {
    switch sign {
    case .saving: (text, role) = ("saving", .muted)
    case .failed: (text, role) = ("NOT SAVED", .error)
    case .attention: (text, role) = (contradictions > 1 ? "\(contradictions) values" : "refused by the hub", .error)
    case .optional, .blank, .disk, .hub:
      if let word = ThresholdWord.of(item, in: template) {
        (text, role) = (SafeText(word.rawValue), word == .satisfactory ? .normal : .warning)
      }
    }
  }
}

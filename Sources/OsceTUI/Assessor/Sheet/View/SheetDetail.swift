import CircuitModel
import ExamStore
import Reports
import Terminal

/// An item in full, in lines: what needs looking at, its text, what helps to judge it, each level with key, value and
/// words, and what else was recorded on it.
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
  private let template: SheetTemplate
  private let labels: LevelLabels
  private let reading: Int?
  private let glyphs: Glyphs

  /// - Parameter reading: the level that is being read with the arrows, by its place.
  init(
    _ item: SheetItem, in section: SheetSection, of template: SheetTemplate, _ labels: LevelLabels,
    reading: Int? = nil, _ glyphs: Glyphs
  ) {
    self.item = item
    self.section = section
    self.template = template
    self.glyphs = glyphs
    self.labels = labels
    self.reading = reading
  }

  /// The lines in a width.
  /// - Parameter notices: what must be read first.
  func lines(width: Int, notices: [String] = []) -> [Line] {
    var lines = notices.flatMap { wrap($0, to: width, .error) }
    lines += wrap(item.template.text, to: width, .heading)
    if let information = item.template.information { lines += wrap(information, to: width, .muted) }
    if !item.template.kind.isKnown { return lines + unknown(width) }
    if item.template.kind.isWritten { return lines + written(width) }
    lines += levels(width)
    if item.template.suggestsPositive && item.isBlank {
      lines += wrap(
        "Suggested: \(item.template.levels.last?.text ?? ""). A blank until a key confirms it.", to: width, .muted)
    }
    if item.template.allowsUnable {
      let text = item.isUnable ? " unable to assess: leaves score and maximum" : " unable to assess"
      lines += wrap(labels.unable(isGiven: item.isUnable).plain + text, to: width, item.isUnable ? .chosen : .muted)
    }
    return lines + recorded(width)
  }

  // MARK: Levels

  private func levels(_ width: Int) -> [Line] {
    if hasText { return item.template.levels.indices.flatMap { level($0, width: width) } }
    // Read numbers take the place of the scale, so that nothing below moves.
    let read = reading.flatMap { place in
      item.template.levels.indices.contains(place)
        ? wrap(" " + labels.label(of: place, in: item.template).plain + "  Enter marks it", to: width, .normal, place)
        : nil
    }
    return (read ?? wrap(scale, to: width, .normal)) + wrap(thresholds, to: width, .muted)
  }

  private var hasText: Bool {
    !section.template.matrixTitles.isEmpty || item.template.levels.contains { !$0.text.isEmpty }
  }

  /// A scale of bare numbers in one line.
  private var scale: String {
    let values = item.template.levels.map(\.value)
    guard let low = values.first, let high = values.last else { return "no levels" }
    let indices = item.template.levels.indices
    var parts: [String] = []
    if indices.contains(where: { labels.label(of: $0, in: item.template).plain == values[$0].description }) {
      parts.append("the key is the mark")
    }
    for index in indices {
      guard let key = labels.key(of: index, in: item.template)?.plain, key != values[index].description else {
        continue
      }
      parts.append("\(key) = \(values[index])")
    }
    let typed = indices.filter { labels.key(of: $0, in: item.template) == nil }.map { values[$0].description }
    if !typed.isEmpty {
      parts.append("\(labels.value) types \(typed.count > 4 ? "the others" : typed.joined(separator: ", "))")
    }
    return "\(low) to \(high): \(parts.joined(separator: ", "))"
  }

  /// From which number on a bare scale is what, in words.
  private var thresholds: String {
    let words = item.template.levels.map { ThresholdWord.of($0.value, of: item.template, in: template) }
    var parts: [String] = []
    for word in [ThresholdWord.satisfactory, .borderline] {
      if let first = words.firstIndex(of: word) {
        parts.append("\(word.rawValue) from \(item.template.levels[first].value)")
      }
    }
    return parts.joined(separator: ", ")
  }

  /// Columns for the keys, so that the words begin in one.
  private var headWidth: Int {
    3 + (item.template.levels.indices.map { labels.label(of: $0, in: item.template).width }.max() ?? 0)
  }

  private func level(_ index: Int, width: Int) -> [Line] {
    let level = item.template.levels[index]
    let titles = item.template.kind.hasDescriptors ? section.template.matrixTitles : []
    let label = labels.label(of: index, in: item.template)
    let isChosen = item.rating != nil && item.level == level
    let word = ThresholdWord.of(level.value, of: item.template, in: template).map { "(\($0.rawValue))" } ?? ""
    let title = titles.indices.contains(index) ? titles[index] : ""
    let parts = [[title, level.text].filter { !$0.isEmpty }.joined(separator: ": "), word].filter { !$0.isEmpty }
    let head = (isChosen ? "[" + label + "] " : " " + label + "  ").padded(to: headWidth)
    let role: Role = isChosen ? .chosen : .normal
    return SafeText.wrap(parts.joined(separator: " "), to: max(1, width - head.width)).enumerated().map {
      place, text in
      Line(text: (place == 0 ? head : .spaces(head.width)) + text, role: role, level: index)
    }
  }

  // MARK: What else was recorded

  private func written(_ width: Int) -> [Line] {
    if item.template.kind.recordsWork {
      if item.isBlank { return wrap("Enter opens the form: what, how often, how difficult, note", to: width, .muted) }
      return wrap(item.feedback, to: width, .normal) + work(width) + tags(width)
    }
    let text = item.feedback.isEmpty ? "Enter writes; Esc keeps what is written" : item.feedback
    return wrap(text, to: width, item.feedback.isEmpty ? .muted : .normal) + tags(width)
  }

  /// An item of a kind that this version does not know: why it cannot be marked, and what it holds as it is stored.
  private func unknown(_ width: Int) -> [Line] {
    let obstacle = item.template.obstacle ?? ""
    let value = item.rating.map { "Stored value: \($0)" } ?? (item.isUnable ? "Stored: unable to assess" : "")
    let text = item.feedback.isEmpty ? "" : "Stored text: \(item.feedback)"
    return wrap(obstacle, to: width, .warning) + wrap(value, to: width, .normal) + wrap(text, to: width, .normal)
      + work(width) + tags(width)
  }

  private func recorded(_ width: Int) -> [Line] {
    var lines: [Line] = []
    if item.template.kind == .procedure {
      lines += work(width)
      if item.feedback.isEmpty, item.work == WorkFacts() {
        lines += wrap("Enter opens the form: what, how often, how difficult, note", to: width, .muted)
      }
    }
    let label = item.template.kind == .procedure ? "Particular" : "Feedback"
    if !item.feedback.isEmpty { lines += wrap("\(label): \(item.feedback)", to: width, .muted) }
    return lines + tags(width)
  }

  private func work(_ width: Int) -> [Line] {
    let facts = MarkText.work(of: item).joined(separator: ", ")
    return wrap(facts, to: width, .normal)
      + wrap(item.work.note.isEmpty ? "" : "Note: \(item.work.note)", to: width, .muted)
  }

  private func tags(_ width: Int) -> [Line] {
    var parts = item.tags.map { "#\($0)" }
    if item.isRecommended { parts.append("recommended") }
    if item.isCompletedCase { parts.append("completes the case") }
    return wrap(parts.joined(separator: " \(glyphs.separator) "), to: width, .muted)
  }

  private func wrap(_ text: String, to width: Int, _ role: Role, _ level: Int? = nil) -> [Line] {
    text.isEmpty ? [] : SafeText.wrap(text, to: width).map { Line(text: $0, role: role, level: level) }
  }
}

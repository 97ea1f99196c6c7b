import Terminal

/// A text that is being written, kept on the disk while it is.
@MainActor
final class Editor {
  /// A text that can be put in: a phrase, or a line noted before.
  struct Offer: Equatable {
    /// Where it comes from, in a word or two.
    let source: String
    let text: String
  }

  var area: TextArea
  /// Who will read the text.
  let readers: SafeText
  private var saved: String
  private let offers: [Offer]
  /// The list of offers, while one is chosen.
  private var picker: List?
  private let save: @MainActor (String) -> Void

  /// - Parameters:
  ///   - readers: who will read the text: said while nothing else is.
  ///   - kept: the text as it is on the disk; nil where that is `text`.
  ///   - offers: texts that Ctrl-P puts in.
  init(
    target: SafeText, readers: SafeText, text: String, saved kept: String? = nil, offers: [Offer] = [],
    save: @escaping @MainActor (String) -> Void
  ) {
    area = TextArea(target: target, text: text)
    self.readers = readers
    saved = kept ?? text
    self.offers = offers
    self.save = save
  }

  /// Saves what was typed since the last time.
  func commit() {
    guard area.text != saved else { return }
    saved = area.text
    save(saved)
  }

  /// What the keys do.
  var footer: SafeText {
    if picker != nil { return "Enter insert  Esc back to text" }
    return offers.isEmpty ? "Esc save and close" : "Esc save and close  Ctrl-P phrases and notes"
  }

  func update(_ key: Key) -> TextArea.Outcome {
    guard var list = picker else {
      guard case .action(.offers) = TextKeys.area.dispatch(key) else { return area.update(key) }
      if offers.isEmpty { return .refused("there are no phrases for this text") }
      picker = List(offers.map { List.Row(SafeText($0.source).padded(to: 16) + " " + SafeText($0.text)) })
      return .moved
    }
    switch key {
    case .escape: picker = nil
    case .enter:
      picker = nil
      return put(offers[list.selection.index].text)
    default:
      _ = list.update(key)
      picker = list
    }
    return .moved
  }

  /// Puts a text in as a word of its own.
  private func put(_ text: String) -> TextArea.Outcome {
    let before = area.text.prefix(area.cursor).last
    let space = before.map { $0.isWhitespace ? "" : " " } ?? ""
    return area.paste(space + text)
  }

  func draw(on canvas: inout Canvas, in region: Rect, theme: Theme) {
    guard var list = picker else { return area.draw(on: &canvas, in: region, theme: theme) }
    canvas.draw(area.target, in: region.row(0), style: theme[.heading])
    list.selection.page = max(1, region.height - 2)
    list.draw(on: &canvas, in: region.rows(2, region.height), theme: theme)
  }
}

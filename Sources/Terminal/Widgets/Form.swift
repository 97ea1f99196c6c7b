/// A few fields under each other, filled in order: Enter or Tab goes on, Enter on the last field and Esc finish.
public struct Form: Equatable, Sendable {
  /// What a field takes.
  public enum Kind: Equatable, Sendable {
    /// A line of at most so many characters.
    case line(Int)
    /// A whole number up to the end of the range; the range begins at 0 or 1. Other characters are refused.
    case number(ClosedRange<Int>)
  }

  /// A field.
  public struct Field: Equatable, Sendable {
    /// What stands before it.
    public let label: SafeText
    /// What it takes.
    public let kind: Kind
    fileprivate var input: TextField

    /// - Parameter hint: shown while it is empty.
    public init(_ label: SafeText, _ kind: Kind, text: String = "", hint: SafeText) {
      self.label = label
      self.kind = kind
      let limit = if case .line(let limit) = kind { limit } else { 9 }
      input = TextField(text: text, placeholder: hint, limit: limit)
    }

    /// What was typed.
    public var text: String { input.text }

    /// Why the field cannot hold what it holds; nil if it can.
    fileprivate var problem: String? {
      guard case .number(let range) = kind, !text.isEmpty else { return nil }
      return Int(text).map { range.contains($0) } == true
        ? nil : "a number from \(range.lowerBound) to \(range.upperBound)"
    }
  }

  /// What a key did.
  public enum Outcome: Equatable, Sendable {
    /// The text has changed.
    case edited
    /// Another place or field has the focus.
    case moved
    /// The form is to be closed. What was typed is kept.
    case finished
    /// Not done, for this reason.
    case refused(String)
    /// The key means nothing here.
    case ignored
  }

  /// Whom or what the form is about: shown in its first line.
  public let target: SafeText
  /// The fields in order.
  public private(set) var fields: [Field]
  /// The place of the field that has the focus.
  public private(set) var focus = 0

  /// A form with the focus on its first field. It has one field or more.
  public init(target: SafeText, _ fields: [Field]) {
    precondition(!fields.isEmpty, "a form has a field")
    self.target = target
    self.fields = fields
  }

  /// What was typed, field by field.
  public var texts: [String] { fields.map(\.text) }

  /// Gives a field the focus.
  public mutating func focus(on field: Int) { focus = min(max(0, field), fields.count - 1) }

  /// Types, edits, or goes to another field.
  public mutating func update(_ key: Key) -> Outcome {
    switch TextKeys.inForm(key) {
    case .finish: return .finished
    case .nextField where key == .enter && focus == fields.count - 1: return .finished
    case .nextField: return move(1)
    case .previousField: return move(-1)
    default: return edit { $0.update(key) }
    }
  }

  /// Inserts pasted text; a number takes it only if it is one.
  public mutating func paste(_ text: String) -> Outcome {
    edit {
      $0.paste(text)
      return true
    }
  }

  private mutating func move(_ step: Int) -> Outcome {
    let next = focus + step
    guard fields.indices.contains(next) else { return .ignored }
    focus = next
    return .moved
  }

  private mutating func edit(_ body: (inout TextField) -> Bool) -> Outcome {
    let before = fields[focus]
    guard body(&fields[focus].input) else { return .ignored }
    if let problem = fields[focus].problem {
      fields[focus] = before
      return .refused(problem)
    }
    return fields[focus].text == before.text ? .moved : .edited
  }

  /// Draws the target, the fields and what the keys do, and puts the cursor into the field that has the focus. On a
  /// small screen the fields scroll.
  public func draw(on canvas: inout Canvas, in region: Rect, theme: Theme) {
    canvas.fill(region, style: theme[.normal])
    canvas.draw(target, in: region.row(0), style: theme[.heading])
    let spacing = region.height >= fields.count * 2 + 4 ? 2 : 1
    let body = region.rows(2, region.height - 4)
    let labels = fields.map(\.label.width).max() ?? 0
    let first = max(0, focus - max(1, body.height / spacing) + 1)
    for (place, field) in fields.enumerated().dropFirst(first) {
      let line = body.row((place - first) * spacing)
      if line.isEmpty { break }
      let isFocused = place == focus
      canvas.draw(isFocused ? theme.glyphs.pointer : " ", in: line, style: theme[.key])
      canvas.draw(field.label, in: line.columns(2, labels), style: theme[isFocused ? .key : .normal])
      field.input.draw(on: &canvas, in: line.columns(labels + 4, line.width), theme: theme, focused: isFocused)
    }
    let help: SafeText = "Enter or Tab goes on, Shift-Tab back; Enter on the last field or Esc keeps all"
    canvas.draw(help, in: region.row(region.height - 1), style: theme[.muted])
    if canvas.cursor == nil { canvas.cursor = region.origin }
  }
}

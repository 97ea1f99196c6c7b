/// A small editor for comments and feedback: several lines with word wrap, undo, and paste.
public struct TextArea: Equatable, Sendable {
  /// What a key did.
  public enum Outcome: Equatable, Sendable {
    /// The text changed.
    case edited
    /// The cursor moved.
    case moved
    /// Esc: the editor is to be closed. The text is kept.
    case finished
    /// Not done, for this reason.
    case refused(String)
    /// The key means nothing here.
    case ignored
  }

  /// Most UTF-8 bytes of a text unless said otherwise.
  public static let defaultLimit = 16_384

  /// Whom or what the text is about: shown in the first line.
  public let target: SafeText
  /// Most UTF-8 bytes.
  public let limit: Int
  /// Columns and rows that the editor has, its first line included: set when the terminal's size is known.
  public var viewport: Size {
    didSet { scroll() }
  }
  private(set) var history: EditHistory
  private var top = 0
  /// The column that up and down keep to.
  private var wantedColumn: Int?

  /// An editor of a text, the cursor at its end.
  public init(
    target: SafeText, text: String = "", limit: Int = TextArea.defaultLimit,
    viewport: Size = Size(width: 80, height: 20)
  ) {
    self.target = target
    self.limit = limit
    self.viewport = viewport
    history = EditHistory(EditableText.cleaned(text))
    scroll()
  }

  /// The text.
  public var text: String { String(history.characters) }
  /// The cursor's place, in characters from the start.
  public var cursor: Int { history.cursor }

  /// Columns of a line: one is kept for the cursor after the last character.
  private static func columns(_ width: Int) -> Int { max(1, width - 1) }

  /// Types, moves or edits.
  public mutating func update(_ key: Key) -> Outcome {
    let outcome = perform(key)
    if key != .up && key != .down && key != .pageUp && key != .pageDown { wantedColumn = nil }
    scroll()
    return outcome
  }

  private mutating func perform(_ key: Key) -> Outcome {
    let characters = history.characters
    switch TextKeys.inArea(key) {
    case .finish: return .finished
    case .newLine: return insert("\n")
    case .left: return move(to: cursor - 1)
    case .right: return move(to: cursor + 1)
    case .wordLeft: return move(to: EditableText.wordStart(before: cursor, characters))
    case .wordRight: return move(to: EditableText.wordEnd(after: cursor, characters))
    case .up: return moveLines(-1)
    case .down: return moveLines(1)
    case .pageUp: return moveLines(-max(1, viewport.height - 2))
    case .pageDown: return moveLines(max(1, viewport.height - 2))
    case .lineStart: return move(to: currentLine.lowerBound)
    case .lineEnd: return move(to: currentLine.upperBound)
    case .textStart: return move(to: 0)
    case .textEnd: return move(to: characters.count)
    case .backspace: return remove((cursor - 1)..<cursor)
    case .delete: return remove(cursor..<(cursor + 1))
    case .deleteWord: return remove(EditableText.wordStart(before: cursor, characters)..<cursor)
    case .deleteToStart: return remove(currentLine.lowerBound..<cursor)
    case .deleteToEnd: return remove(cursor..<max(cursor, currentLine.upperBound))
    case .undo: return history.undo() ? .edited : .refused("nothing to undo")
    case .redo: return history.redo() ? .edited : .refused("nothing to redo")
    // What is put in comes from the holder of the editor.
    case .offers, .nextField, .previousField: return .ignored
    case nil: return key.typed.map { insert(String($0)) } ?? .ignored
    }
  }

  /// Inserts pasted text: as much as fits.
  public mutating func paste(_ text: String) -> Outcome {
    history.breakRun()
    let outcome = insert(text)
    history.breakRun()
    wantedColumn = nil
    scroll()
    return outcome
  }

  private mutating func insert(_ text: String) -> Outcome {
    let cleaned = EditableText.cleaned(text)
    if cleaned.isEmpty { return .ignored }
    var room = limit - history.bytes
    let fitting = cleaned.prefix { character in
      room -= character.utf8.count
      return room >= 0
    }
    let full = "the text is full (\(limit) bytes)"
    if fitting.isEmpty { return .refused(full) }
    let before = cursor > 0 ? history.characters[cursor - 1] : nil
    let joined = EditableText.joining(Array(fitting), to: before)
    history.replace((cursor - joined.replaced)..<cursor, with: joined.characters)
    return fitting.count == cleaned.count ? .edited : .refused(full + ": the rest was left out")
  }

  private mutating func remove(_ range: Range<Int>) -> Outcome {
    let inside = range.clamped(to: 0..<history.characters.count)
    if inside.isEmpty { return .ignored }
    history.replace(inside, with: [])
    return .edited
  }

  private mutating func move(to place: Int) -> Outcome {
    history.move(to: place)
    return .moved
  }

  private var layout: TextLayout { TextLayout(history.characters, columns: Self.columns(viewport.width)) }

  private var currentLine: Range<Int> {
    let layout = layout
    return layout.lines[layout.line(of: cursor)]
  }

  private mutating func moveLines(_ count: Int) -> Outcome {
    let layout = layout
    let column = wantedColumn ?? layout.column(of: cursor, history.characters)
    wantedColumn = column
    let line = min(max(0, layout.line(of: cursor) + count), layout.lines.count - 1)
    return move(to: layout.place(line: line, column: column, history.characters))
  }

  private mutating func scroll() {
    top = Self.top(top, showing: layout.line(of: cursor), height: viewport.height - 1)
  }

  private static func top(_ top: Int, showing line: Int, height: Int) -> Int {
    min(line, max(top, line - max(1, height) + 1))
  }

  /// Draws the target, how full the text is, the lines in view, and the cursor.
  public func draw(on canvas: inout Canvas, in region: Rect, theme: Theme) {
    canvas.fill(region, style: theme[.input])
    let (head, body) = region.splitTop(1)
    canvas.fill(head, style: theme[.heading])
    let share: SafeText = history.bytes * 10 >= limit * 9 ? " \(history.bytes)/\(limit) bytes" : ""
    canvas.draw(target, in: head.columns(0, head.width - share.width), style: theme[.heading])
    canvas.draw(share, in: head, .right, style: theme[.warning])
    let layout = TextLayout(history.characters, columns: Self.columns(region.width))
    let cursorLine = layout.line(of: cursor)
    let first = Self.top(top, showing: cursorLine, height: body.height)
    for (row, line) in layout.lines.dropFirst(first).prefix(body.height).enumerated() {
      canvas.draw(SafeText(String(history.characters[line])), in: body, row: row, style: theme[.input])
    }
    let column = layout.column(of: cursor, history.characters)
    canvas.cursor =
      body.isEmpty
      ? head.origin : Point(x: min(body.x + column, max(body.x, body.right - 1)), y: body.y + cursorLine - first)
  }
}

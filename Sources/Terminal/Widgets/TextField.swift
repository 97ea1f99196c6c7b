/// One line of typed text: a search, a number, a name, a passcode.
public struct TextField: Equatable, Sendable {
  /// What stands before the text.
  public let prompt: SafeText
  /// A hint shown while it is empty.
  public let placeholder: SafeText
  /// True if only the number of characters is shown.
  public let isSecret: Bool
  /// Most characters that it takes.
  public let limit: Int
  /// UTF-8 bytes that a character takes at most, all in all: marks without end on one are still one character.
  private static let bytesOfCharacter = 16
  /// Whether the last text put in was longer than what it takes, and is not whole.
  public private(set) var isCut = false
  private var characters: [Character]
  private var cursor: Int

  /// A field; the cursor stands after the text.
  public init(
    prompt: SafeText = "", text: String = "", placeholder: SafeText = "", isSecret: Bool = false, limit: Int = 200
  ) {
    self.prompt = prompt
    self.placeholder = placeholder
    self.isSecret = isSecret
    self.limit = limit
    characters = Array(EditableText.line(text).prefix(limit))
    cursor = characters.count
  }

  /// What was typed.
  public var text: String { String(characters) }

  /// Types or edits by the keys of `TextKeys.line`. False for any other key.
  public mutating func update(_ key: Key) -> Bool {
    let wasCut = isCut
    isCut = false
    switch TextKeys.inLine(key) {
    case .backspace:
      if cursor > 0 {
        cursor -= 1
        characters.remove(at: cursor)
      }
    case .delete:
      if cursor < characters.count { characters.remove(at: cursor) }
    case .left: cursor = max(0, cursor - 1)
    case .right: cursor = min(characters.count, cursor + 1)
    case .wordLeft: cursor = EditableText.wordStart(before: cursor, characters)
    case .wordRight: cursor = EditableText.wordEnd(after: cursor, characters)
    case .lineStart: cursor = 0
    case .lineEnd: cursor = characters.count
    case .deleteToStart:
      characters.removeFirst(cursor)
      cursor = 0
    case .deleteWord:
      let start = EditableText.wordStart(before: cursor, characters)
      characters.removeSubrange(start..<cursor)
      cursor = start
    default:
      guard let character = key.typed else {
        isCut = wasCut
        return false
      }
      insert(String(character))
    }
    return true
  }

  /// Inserts pasted text; line breaks become spaces. Those around it came with it from where it was copied, and so do
  /// tabs around a secret, in which nobody can see them.
  public mutating func paste(_ text: String) {
    let isAround = { [isSecret] (character: Character) in character.isNewline || isSecret && character == "\t" }
    var text = text.drop(while: isAround)
    while text.last.map(isAround) == true { text.removeLast() }
    insert(String(text))
  }

  /// Empties the field.
  public mutating func clear() {
    characters.removeAll()
    cursor = 0
  }

  private mutating func insert(_ text: String) {
    let joined = EditableText.joining(EditableText.line(text), to: cursor > 0 ? characters[cursor - 1] : nil)
    let start = cursor - joined.replaced
    let kept = characters[..<start] + characters[cursor...]
    var bytes = limit * Self.bytesOfCharacter - String(kept).utf8.count
    let accepted = joined.characters.prefix(max(joined.replaced, limit - kept.count)).prefix { character in
      bytes -= character.utf8.count
      return bytes >= 0
    }
    isCut = accepted.count < joined.characters.count
    // What joins a character and finds no room leaves that as it is.
    if accepted.count < joined.replaced { return }
    characters.replaceSubrange(start..<cursor, with: accepted)
    cursor = start + accepted.count
  }

  /// Draws prompt and text and puts the cursor into it. A longer text scrolls.
  public func draw(on canvas: inout Canvas, in region: Rect, theme: Theme, focused: Bool = true) {
    let line = region.row(0)
    canvas.fill(line, style: theme[.input])
    let start = canvas.draw(prompt, in: line, style: theme[.key])
    let room = line.columns(start - line.x, line.width)
    if characters.isEmpty { canvas.draw(placeholder, in: room, style: theme[.placeholder]) }
    let shown: SafeText =
      isSecret ? SafeText(String(repeating: "*", count: characters.count)) : SafeText(String(characters))
    let before = isSecret ? cursor : SafeText(String(characters[..<cursor])).width
    let hidden = max(0, before - room.width + 1)
    canvas.draw(shown.slice(hidden..<(hidden + room.width)), in: room, style: theme[.input])
    if focused { canvas.cursor = Point(x: min(room.x + before - hidden, max(line.x, line.right - 1)), y: line.y) }
  }
}

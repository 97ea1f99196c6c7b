/// The last line: what the keys of this screen do.
public enum Footer {
  /// What the footer says of one key.
  public struct Entry: Sendable {
    let key: SafeText
    let label: SafeText
    let rank: Int

    /// An entry.
    /// - Parameters:
    ///   - key: the key, or several that do the same.
    ///   - label: what it does, in one or two words.
    ///   - rank: how much it is needed: the highest are drawn first. What comes and goes has a low one, so that the
    ///     others stay where they are.
    public init(_ key: SafeText, _ label: SafeText, rank: Int = 0) {
      (self.key, self.label, self.rank) = (key, label, rank)
    }
  }

  /// Draws the entries that fit, whole, those of equal rank in their order, and at the right the key that shows the rest.
  public static func draw(
    _ entries: [Entry], help: SafeText = "? all keys", on canvas: inout Canvas, in region: Rect, theme: Theme
  ) {
    let (last, rest) = region.row(0).splitRight(help.width)
    if !rest.isEmpty { canvas.draw(help, in: last, style: theme[.muted]) }
    let end = region.width > help.width ? rest.right - 2 : region.right
    var x = region.x
    for place in entries.indices.sorted(by: { (entries[$1].rank, $0) < (entries[$0].rank, $1) }) {
      let entry = entries[place]
      let width = entry.key.width + 1 + entry.label.width
      if x + width > end { break }
      canvas.draw(entry.key, at: Point(x: x, y: region.y), style: theme[.key], in: region)
      canvas.draw(entry.label, at: Point(x: x + entry.key.width + 1, y: region.y), style: theme[.normal], in: region)
      x += width + 2
    }
  }
}

/// The line that answers the last key: what was done, or why it was not.
public struct MessageLine: Equatable, Sendable {
  /// The message.
  public private(set) var text: SafeText = ""
  /// Its meaning.
  public private(set) var role: Role = .normal
  /// When it goes by itself, in milliseconds of the loop's clock; nil if it stays until the next message.
  public private(set) var deadline: Int64?

  /// A line without a message.
  public init() {}

  /// Shows a message, until the time given or the next message.
  public mutating func show(_ text: SafeText, _ role: Role = .normal, until deadline: Int64? = nil) {
    self.text = text
    self.role = role
    self.deadline = deadline
  }

  /// Takes the message away.
  public mutating func clear() { self = MessageLine() }

  /// Takes the message away if its time is over.
  public mutating func expire(at now: Int64) {
    if let deadline, now >= deadline { clear() }
  }

  /// Draws the message. Its words must say what is wrong; the look only adds to them.
  public func draw(on canvas: inout Canvas, in region: Rect, theme: Theme) {
    if text.isEmpty { return }
    canvas.draw(text, in: region, style: theme[role])
  }
}

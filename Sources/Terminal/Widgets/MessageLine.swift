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

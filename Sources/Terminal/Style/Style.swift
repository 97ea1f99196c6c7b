/// One of the terminal's sixteen colours, or its own default. What they look like is the user's choice.
public enum Color: UInt8, Sendable, CaseIterable {
  /// The terminal's own foreground or background.
  case terminal
  /// Colours 0 to 7.
  case black, red, green, yellow, blue, magenta, cyan, white
  /// Colours 8 to 15.
  case brightBlack, brightRed, brightGreen, brightYellow, brightBlue, brightMagenta, brightCyan, brightWhite
}

/// How a cell looks. There is no blinking.
public struct Style: Hashable, Sendable {
  /// Ways of drawing that need no colour.
  public struct Attributes: OptionSet, Hashable, Sendable {
    /// One bit for each attribute.
    public let rawValue: UInt8
    /// Attributes from their bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// Heavier, or brighter.
    public static let bold = Attributes(rawValue: 1)
    /// Fainter.
    public static let dim = Attributes(rawValue: 2)
    /// Foreground and background exchanged.
    public static let reverse = Attributes(rawValue: 4)
    /// Underlined.
    public static let underline = Attributes(rawValue: 8)
  }

  /// Colour of the characters.
  public var foreground: Color
  /// Colour behind them.
  public var background: Color
  /// Attributes.
  public var attributes: Attributes

  /// A style; everything left out is the terminal's own.
  public init(_ foreground: Color = .terminal, on background: Color = .terminal, _ attributes: Attributes = []) {
    self.foreground = foreground
    self.background = background
    self.attributes = attributes
  }

  /// The terminal's own look.
  public static let plain = Style()

  /// The style with further attributes.
  public func with(_ more: Attributes) -> Style {
    Style(foreground, on: background, attributes.union(more))
  }
}

/// What a piece of the screen means. Views name a role; the theme knows the look.
public enum Role: Int, CaseIterable, Sendable {
  /// Ordinary text.
  case normal
  /// Secondary text.
  case muted
  /// The screen's title line.
  case title
  /// Heading of a section or a column.
  case heading
  /// The focused row or item.
  case focus
  /// A chosen level, a marked entry.
  case chosen
  /// The name of a key.
  case key
  /// Something that cannot be done now.
  case disabled
  /// Lines and boxes.
  case border
  /// Little time left; the text also says AMBER.
  case amber
  /// Almost no time left; the text also says RED.
  case red
  /// Complete, in order.
  case good
  /// Needs attention.
  case warning
  /// Failed or refused.
  case error
  /// A line that must not be overlooked, such as the wrong candidate.
  case alarm
  /// Text being typed.
  case input
  /// A hint in an empty field.
  case placeholder
  /// A match of a search.
  case match
  /// A phase in which candidates read, go to the next station, or are told how they did; its word says it too.
  case reading, changeover, feedback
  /// A clock that was stopped; the text also says PAUSED.
  case paused
}

/// A look for every role, and the signs to draw with.
///
/// Colour never carries a fact alone: `amber`, `red`, `alarm`, `focus` and `chosen` differ from `normal` by an attribute
/// in every theme.
public struct Theme: Equatable, Sendable {
  /// The name by which a user asks for it.
  public let name: String
  private let styles: [Style]
  /// Signs to draw with.
  public let glyphs: Glyphs

  private init(_ name: String, _ glyphs: Glyphs, _ style: (Role) -> Style) {
    self.name = name
    self.glyphs = glyphs
    styles = Role.allCases.map(style)
  }

  /// The look of a role.
  public subscript(role: Role) -> Style { styles[role.rawValue] }

  /// Names that `named(_:)` knows.
  public static let names = ["default", "high-contrast", "colour-blind-safe", "monochrome"]

  /// A theme by name, nil for an unknown one.
  public static func named(_ name: String, glyphs: Glyphs = .unicode) -> Theme? {
    switch name {
    case "default": standard(glyphs)
    case "high-contrast": highContrast(glyphs)
    case "colour-blind-safe": colourBlindSafe(glyphs)
    case "monochrome": monochrome(glyphs)
    default: nil
    }
  }

  /// The theme to use: monochrome if `NO_COLOR` is set and not empty or the terminal has fewer than 8 colours, else the
  /// one asked for, else the default.
  public static func fitting(
    asked: String? = nil, noColor: String?, colours: Int, encoding: TerminalEncoding = .current
  ) -> Theme {
    let glyphs = Glyphs.fitting(encoding)
    if let noColor, !noColor.isEmpty { return monochrome(glyphs) }
    if colours < 8 { return monochrome(glyphs) }
    return asked.flatMap { named($0, glyphs: glyphs) } ?? standard(glyphs)
  }

  /// Colours on the terminal's own background.
  public static func standard(_ glyphs: Glyphs = .unicode) -> Theme {
    Theme("default", glyphs) { role in
      switch role {
      case .normal, .input: Style()
      case .muted, .disabled, .placeholder, .border: Style(.terminal, [.dim])
      case .title: Style(.cyan, [.bold])
      case .heading: Style(.terminal, [.bold])
      case .focus: Style(.terminal, [.reverse])
      // Without a colour: it is sent with every mark, and the fewest bytes say it.
      case .chosen: Style(.terminal, [.bold, .underline])
      case .key: Style(.cyan, [.bold])
      case .amber: Style(.yellow, [.bold, .reverse])
      case .red, .alarm: Style(.red, [.bold, .reverse])
      case .good: Style(.green)
      case .warning: Style(.yellow)
      case .error: Style(.red, [.bold])
      case .match: Style(.yellow, [.underline])
      case .reading: Style(.blue, [.bold])
      case .changeover: Style(.magenta, [.bold])
      case .feedback: Style(.cyan, [.bold])
      case .paused: Style(.brightWhite, on: .blue, [.bold])
      }
    }
  }

  /// White on black throughout, nothing faint.
  public static func highContrast(_ glyphs: Glyphs = .unicode) -> Theme {
    Theme("high-contrast", glyphs) { role in
      switch role {
      case .normal, .input, .muted, .disabled, .placeholder, .border: Style(.brightWhite, on: .black)
      case .title, .heading, .key, .reading, .changeover, .feedback: Style(.brightWhite, on: .black, [.bold])
      case .paused: Style(.brightWhite, on: .blue, [.bold])
      case .focus: Style(.black, on: .brightWhite, [.bold])
      case .chosen: Style(.brightWhite, on: .black, [.bold, .underline])
      case .amber: Style(.black, on: .brightYellow, [.bold])
      case .red, .alarm: Style(.brightWhite, on: .red, [.bold])
      case .good: Style(.brightGreen, on: .black, [.bold])
      case .warning: Style(.brightYellow, on: .black, [.bold])
      case .error: Style(.brightRed, on: .black, [.bold])
      case .match: Style(.brightYellow, on: .black, [.underline])
      }
    }
  }

  /// Blue and yellow instead of green and red, which the common colour vision deficiencies keep apart.
  public static func colourBlindSafe(_ glyphs: Glyphs = .unicode) -> Theme {
    let usual = standard(glyphs)
    return Theme("colour-blind-safe", glyphs) { role in
      switch role {
      case .chosen: Style(.brightBlue, [.bold, .underline])
      case .good: Style(.brightBlue)
      case .warning, .match: Style(.yellow, [.underline])
      case .amber: Style(.black, on: .yellow, [.bold])
      case .red, .alarm: Style(.brightWhite, on: .magenta, [.bold, .underline])
      case .error: Style(.magenta, [.bold, .underline])
      case .reading: Style(.blue, [.bold])
      case .changeover: Style(.yellow, [.bold])
      case .feedback: Style(.brightWhite, [.bold, .underline])
      default: usual[role]
      }
    }
  }

  /// Attributes only.
  public static func monochrome(_ glyphs: Glyphs = .unicode) -> Theme {
    Theme("monochrome", glyphs) { role in
      switch role {
      case .normal, .input, .good: Style()
      case .muted, .disabled, .placeholder, .border: Style(.terminal, [.dim])
      case .title, .heading, .key, .warning, .reading, .changeover, .feedback: Style(.terminal, [.bold])
      case .focus: Style(.terminal, [.reverse])
      case .chosen: Style(.terminal, [.bold, .underline])
      case .amber, .red, .alarm, .paused: Style(.terminal, [.bold, .reverse])
      case .error: Style(.terminal, [.bold, .underline])
      case .match: Style(.terminal, [.underline])
      }
    }
  }
}

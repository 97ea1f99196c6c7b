/// The name of a binding in configuration and documents, such as `sheet.sign`. Stable across versions.
public struct BindingID: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral {
  /// The name.
  public let rawValue: String
  /// An identifier by its name.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// An identifier by its name.
  public init(stringLiteral value: String) { self.init(rawValue: value) }
}

/// Whether an action can be done now.
public enum Availability: Equatable, Sendable {
  /// It can.
  case enabled
  /// It cannot; the reason is shown when its key is pressed, and in the help.
  case disabled(String)
}

/// An action, its keys and its words: the one place that says all of it.
public struct Binding<Action: Sendable>: Sendable {
  /// Name in configuration.
  public let id: BindingID
  /// Keys that do it.
  public var keys: [Key]
  /// One or two words for the footer.
  public let label: String
  /// One sentence for help, palette and documents.
  public let help: String
  /// Heading under which the help lists it.
  public let group: String
  /// Whether it can be done now.
  public var availability: Availability
  /// Stands for the list of keys where they form a range, such as `0–9`.
  public let keysLabel: String?
  /// What to do.
  public let action: Action

  /// A binding.
  public init(
    _ id: BindingID, _ keys: [Key], _ label: String, help: String, group: String,
    _ availability: Availability = .enabled, keysLabel: String? = nil, action: Action
  ) {
    self.id = id
    self.keys = keys
    self.label = label
    self.help = help
    self.group = group
    self.availability = availability
    self.keysLabel = keysLabel
    self.action = action
  }

  /// Why it cannot be done now, as it stands behind what it does; nil where it can.
  var shownReason: SafeText? {
    if case .disabled(let reason) = availability { SafeText("(not now: \(reason))") } else { nil }
  }

  /// All keys as the help shows them.
  public func shownKeys(_ glyphs: Glyphs) -> SafeText {
    if let keysLabel { return SafeText(keysLabel) }
    var text = SafeText()
    for (index, key) in keys.enumerated() {
      if index > 0 { text += " " }
      text += key.label(glyphs)
    }
    return text
  }
}

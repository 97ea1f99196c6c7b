#if canImport(Glibc)
  import Glibc
#endif

/// The program's own configuration file, as it is written: YAML with a few keys, every one optional.
public struct SettingsFile: Sendable {
  /// New keys for one binding.
  public struct Keys: Sendable {
    /// The binding's name.
    public let binding: String
    /// The keys' names, at least one.
    public let keys: [String]
    /// Where it is written.
    public let place: Place
  }

  /// `none`, `visual` or `audible`; nil: not said.
  public var bell: String?
  /// The announcement command and its arguments; empty: there is none.
  public var announcementCommand: [String] = []
  /// How long that command may run, in seconds, 1 to 120.
  public var announcementSeconds = 10
  /// Bindings with other keys than their own.
  public var keys: [Keys] = []
  /// Whether the assessor's clock shows no colour and no digits until they are needed.
  public var quietClock = false

  private static let names = ["bell", "on_announcement", "announcement_seconds", "keys", "quiet_clock"]
  private static let what = "configuration"

  /// What holds where nothing is written.
  public init() {}

  /// Reads a file, or says what is wrong with it.
  /// - Returns: the settings, and the problems in the order of their lines; with problems the settings are not to be used.
  public static func read(path: String) -> (settings: SettingsFile, problems: [Problem]) {
    let problems = ProblemList()
    var settings = SettingsFile()
    if let source = SourceFile(path: path, name: path, problems: problems), !isBlank(source.text),
      let tree = YAMLTree.read(source, problems: problems),
      let fields = Fields(tree, what, keys: names, file: path, problems: problems)
    {
      settings.fill(fields, path: path)
    }
    return (settings, problems.problems.inFileOrder())
  }

  /// Nothing but comments.
  private static func isBlank(_ text: String) -> Bool {
    text.split(separator: "\n").allSatisfy { line in
      let words = line.trimmed
      return words.isEmpty || words.hasPrefix("#")
    }
  }

  private mutating func fill(_ fields: Fields, path: String) {
    bell = fields.word("bell", of: ["none", "visual", "audible"])
    announcementSeconds = fields.whole("announcement_seconds", in: 1...120) ?? announcementSeconds
    quietClock = fields.flag("quiet_clock")
    fillCommand(fields, path: path)
    for entry in fields.table("keys") {
      let names = Self.texts(entry.value)
      if let names, !names.isEmpty {
        keys.append(Keys(binding: entry.key, keys: names, place: Place(file: path, line: entry.line)))
      } else {
        fields.report(entry.line, "the keys of \(Visible.quoted(entry.key)) must be a list of one or more names")
      }
    }
  }

  private mutating func fillCommand(_ fields: Fields, path: String) {
    guard let value = fields.value("on_announcement") else { return }
    guard case .list = value.content, let command = Self.texts(value), command.first?.isEmpty == false else {
      return fields.error(
        "on_announcement", "'on_announcement' must be a list of a command and its arguments, not \(value.kind)")
    }
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & 0o022 == 0, status.st_uid == geteuid() || status.st_uid == 0 else {
      return fields.error(
        "on_announcement",
        "a command is taken only from a file that nobody else can write; put it right with: chmod 600")
    }
    announcementCommand = command
  }

  /// Texts as they stand, white space included; a single one stands for a list of one.
  private static func texts(_ tree: YAMLTree) -> [String]? {
    switch tree.content {
    case .scalar(let text, _): return tree.isEmpty ? nil : [text]
    case .mapping: return nil
    case .list(let items):
      let texts = items.compactMap { item -> String? in
        if case .scalar(let text, _) = item.content { return text }
        return nil
      }
      return texts.count == items.count ? texts : nil
    }
  }
}

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
  /// Where the timed backup goes; nil: not said.
  public var backup: String?
  /// How often it is made, in minutes, 1 to 1440; nil: not said.
  public var backupMinutes: Int?
  /// Whether the assessor's clock shows no colour and no digits until they are needed.
  public var quietClock = false
  /// The university that the terminal belongs to, as `Config.universityCode` names it; nil: not said.
  public var university: String?

  private static let names = [
    "bell", "on_announcement", "announcement_seconds", "backup", "backup_minutes", "keys", "quiet_clock",
    "university",
  ]
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
      let text = line.trimmed
      return text.isEmpty || text.hasPrefix("#")
    }
  }

  private mutating func fill(_ fields: Fields, path: String) {
    bell = fields.word("bell", of: ["none", "visual", "audible"])
    announcementSeconds = fields.whole("announcement_seconds", in: 1...120) ?? announcementSeconds
    quietClock = fields.flag("quiet_clock")
    university = fields.text("university")
    fillCommand(fields, path: path)
    fillBackup(fields, path: path)
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
    guard case .list = value.content else {
      return fields.error(
        "on_announcement", "'on_announcement' must be a list of a command and its arguments, not \(value.kind)")
    }
    guard let command = Self.texts(value), command.first?.isEmpty == false else {
      return fields.error("on_announcement", "the list of 'on_announcement' must name a command, then its arguments")
    }
    guard Self.isOwn(path) else {
      return fields.error(
        "on_announcement",
        "a command is taken only from a file that nobody else can write; put it right with: chmod 600")
    }
    announcementCommand = command
  }

  private mutating func fillBackup(_ fields: Fields, path: String) {
    backupMinutes = fields.whole("backup_minutes", in: 1...1440)
    guard let file = fields.text("backup") else { return }
    guard file.hasPrefix("/") else {
      return fields.error("backup", "'backup' must be a path from the root, such as /mnt/second/exam-backup.sqlite")
    }
    guard Self.isOwn(path) else {
      return fields.error(
        "backup", "a backup's place is taken only from a file that nobody else can write; put it right with: chmod 600")
    }
    backup = file
  }

  /// Whether nobody but this user, or root, can write a file.
  private static func isOwn(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & 0o022 == 0
      && (status.st_uid == geteuid() || status.st_uid == 0)
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

import CircuitModel
import Console
import ExamFiles
import ExamStore
import Glibc
import Reports
import Terminal

/// What the person at this terminal has chosen, from the program's configuration file.
struct Configuration: Sendable {
  /// How announcements are made known; nil: as the screen has it.
  var bell: Bell?
  /// The announcement command and its arguments; empty: none.
  var announcementCommand: [String] = []
  /// How long that command may run, in seconds.
  var announcementSeconds = 10
  /// Bindings with other keys than their own.
  var keys: [BindingID: [Key]] = [:]
  /// Whether an assessor's clock stays quiet until little time is left.
  var quietClock = false
  /// The university that this terminal belongs to; nil: none.
  var university: String?

  /// Where the timed backup goes, the environment's word before the file's; nil: nowhere.
  var backup: BackupChoice?

  /// What this process uses: the defaults until `load` has read a file.
  @MainActor private(set) static var current = Configuration()

  /// Reads the file of this process's user, once, before a screen is taken.
  /// - Throws: `StoreError`, one line with file and line, if anything in it is wrong.
  @MainActor static func load(_ environment: [String: String] = ProcessEnvironment.current) throws {
    current = try read(environment)
  }

  /// Lets this process make no timed backup: of a demonstration it would stand where the exam's belongs.
  @MainActor static func keepNoCopy() { current.backup = nil }

  /// The configuration that an environment names: `$OSCE_CONFIG`, else `osce/config.yaml` in `$XDG_CONFIG_HOME` or in
  /// `~/.config`. Without a file: the defaults.
  /// - Throws: `StoreError`, one line with file and line, if anything in the file is wrong, if `$OSCE_CONFIG` names
  ///   a file that is not there, or if the environment says of the backup what cannot be.
  static func read(_ environment: [String: String]) throws -> Configuration {
    guard let settings = try settings(environment) else {
      return Configuration(backup: try BackupChoice.chosen(nil, environment: environment))
    }
    return Configuration(
      bell: settings.bell.flatMap(Bell.init), announcementCommand: settings.announcementCommand,
      announcementSeconds: settings.announcementSeconds, keys: try KeyChoices.read(settings.keys),
      quietClock: settings.quietClock, university: settings.university,
      backup: try BackupChoice.chosen(settings.backup, minutes: settings.backupMinutes, environment: environment))
  }

  /// Where the timed backup goes, for a command that examines a store: a configuration file that is wrong is said, and
  /// keeps no store from being examined.
  static func backup(_ environment: [String: String] = ProcessEnvironment.current) -> BackupChoice? {
    do { return try read(environment).backup } catch {
      Output.failure.line("osce: \(error)")
      return try? BackupChoice.chosen(nil, environment: environment)
    }
  }

  /// What the file says; nil where there is none.
  private static func settings(_ environment: [String: String]) throws -> SettingsFile? {
    guard let (path, isNamed) = place(environment) else { return nil }
    if access(path, F_OK) != 0, errno == ENOENT || errno == ENOTDIR {
      if isNamed { throw StoreError("OSCE_CONFIG names a file that is not there: \(path)") }
      return nil
    }
    let (settings, problems) = SettingsFile.read(path: path)
    if let first = problems.first { throw StoreError("\(first)") }
    return settings
  }

  /// The theme that `OSCE_THEME` names; nil: the default.
  /// - Throws: `StoreError`, one line, where there is none of that name.
  static func theme(_ environment: [String: String]) throws -> String? {
    guard let name = environment["OSCE_THEME"], !name.isEmpty else { return nil }
    if Theme.names.contains(name) { return name }
    throw StoreError("OSCE_THEME must be one of \(Theme.names.joined(separator: ", ")); got \"\(name)\"")
  }

  /// Makes the terminal's university the process's, before the exam's settings are read. A file with a mistake says none:
  /// a screen does not start with it, and a command has no other use for it.
  static func useUniversity(_ environment: [String: String] = ProcessEnvironment.current) {
    ConfigInForce.use(university: (try? settings(environment))?.university)
  }

  private static func place(_ environment: [String: String]) -> (path: String, isNamed: Bool)? {
    if let path = environment["OSCE_CONFIG"], !path.isEmpty { return (path, true) }
    if let folder = environment["XDG_CONFIG_HOME"], folder.hasPrefix("/") {
      return (folder + "/osce/config.yaml", false)
    }
    guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
    return (home + "/.config/osce/config.yaml", false)
  }

  /// The announcement command of a store's host, ready to run; nil if none is configured.
  @MainActor func hook(_ store: ExamStore) -> AnnouncementHook? {
    if announcementCommand.isEmpty { return nil }
    return AnnouncementHook(
      command: announcementCommand, seconds: announcementSeconds, storePath: store.location.path)
  }
}

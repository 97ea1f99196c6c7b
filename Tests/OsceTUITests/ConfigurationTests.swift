import CircuitModel
import ExamStore
import Foundation
import Reports
import SystemTesting
import Terminal
import Testing

@testable import OsceTUI

/// The program's configuration file: where it is looked for, what it may say, and how a mistake is told.
@MainActor @Suite("The configuration file")
final class ConfigurationTests {
  private let folder: String
  private var file: String { folder + "/config.yaml" }

  init() throws { folder = try ScratchFolder.make() }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  private func read(_ text: String, mode: Int = 0o600) throws -> Configuration {
    try text.write(toFile: file, atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file)
    return try Configuration.read(["OSCE_CONFIG": file])
  }

  /// The line that a file is refused with, without the file's name.
  private func refusal(_ text: String, mode: Int = 0o600) -> String {
    do {
      _ = try read(text, mode: mode)
      return "taken"
    } catch {
      return "\(error)".replacingOccurrences(of: file + ":", with: "")
    }
  }

  @Test("every setting is read")
  func settings() throws {
    let configuration = try read(
      """
      # of this room
      bell: visual
      on_announcement: [espeak-ng, -v, en-gb, "{text}"]
      announcement_seconds: 20
      quiet_clock: true
      university: liverpool
      keys:
        sheet.fold: [v]
        wall.page: [n, space]
        roster.next: "."
      """)
    #expect(configuration.bell == .visual)
    #expect(configuration.announcementCommand == ["espeak-ng", "-v", "en-gb", "{text}"])
    #expect(configuration.announcementSeconds == 20)
    #expect(configuration.quietClock)
    #expect(configuration.university == "liverpool")
    #expect(configuration.keys == ["sheet.fold": ["v"], "wall.page": ["n", "space"], "roster.next": ["."]])
  }

  @Test("without a file, and with one of comments alone, the defaults hold")
  func defaults() throws {
    for configuration in [
      try Configuration.read(["HOME": folder]), try Configuration.read([:]), try read("# nothing yet\n"), try read(""),
    ] {
      #expect(configuration.bell == nil && configuration.announcementCommand.isEmpty && configuration.keys.isEmpty)
      #expect(configuration.announcementSeconds == 10 && !configuration.quietClock)
    }
  }

  @Test("where the timed backup goes: the environment before the file, and only a file that nobody else can write")
  func backup() throws {
    func read(_ text: String, _ environment: [String: String] = [:], mode: mode_t = 0o600) throws -> BackupChoice? {
      let file = folder + "/backup.yaml"
      try text.write(toFile: file, atomically: true, encoding: .utf8)
      chmod(file, mode)
      return try Configuration.read(environment.merging(["OSCE_CONFIG": file]) { $1 }).backup
    }
    let text = "backup: /mnt/second/copy.sqlite\nbackup_minutes: 2\n"
    #expect(try read(text) == BackupChoice(path: "/mnt/second/copy.sqlite", minutes: 2))
    #expect(try read(text, ["OSCE_BACKUP": "/c"]) == BackupChoice(path: "/c", minutes: 2))
    #expect(try read(text, ["OSCE_BACKUP_MINUTES": "9"])?.minutes == 9)
    #expect(try read("backup_minutes: 2\n") == nil)
    #expect(try Configuration.read(["HOME": folder, "OSCE_BACKUP": "/c"]).backup == BackupChoice(path: "/c"))
    #expect(throws: StoreError.self) { try read(text, ["OSCE_BACKUP": "copy.sqlite"]) }
    #expect(throws: StoreError.self) { try read(text, mode: 0o666) }
    #expect(throws: StoreError.self) { try read("backup: copy.sqlite\n") }
    #expect(throws: StoreError.self) { try read("backup: /c\nbackup_minutes: 0\n") }
  }

  @Test("OSCE_CONFIG goes before XDG_CONFIG_HOME, and that before the home folder")
  func places() throws {
    for (path, bell) in [
      ("one.yaml", "none"), ("xdg/osce/config.yaml", "visual"), (".config/osce/config.yaml", "audible"),
    ] {
      let place = folder + "/" + path
      try FileManager.default.createDirectory(
        atPath: (place as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
      try "bell: \(bell)\n".write(toFile: place, atomically: true, encoding: .utf8)
    }
    var environment = ["OSCE_CONFIG": folder + "/one.yaml", "XDG_CONFIG_HOME": folder + "/xdg", "HOME": folder]
    #expect(try Configuration.read(environment).bell == Bell.none)
    environment["OSCE_CONFIG"] = nil
    #expect(try Configuration.read(environment).bell == .visual)
    environment["XDG_CONFIG_HOME"] = nil
    #expect(try Configuration.read(environment).bell == .audible)
    let missing = folder + "/not-there.yaml"
    let error = #expect(throws: StoreError.self) { try Configuration.read(["OSCE_CONFIG": missing]) }
    #expect(error?.description == "OSCE_CONFIG names a file that is not there: \(missing)")
  }

  @Test("OSCE_THEME names a theme, or is refused in one line") func theme() throws {
    #expect(try Configuration.theme([:]) == nil && Configuration.theme(["OSCE_THEME": ""]) == nil)
    for name in Theme.names { #expect(try Configuration.theme(["OSCE_THEME": name]) == name) }
    let error = #expect(throws: StoreError.self) { try Configuration.theme(["OSCE_THEME": "blue"]) }
    #expect(error?.description.hasPrefix("OSCE_THEME must be one of default, ") == true)
  }

  @Test("a mistake is one line with its place")
  func mistakes() {
    #expect(refusal("bell: loud\n") == "1: configuration: 'bell' must be one of none, visual, audible, not 'loud'")
    #expect(refusal("\nbel: none\n") == "2: configuration: unknown key 'bel' (did you mean 'bell'?)")
    #expect(refusal("announcement_seconds: 0\n") == "1: configuration: 'announcement_seconds' must be 1 to 120, not 0")
    #expect(refusal("quiet_clock: maybe\n") == "1: configuration: 'quiet_clock' must be true or false, not 'maybe'")
    let command = "1: configuration: 'on_announcement' must be a list of a command and its arguments, not "
    #expect(refusal("on_announcement: espeak-ng hello\n") == command + "'espeak-ng hello'")
    let list = "1: configuration: the list of 'on_announcement' must name a command, then its arguments"
    for wrong in ["[]", "[\"\", x]", "[[x]]"] { #expect(refusal("on_announcement: \(wrong)\n") == list) }
    #expect(refusal("- bell\n") == "1: configuration: expected key: value lines, found a list")
    #expect(refusal("bell: none\nbell: none\n").hasSuffix("'bell' is written twice in one block"))
  }

  @Test("keys: an unknown binding, an unknown key, a range, and two bindings on one key of a screen are refused")
  func keys() {
    #expect(refusal("keys:\n  sheet.sing: [s]\n") == "2: keys: there is no binding 'sheet.sing'; see docs/keys.md")
    #expect(refusal("keys:\n  sheet.sign: [hyper-s]\n") == "2: keys: there is no key 'hyper-s'")
    #expect(refusal("keys:\n  sheet.level: [l]\n") == "2: keys: the keys of 'sheet.level' cannot be changed")
    #expect(
      refusal("bell: none\nkeys:\n  sheet.sign: [x]\n")
        == "3: keys: 'x' would be both sheet.clear and sheet.sign on Mark sheet")
    #expect(refusal("keys:\n  sheet.sign: []\n").contains("must be a list of one or more names"))
    // Two bindings may change places.
    #expect(refusal("keys:\n  sheet.sign: [x]\n  sheet.clear: [s]\n") == "taken")
  }

  @Test("a file that others can write may not name a command, and may set all else")
  func writable() {
    let line = "1: configuration: a command is taken only from a file that nobody else can write; "
    #expect(refusal("on_announcement: [true]\n", mode: 0o620) == line + "put it right with: chmod 600")
    #expect(refusal("on_announcement: [true]\n", mode: 0o602) == line + "put it right with: chmod 600")
    #expect(refusal("on_announcement: [true]\n", mode: 0o644) == "taken")
    #expect(refusal("bell: none\n", mode: 0o666) == "taken")
  }

  @Test("chosen keys act, are shown, and the old ones are free")
  func applied() throws {
    let exam = try Rehearsed()
    var configuration = Configuration()
    configuration.keys = ["signin.choose": ["ctrl-g"], "quit": ["ctrl-x"]]
    let context = AppContext(store: exam.store, theme: .standard(), configuration: configuration) { 0 }
    context.push(SignInScreen(context))
    let table = ScreenProgram(context).keys.listing
    #expect(table["signin.choose"]?.keys == ["ctrl-g"])
    guard case .unbound = table.dispatch(.enter) else { return #expect(Bool(false), "Enter still acts") }
    guard case .action("signin.choose") = table.dispatch("ctrl-g") else {
      return #expect(Bool(false), "Ctrl-G does not act")
    }
  }

  @Test("the texts of the screens name the keys that were chosen")
  func named() throws {
    var configuration = Configuration()
    configuration.keys = [
      "sheet.sign": ["ctrl-s"], "station.missing": ["ctrl-x"], "sheet.privacy": ["ctrl-g"], "quit": ["ctrl-n"],
    ]
    let play = try Rehearsed(configuration: configuration).mark("nokafor", at: "CHEST")
    play.press("G", "j")
    #expect(play.screen.contains("END OF SHEET: Ctrl-X lists the blanks, Ctrl-S signs"))
    play.press("ctrl-g")
    #expect(play.message == "marks and texts are hidden: Ctrl-G shows them")
    #expect(play.screen.contains("Ctrl-G shows the sheet again."))
    play.press("ctrl-g", "ctrl-c")
    #expect(play.message.hasPrefix("to quit press Ctrl-N; "))
    play.resize(59, 20)
    #expect(play.text.contains("Ctrl-N quits."))
  }
}

import Catalogue
import Characters
import Foundation
import GRDB
import Journal
import SeededNumbers
import SystemTesting
import Testing

@testable import CircuitModel
@testable import ExamFiles
@testable import ExamStore
@testable import OsceTUI

/// Every command of the program, with every option of it, on a terminal, over a store in which every text is hostile:
/// nothing that a terminal obeys arrives there. Commands and options come from the parser, entities and attributes from
/// the catalogue: a new one is in here.
@Suite("Hostile text in commands", .enabled(if: Tmux.isHere), .ahead)
struct HostileCommandsTests {
  /// Puts text on the clipboard, colours, turns the direction, hides, rings, overwrites, floods.
  static let hostile =
    "\u{1B}]52;c;aGk=\u{7}\u{9B}31m\u{202E}rev\u{2066}\u{3164}\u{200B}\u{FEFF}\r\u{8}over\u{2028}e"
    + String(repeating: "\u{301}", count: 400) + "\u{1161}\u{11A8}" + "\u{E0041}\n=1+1\u{7F}"

  /// The same as far as a command line lets it in.
  static let typable = "\u{3164}\u{200D}e" + String(repeating: "\u{301}", count: 400)

  /// Which options are tried: told with each fault, and taken from OSCE_SEED; all of them with `OSCE_VARIANTS=all`.
  static let seed = Seeded.seed
  static let isWhole = ProcessInfo.processInfo.environment["OSCE_VARIANTS"] == "all"

  @Test("no command sends a terminal what it would obey, whatever the store, the words and the environment hold")
  func allCommands() async throws {
    let exam = try HostileStore()
    defer { exam.remove() }
    let tree = try CommandTree.read()
    #expect(tree.map(\.name).contains("docs") && tree.count >= Osce.configuration.subcommands.count)
    var (runs, codes): (Int, [String: Int]) = (0, [:])
    for command in tree {
      let lines = command.lines(exam)
      // Of each command one line is always tried, and what shows the clocks.
      let always = lines.enumerated().filter { $0.offset == 0 || $0.element.last == "log" }.map(\.element)
      let tried = Self.isWhole ? lines : always + lines.dropFirst().everyNth(15, Self.seed)
      for line in tried {
        for isInEnvironment in line == lines[0] ? [false, true] : [false] {
          let store = try exam.copy()
          var environment = [
            "PATH": "/usr/bin:/bin", "HOME": exam.folder, "TMPDIR": exam.folder, "XDG_DATA_HOME": exam.folder,
            "LC_ALL": "C.UTF-8", "TERM": "x\u{1B}]0;title\u{7}\u{202E}", "OSCE_STORE": store,
            "OSCE_PASSCODE_FILE": exam.folder + "/none",
          ]
          if isInEnvironment {
            environment["OSCE_STORE"] = "/nowhere/\(Self.hostile)"
            environment["OSCE_STAFF"] = Self.hostile
            environment["OSCE_BACKUP"] = Self.hostile
          }
          guard let bytes = await TerminalCommand.output(line, environment) else {
            Issue.record("osce \(line.map(Visible.quoted).joined(separator: " ")) does not end")
            continue
          }
          runs += 1
          let text = String(decoding: bytes, as: UTF8.self)
          if text.contains("\\u{1b}") { codes[command.name, default: 0] += 1 }
          if let found = Self.unsafe(in: text) {
            let shown = Visible.text(text, limit: 400)
            let typed = line.map(Visible.quoted).joined(separator: " ")
            Issue.record("OSCE_SEED=\(Self.seed) osce \(typed): \(found): \(shown)")
          }
        }
      }
    }
    #expect(runs > 2 * tree.count)
    for name in ["clock", "plan", "status", "missing", "journal", "export", "import"] {
      #expect(codes[name, default: 0] > 0, "\(name) has shown nothing of the store")
    }
  }

  /// What a terminal would obey, or is drawn over; a line feed, the terminal's own carriage return before it and that of
  /// the line which says how far a command has come are none of it.
  static func unsafe(in text: String) -> String? {
    let plain = text.replacing("\r\n", with: "\n")
      .replacing("\r" + String(repeating: " ", count: 50) + "\r", with: "")
      .replacing("\rosce: ", with: "").replacing("\rosce-hub: ", with: "")
    var marks = CombiningMarks()
    for scalar in plain.unicodeScalars {
      let code = String(scalar.value, radix: 16)
      if marks.isBeyond(scalar) { return "a flood of U+\(code)" }
      if scalar != "\n", UnsafeCharacter(scalar) != nil || scalar == "\u{FFFD}" { return "U+\(code)" }
    }
    return nil
  }

  @Test("the look at what arrives finds what it is there for")
  func look() {
    for scalar in ["\u{1B}", "\u{9B}", "\u{202E}", "\r", "\t", "\u{FFFD}", "\u{3164}"] {
      #expect(Self.unsafe(in: "a" + scalar + "b") != nil)
    }
    #expect(Self.unsafe(in: "e" + String(repeating: "\u{301}", count: 5)) != nil)
    #expect(Self.unsafe(in: "a\r\nb\n\\u{1b} e\u{301}") == nil)
  }

  @Test(
    "a word of the command line that nobody types is refused in one line",
    arguments: ["\u{1B}]52;c;eA==\u{7}", "a\nb", "\u{9B}2J", "a\u{202E}b", "a\u{2028}b", "\u{7F}", "a\tb"])
  func refusedWords(_ word: String) throws {
    let runner = try CommandRunner()
    let before = try runner.withStore { try $0.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM operation") } }
    for arguments in [
      ["clock", "1", "start", "--reason", word], ["clock", "1", "start", "--reason=" + word], ["plan", "--" + word],
      [word], ["mark", "--timetable", "1", "--staff", word],
    ] {
      let result = CommandRunner.run(arguments + ["--store", runner.store])
      #expect(result.code == 64 && result.output.isEmpty)
      #expect(result.failure.hasPrefix("osce: argument ") && result.failure.contains("control character U+"))
      #expect(result.failure.split(separator: "\n", omittingEmptySubsequences: false).count == 2)
      #expect(Self.unsafe(in: result.failure) == nil)
    }
    #expect(
      try runner.withStore { try $0.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM operation") } } == before)
  }

  @Test("a word that names nothing, or is no UTF-8, is refused by its place", arguments: ["", " ", "caf\u{FFFD}"])
  func emptyWords(_ word: String) throws {
    let said = word.contains("caf") ? "is not text in UTF-8" : "is empty"
    for command in ["backup", "restore", "feedback", "import", "new", "dossier"] {
      let result = CommandRunner.run([command, word])
      #expect(result.code == 64 && result.output.isEmpty)
      #expect(result.failure.hasPrefix("osce: argument 2 \(said)"))
    }
    if said == "is empty" {
      for (command, option) in [("journal", "--pack"), ("journal", "--unpack"), ("results", "--from")] {
        let result = CommandRunner.run([command, option, word])
        #expect(result.code == 64)
        #expect(result.failure == "osce: \(option) takes the path of a file; nothing was done\n")
      }
    }
    #expect(CommandRunner.run(["clock", "1", "stop", "--reason", ""]).failure.contains("argument") == false)
  }

  @Test(
    "a reason that is longer than what is stored of one is refused by the name of its option",
    arguments: ["clock 1 stop", "rule exclude --station RX", "close --lock"])
  func longReason(_ line: String) {
    let reason = ["--reason", String(repeating: "x", count: 65_537)]
    let result = CommandRunner.run(line.split(separator: " ").map(String.init) + reason)
    #expect(result.code == 64 && result.failure == "osce: --reason takes at most 65536 bytes; got 65537\n")
  }

  @Test("joiners and selectors, which spelling needs, are let in")
  func spelling() {
    for text in ["می\u{200C}خواهم", "👩\u{200D}⚕\u{FE0F}", "Zoë e\u{301}"] {
      #expect(TypedText.refused(in: text) == nil)
    }
  }
}

/// The commands as the parser describes them.
private struct CommandTree {
  struct Argument: Decodable {
    struct Name: Decodable { let kind: String, name: String }
    let kind: String
    let valueName: String?
    let isOptional: Bool
    let allValues: [String]?
    let names: [Name]?

    var option: String { "--" + (names?.first { $0.kind == "long" }?.name ?? "") }
  }

  struct Node: Decodable {
    let commandName: String
    let subcommands: [Node]?
    let arguments: [Argument]?
  }

  private struct Document: Decodable { let command: Node }

  /// The words that lead to the command.
  let path: [String]
  let arguments: [Argument]

  var name: String { path.joined(separator: " ") }

  static func read() throws -> [CommandTree] {
    let text = CommandRunner.run(["--experimental-dump-help"]).output
    let root = try JSONDecoder().decode(Document.self, from: Data(text.utf8)).command
    func all(_ node: Node, _ path: [String]) -> [CommandTree] {
      [CommandTree(path: path, arguments: node.arguments ?? [])]
        + (node.subcommands ?? []).flatMap { all($0, path + [$0.commandName]) }
    }
    return all(root, [])
  }

  /// Command lines: every value of every positional argument with every other's, then options alone, then all.
  func lines(_ exam: HostileStore) -> [[String]] {
    func values(_ argument: Argument) -> [String] {
      argument.allValues ?? exam.samples[argument.valueName ?? ""] ?? [HostileCommandsTests.typable]
    }
    let needed = arguments.filter { $0.kind == "option" && !$0.isOptional }.flatMap { [$0.option, values($0)[0]] }
    var starts: [[String]] = [path + needed]
    for argument in arguments where argument.kind == "positional" {
      let words = values(argument) + (argument.allValues == nil ? [HostileCommandsTests.typable] : [])
      starts = starts.flatMap { start in words.map { start + [$0] } + (argument.isOptional ? [start] : []) }
    }
    let options: [[String]] = arguments.flatMap { argument -> [[String]] in
      switch argument.kind {
      case "flag": [[argument.option]]
      case "option" where argument.option != "--store":
        (values(argument) + [HostileCommandsTests.typable]).map { [argument.option, $0] }
      default: []
      }
    }
    let every = arguments.filter { $0.kind == "option" && $0.option != "--store" }.flatMap {
      [$0.option, values($0)[0]]
    }
    // A file that is named is not shown.
    let shown = every.enumerated().filter { index, _ in
      every[index] != "--out" && (index == 0 || every[index - 1] != "--out")
    }
    let first = starts[0]
    let alone = starts.filter { $0.count == first.count }.flatMap { start in options.map { start + $0 } }
    return starts + alone.prefix(60) + [
      first + shown.map(\.element), first + ["--store", "/\u{3164}"], first + [HostileCommandsTests.hostile],
      path + ["--no-such-" + HostileCommandsTests.typable],
    ]
  }
}

/// An exam in which every text that people write is hostile.
private final class HostileStore {
  let folder: String
  private let store: Data
  /// Words for arguments by the parser's names of them.
  private(set) var samples: [String: [String]] = [:]
  private var copies = 0

  /// Texts that decide what a row is, or that the program compares: they are of a form of their own.
  private static let structural: Set<String> = [
    "date", "startTime", "endTime", "kind", "questionType", "durationType", "timeZone", "type", "key", "username",
    "forms",
    "target", "openSheet", "passcodeHash", "machine", "file", "level", "status", "appUUID", "entity", "role", "state",
    "processStart",
  ]

  init() throws {
    folder = try ScratchFolder.make()
    let store = try ExamStore(StoreLocation(path: folder + "/hostile.sqlite"), .createIfMissing)
    guard try ExamImport.load([Fixture.root + "/fixtures/hostile"], into: store).report != nil else {
      throw StoreError("the hostile exam cannot be imported")
    }
    let session = try store.read { try StationSession.all(in: $0).first { !$0.isRest && !$0.assessors.isEmpty }! }
    let entry = try store.read {
      try Roster.entries(timetable: session.timetable, seat: .lead, in: $0).first { $0.candidate != nil }!
    }
    let member = try store.read { try StaffMember.find(username: "esc", in: $0) }
    try store.write(Author(reason: HostileCommandsTests.hostile)) { transaction in
      _ = try ClockLog.append(.start, to: session.session, at: store.clock.now, in: transaction)
      let place = TerminalInfo(process: 1, tty: HostileCommandsTests.hostile, host: HostileCommandsTests.hostile)
      _ = try SignIn.begin(
        member, timetable: session.timetable, device: store.device, from: place, in: transaction)
      try Comments.add(HostileCommandsTests.hostile, to: .candidate(entry.key), in: transaction)
      try Comments.add(HostileCommandsTests.hostile, to: .station(session.timetable), in: transaction)
      try Comments.add(HostileCommandsTests.hostile, to: .circuit(session.circuit.id), in: transaction)
      try HostileStore.spoil(transaction)
    }
    samples = [
      "circuit": ["all", String(session.circuit.id)], "value": ["3"], "page": ["cli"], "seat": ["mark"],
      "action": ["status", "log", "start", "pause", "skip", "annul", "stop", "anchor"],
      "paths": [Fixture.root + "/fixtures/hostile", folder + "/none"], "path": [folder + "/copy.sqlite"],
      "folder": [folder + "/new", folder], "timetable": [String(session.timetable)], "staff": ["esc"],
      "entity": ["Student"], "id": [String(entry.candidate?.id ?? 1)], "exam": [Fixture.root + "/fixtures/hostile"],
      "at": ["2026-12-07T09:00:00Z"], "session": [session.session.name], "passage": ["1"], "out": [folder + "/out"],
      "subcommands": ["clock"],
    ]
    guard store.close() else { throw StoreError("the hostile store cannot be closed") }
    self.store = try Data(contentsOf: URL(fileURLWithPath: folder + "/hostile.sqlite"))
  }

  /// Gives every text of every row that is no structure the hostile one.
  private static func spoil(_ transaction: JournalTransaction) throws {
    for entity in Catalogue.standard.entities
    where !["Operation", "FormVersion", "SyncInformation"].contains(entity.name) {
      let texts = Catalogue.standard.allAttributes(of: entity).filter {
        $0.type == .string && $0.column != nil && $0.name != entity.primaryKey && $0.name != entity.storageKey
          && !structural.contains($0.name)
      }
      guard !texts.isEmpty, let table = Catalogue.standard.table(named: entity.table) else { continue }
      let kind = table.discriminator.map { " WHERE \"\($0)\" = '\(entity.name)'" } ?? ""
      let keys = try String.fetchAll(
        transaction.db, sql: "SELECT CAST(\"\(entity.storageKey)\" AS TEXT) FROM \"\(entity.table)\"\(kind)")
      for key in keys {
        let values = texts.map { ($0.name, Value.text(HostileCommandsTests.hostile)) }
        try transaction.set(entity.name, key, Dictionary(uniqueKeysWithValues: values))
      }
    }
  }

  /// A copy for one command.
  func copy() throws -> String {
    copies += 1
    let place = folder + "/run\(copies)"
    try FileManager.default.createDirectory(
      atPath: place, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let path = place + "/exam.sqlite"
    _ = FileManager.default.createFile(atPath: path, contents: store, attributes: [.posixPermissions: 0o600])
    return path
  }

  func remove() { try? FileManager.default.removeItem(atPath: folder) }
}

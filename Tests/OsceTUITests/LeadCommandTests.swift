import ExamStore
import Foundation
import GRDB
import Journal
import Synchronization
import SystemTesting
import Testing

@testable import CircuitModel
@testable import OsceTUI

@Suite("The exam lead's commands", .ahead) struct LeadCommandTests {
  /// An exam whose lead and office have passcodes, and files that hold them.
  private struct Guarded {
    let exam: CommandRunner
    let environment: [String: String]

    init() throws {
      exam = try CommandRunner()
      for (username, passcode) in [("cdubois", "first one"), ("kmensah", "second one")] {
        try exam.givePasscode(passcode, to: username)
        try passcode.write(toFile: exam.folder + "/" + username, atomically: true, encoding: .utf8)
      }
      environment = [
        "PATH": "/usr/bin:/bin", "HOME": exam.folder, "TMPDIR": exam.folder, "XDG_DATA_HOME": exam.folder,
        "LC_ALL": "C.UTF-8", "TERM": "xterm", "OSCE_STORE": exam.store,
        "OSCE_PASSCODE_FILE": exam.folder + "/cdubois", "OSCE_SECOND_PASSCODE_FILE": exam.folder + "/kmensah",
      ]
    }

    func run(_ arguments: String...) async throws -> String {
      let bytes = try #require(await TerminalCommand.output(arguments, environment))
      return String(decoding: bytes, as: UTF8.self).replacing("\r\n", with: "\n")
    }
  }

  @Test("where the exam lead has a passcode, loading, clocks and exports ask who it is; where nobody has, they do not")
  func guarded() async throws {
    let open = try CommandRunner()
    #expect(open.run("export", "marks").code == 0 && open.run("clock", "1", "start").code == 0)
    let guarded = try Guarded()
    let copy = guarded.exam.folder + "/guarded.sqlite"
    #expect(guarded.exam.run("backup", copy).code == 0)
    let tasks = [
      ["export", "marks"], ["clock", "1", "start"], ["results"], ["results", "--json"], ["close"],
      ["close", "--report", guarded.exam.folder + "/close.txt"], ["report", guarded.exam.folder + "/board.html"],
      ["dossier", "30107"], ["feedback", guarded.exam.folder + "/pages"], ["print", "sheets"], ["print", "list"],
      ["restore", copy], ["differences"], ["differences", "--all", "--json"], ["journal"], ["journal", "--json"],
    ]
    for line in tasks {
      let refused = CommandRunner.run(line + ["--store", guarded.exam.store])
      #expect(refused.code == 1 && refused.output.isEmpty, "\(line)")
      #expect(refused.failure.hasSuffix("asks who you are: --staff USERNAME\n"), "\(line): \(refused.failure)")
    }
    for name in ["close.txt", "board.html", "pages"] {
      #expect(!FileManager.default.fileExists(atPath: guarded.exam.folder + "/" + name), "\(name)")
    }
    #expect(guarded.exam.run("status").code == 0 && guarded.exam.run("clock", "1", "status").code == 0)
    #expect(try await guarded.run("export", "rulings", "--staff", "cdubois").hasPrefix("kind,date"))
    #expect(try await guarded.run("clock", "1", "start", "--staff", "cdubois").contains("ROTATION") == false)
    #expect(try await guarded.run("export", "marks", "--staff", "nokafor").contains("may not do this"))
    #expect(try await guarded.run("clock", "1", "pause", "--staff", "wbarker").contains("has no passcode"))
    #expect(try await guarded.run("clock", "1", "pause", "--staff", "kmensah").contains("may not do this"))
    #expect(try await guarded.run("clock", "1", "stop", "--staff", "cdubois").contains("REFUSED") == false)
    #expect(try await guarded.run("results", "--json", "--staff", "cdubois").contains("\"schema\":1"))
    #expect(try await guarded.run("close", "--json", "--staff", "cdubois").contains("\"identity\""))
    #expect(try await guarded.run("print", "list", "--staff", "cdubois").contains("Tick who is here"))
    #expect(try await guarded.run("restore", copy, "--staff", "nokafor").contains("may not do this"))
    #expect(try await guarded.run("restore", copy, "--staff", "cdubois").contains("restored from"))
  }

  @Test("closing looks for the second copy where the configuration file says that it goes")
  func secondCopy() async throws {
    let guarded = try Guarded()
    let config = guarded.exam.folder + "/config.yaml"
    try "backup: \(guarded.exam.folder)/second.sqlite\n".write(toFile: config, atomically: true, encoding: .utf8)
    chmod(config, 0o600)
    var environment = guarded.environment
    environment["OSCE_CONFIG"] = config
    let bytes = await TerminalCommand.output(["close", "--staff", "cdubois"], environment)
    let text = String(decoding: try #require(bytes), as: UTF8.self)
    #expect(text.contains("none yet at") && !text.contains("no timed backup"), "\(text)")
  }

  @Test(
    "a restore that cannot look into the store because another process has it replaces nothing",
    .timeLimit(.minutes(15))
  )
  func restoreBehindOthers() async throws {
    let guarded = try Guarded()
    let copy = guarded.exam.folder + "/busy.sqlite"
    #expect(guarded.exam.run("backup", copy).code == 0)
    let lock = try HeldLock(guarded.exam.store + ".lock")
    // Free again before a second wait would be over; the first may begin late on a slow machine.
    let release = Task {
      try await Task.sleep(for: .seconds(14))
      lock.release()
    }
    defer { release.cancel() }
    let text = try await guarded.run("restore", copy, "--wait", "8")
    #expect(text.contains("gave up after 8 s, nothing was changed") && !text.contains("restored"), "\(text)")
  }

  @Test("Ctrl-C at the question for a passcode leaves a terminal that shows what is typed") func interrupted()
    async throws
  {
    let guarded = try Guarded()
    var environment = guarded.environment
    environment["OSCE_PASSCODE_FILE"] = nil
    let looks = Mutex<[Bool]>([])
    let bytes = await TerminalCommand.output(
      ["export", "marks", "--staff", "cdubois"], environment,
      typing: ([3], { look in looks.withLock { $0.append(look) } }))
    #expect(String(decoding: try #require(bytes), as: UTF8.self).contains("Passcode of cdubois: "))
    #expect(looks.withLock { $0 } == [false, true])
  }

  @Test("Ctrl-D or Enter alone at the question for a passcode is no attempt", arguments: [4, 13] as [UInt8])
  func nothingTyped(key: UInt8) async throws {
    let guarded = try Guarded()
    var environment = guarded.environment
    environment["OSCE_PASSCODE_FILE"] = nil
    let bytes = await TerminalCommand.output(
      ["export", "marks", "--staff", "cdubois"], environment, typing: ([key], { _ in }))
    let text = String(decoding: try #require(bytes), as: UTF8.self)
    #expect(text.contains("osce: no passcode was given for Prof. Camille Dubois"), "\(text)")
    let attempts = try guarded.exam.withStore {
      try $0.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM passcodeAttempt") }
    }
    #expect(attempts == 0)
  }

  @Test("a passcode is read from a file or a pipe; what gives none is waited for with an end", .timeLimit(.minutes(15)))
  func passcodeFiles() async throws {
    let guarded = try Guarded()
    let pipe = guarded.exam.folder + "/pipe"
    #expect(mkfifo(pipe, 0o600) == 0)
    var environment = guarded.environment
    environment["OSCE_PASSCODE_FILE"] = pipe
    let command = ["export", "marks", "--staff", "cdubois"]
    let lead = try guarded.exam.withStore { try $0.read { try StaffMember.find(username: "cdubois", in: $0) } }
    let silent = #expect(throws: StoreError.self) {
      try PasscodeSource.passcode(of: lead, environment: environment, silence: 1_000)
    }
    #expect(silent?.description == "nothing was written to the passcode file \(pipe) for 1 s")
    #expect(PasscodeSource.longestSilence == 10_000)
    // Of another pipe: a program that another test starts has the first one's end until it runs.
    let other = guarded.exam.folder + "/other"
    #expect(mkfifo(other, 0o600) == 0)
    environment["OSCE_PASSCODE_FILE"] = other
    Thread.detachNewThread {
      let writing = open(other, O_WRONLY | O_CLOEXEC)
      _ = write(writing, "first one", 9)
      close(writing)
    }
    let given = try #require(await TerminalCommand.output(command, environment))
    #expect(!String(decoding: given, as: UTF8.self).contains("passcode"))
    let marked = guarded.exam.folder + "/marked"
    try "\u{FEFF}first one\r\n".write(toFile: marked, atomically: false, encoding: .utf8)
    environment["OSCE_PASSCODE_FILE"] = marked
    #expect(try PasscodeSource.passcode(of: lead, environment: environment) == "first one")
    environment["OSCE_PASSCODE_FILE"] = guarded.exam.folder
    let folder = try #require(await TerminalCommand.output(command, environment))
    #expect(String(decoding: folder, as: UTF8.self).contains("is neither a file nor a pipe"))
  }

  @Test("a restore asks nobody where no exam can be read, or none has a passcode") func restore() throws {
    let guarded = try Guarded()
    let copy = guarded.exam.folder + "/copy.sqlite"
    #expect(guarded.exam.run("backup", copy).code == 0)
    #expect(CommandRunner.run(["restore", copy, "--store", guarded.exam.folder + "/new.sqlite"]).code == 0)
    try "rubble".write(toFile: guarded.exam.store, atomically: false, encoding: .utf8)
    #expect(guarded.exam.run("restore", copy).code == 0)
    #expect(guarded.exam.run("restore", copy).code == 1, "what was restored guards itself")
  }

  @Test("rulings are made, listed and withdrawn by the exam lead alone") func rulings() async throws {
    let guarded = try Guarded()
    // Blanks around a number do not belong to it.
    let made = try await guarded.run(
      "rule", "exclude", "--candidate", "30107 ", "--reason", "Withdrawn", "--staff", "cdubois")
    #expect(made.hasPrefix("ruled: "))
    let key = made.dropFirst("ruled: ".count).trimmingCharacters(in: .whitespacesAndNewlines)
    // The export names each ruling as it is withdrawn.
    let exported = try await guarded.run("export", "rulings", "--staff", "cdubois").split(separator: "\n")
    #expect(exported[0].hasSuffix(",second_staff,time,key"))
    #expect(exported.contains { $0.hasPrefix("exclusion,,,,,30107,") && $0.hasSuffix(",\(key)") })
    #expect(
      try await guarded.run("rule", "exclude", "--candidate", "99", "--reason", "x", "--staff", "cdubois")
        .contains("candidate \"99\" is not in the exam"))
    #expect(
      try await guarded.run("rule", "exclude", "--candidate", "30107", "--reason", "x", "--staff", "nokafor")
        .contains("no exam lead"))
    #expect(
      try await guarded.run("rule", "withdraw", key, "--reason", "came after all", "--staff", "cdubois").contains(
        "withdrawn")
    )
  }

  @Test("what results cannot be made by is no ruling, and what is waived is one line, or one station's")
  func rulingsOnResults() async throws {
    let guarded = try Guarded()
    func asLead(_ line: String...) async throws -> String {
      String(
        decoding: try #require(
          await TerminalCommand.output(
            line + ["--reason", "as the board says", "--staff", "cdubois"], guarded.environment)),
        as: UTF8.self)
    }
    #expect(try await asLead("rule", "policy", "--pilot", "NOSUCH").contains("station \"NOSUCH\" is not in the exam"))
    #expect(try await asLead("rule", "policy", "--method", "fixed").contains("fixed cuts need one of each station"))
    #expect(try await asLead("rule", "waive", "unsigned").contains("waive takes --line or --station"))
    let unknown = try await asLead("rule", "waive", "cuts", "--line", "nosuch")
    #expect(
      unknown.contains(
        "no open line of cuts with the id nosuch; osce close --json lists every line with its id"), "\(unknown)")
    #expect(try await asLead("rule", "policy", "--exclude", "CHEST").hasPrefix("ruled: "))
    let policy = try await guarded.run("results", "--table", "policy", "--staff", "cdubois")
    #expect(policy.contains("as the board says") && !policy.contains("by an option"))
    // What was ruled stands beside the check that it is of, with the key that withdraws it.
    // The line of progress stands before it on a terminal.
    let closing = try await guarded.run("close", "--json", "--staff", "cdubois").drop { $0 != "{" }
    let report = try #require(try JSONSerialization.jsonObject(with: Data(closing.utf8)) as? [String: Any])
    let cuts = (report["checks"] as? [[String: Any]])?.first { $0["code"] as? String == "cuts" }
    let ruled = try #require((cuts?["ruled"] as? [[String: Any]])?.first)
    #expect(ruled["reason"] as? String == "as the board says" && ruled["staff"] as? String == "cdubois")
    let withdrawn = try #require(ruled["key"] as? String)
    #expect(try await asLead("rule", "withdraw", withdrawn).hasPrefix("withdrawn: \(withdrawn)"))
  }

  @Test("two different people lock what is in order, and nothing else") func lockedByTwo() async throws {
    let guarded = try Guarded()
    let refused = try await guarded.run("close", "--lock", "--staff", "cdubois", "--second", "kmensah")
    #expect(refused.contains("checks are open"))
    #expect(
      try await guarded.run("close", "--lock", "--staff", "cdubois", "--second", "cdubois").contains(
        "two different people"))
  }

  @Test("a copy, a link to one and a pack of what is not locked prove nothing") func nothingToProve() async throws {
    let guarded = try Guarded()
    let backup = guarded.exam.folder + "/copy.sqlite"
    #expect(guarded.exam.run("backup", backup).code == 0)
    let proof = guarded.exam.run("verify", backup, "--json")
    #expect(proof.code == 1 && proof.object["verified"] as? Bool == false)
    #expect(proof.object["first"] as? String == "nothing is locked in it")
    #expect(proof.failure.hasSuffix("osce: \(backup) is not what was locked: nothing is locked in it\n"))
    #expect(guarded.exam.run("verify", backup, "--hash", "12").code == 64)
    let link = guarded.exam.folder + "/link.sqlite"
    #expect(symlink(backup, link) == 0)
    #expect(guarded.exam.run("verify", link, "--json").object["first"] as? String == "nothing is locked in it")
    let nowhere = guarded.exam.folder + "/none/copy.sqlite"
    #expect(guarded.exam.run("verify", nowhere).failure == "osce: cannot read \(nowhere): No such file or directory\n")
    let pack = guarded.exam.folder + "/exam.pack"
    _ = try await guarded.run("journal", "--pack", pack, "--staff", "cdubois")
    let packed = guarded.exam.run("verify", pack, "--json")
    #expect(packed.code == 1 && packed.object["first"] as? String == "nothing is locked in it")
    #expect(packed.object["chains"] as? Bool == true && packed.object["results"] is NSNull)
  }

  @Test("a locked exam says that it is locked, in one line, to whatever would change it") func locked() throws {
    let exam = try CommandRunner()
    let before = exam.folder + "/before.sqlite"
    #expect(exam.run("backup", before).code == 0)
    try exam.withStore { store in
      let lead = try store.read { try StaffMember.find(username: "cdubois", in: $0).id }
      try store.write(.program) { try $0.lockExam(by: lead) }
    }
    let folder = exam.folder + "/exam"
    #expect(CommandRunner.run(["new", folder]).code == 0)
    let rota = exam.folder + "/rota.csv"
    try "candidate,CHEST\n30101,2\n30108,1\n".write(toFile: rota, atomically: true, encoding: .utf8)
    let why = ["--reason", "fire alarm rang", "--staff", "cdubois"]
    let clocks = ["start", "pause", "resume", "extend 30", "skip", "restart", "jump 2", "rounds 3", "stop"]
    var tasks: [[String]] = clocks.map { "clock BLUE \($0)".split(separator: " ").map(String.init) }
    tasks += [["import", folder], ["import", "--rota", rota], ["clock", "all", "start"]]
    tasks.append(["rule", "exclude", "--candidate", "30101"] + why)
    tasks.append(["rule", "excuse", "--station", "RX", "--candidate", "30101"] + why)
    tasks.append(["rule", "policy", "--k", "2"] + why)
    tasks.append(["rule", "waive", "cuts", "--station", "RX"] + why)
    tasks.append(["rule", "adjudicate", "CONSENT", "30101", "--mean"] + why)
    for task in tasks {
      let result = CommandRunner.run(task + ["--store", exam.store])
      #expect(result.code == 1 && result.output.isEmpty, "\(task)")
      let line = result.failure.split(separator: "\n").filter { !$0.contains("warning: ") }
      #expect(line.count == 1 && line[0].contains("the exam is locked since 20"), "\(task): \(result.failure)")
    }
    // Nothing unlocks by itself: not by a state from before the lock either, unless that is asked for.
    let refused = exam.run("restore", before)
    #expect(refused.code == 1 && refused.failure.contains("is from before the lock"), "\(refused.failure)")
    let after = exam.folder + "/after.sqlite"
    #expect(exam.run("backup", after).code == 0 && exam.run("restore", after).code == 0)
    #expect(exam.run("restore", before, "--force").code == 0)
    #expect(exam.run("rule", "exclude", "--candidate", "30101", "--reason", "x", "--staff", "cdubois").code == 0)
  }

  @Test("what takes long on a large exam says on a terminal how far it is, and leaves none of that there")
  func progress()
    async throws
  {
    let guarded = try Guarded()
    let (folder, lead) = (guarded.exam.folder, ["--staff", "cdubois"])
    #expect(guarded.exam.run("backup", folder + "/copy.sqlite").code == 0)
    let commands: [([String], String)] = [
      (["export", "marks", "--out", folder + "/marks.csv"] + lead, "reading marks"),
      (["export", "all", "--format", "xlsx", "--out", folder + "/all.xlsx"] + lead, "packing the workbook"),
      (["verify", folder + "/copy.sqlite"], "computing the results"),
      (["feedback", folder + "/pages"] + lead, "wrote 30 of 30 pages"),
      (["backup", folder + "/second.sqlite"], "copying and verifying"), (["outbox"], "reading what waits"),
      (["journal", "--pack", folder + "/a.pack"], "reading the journal"),
      (["journal", "--unpack", folder + "/a.pack"], "checking the pack"),
      (["print", "sheets", "--out", folder + "/sheets.txt"] + lead, "writing sheets"),
      (["import", Fixture.root + "/fixtures/year3-osce"] + lead, "importing"),
      (
        ["rule", "waive", "cuts", "--station", "CHEST", "--reason", "as the board asked"] + lead, "waived 1 of 1 lines"
      ),
      (["close", "--lock", "--second", "kmensah"] + lead, "examining the store"),
    ]
    let blank = "\r" + String(repeating: " ", count: 50) + "\r"
    for (arguments, said) in commands {
      let bytes = try #require(await TerminalCommand.output(arguments, guarded.environment))
      let text = String(decoding: bytes, as: UTF8.self)
      let last = try #require(text.range(of: "\rosce: \(said)", options: .backwards), "\(arguments): \(text)")
      #expect(text[last.upperBound...].contains(blank), "\(arguments)")
      // Nothing of it goes where the output is read by a program.
      let piped = CommandRunner.run(arguments + (arguments[0] == "verify" ? [] : ["--store", guarded.exam.store]))
      #expect(!piped.failure.contains(said) && !piped.output.contains("\r"), "\(arguments)")
    }
  }

  @Test("how far a command has come stays in one line of a narrow terminal")
  func narrowProgress() async throws {
    let guarded = try Guarded()
    let command = ["backup", guarded.exam.folder + "/copy.sqlite"]
    let bytes = try #require(await TerminalCommand.output(command, guarded.environment, columns: 20))
    let said = String(decoding: bytes, as: UTF8.self).split(separator: "\r").filter { !$0.contains("\r\n") }
    #expect(said.contains { $0.hasPrefix("osce: copying") } && said.allSatisfy { $0.count < 20 }, "\(said)")
  }

  @Test("the plan fits 80 columns, and is asked for a circuit, a station, an assessor or a candidate") func plan()
    throws
  {
    let exam = try CommandRunner()
    let whole = exam.run("plan")
    #expect(whole.output.split(separator: "\n").allSatisfy { $0.count <= 80 })
    #expect(exam.run("status").output.split(separator: "\n").allSatisfy { $0.count <= 80 })
    let way = exam.run("plan", "--candidate", "30107").output
    #expect(way.contains("Ms Maja Eriksson") && way.contains("09:01  round 1") && way.contains("rest"))
    // The adjustments are wrapped: they are as long as somebody wrote them.
    #expect(way.hasPrefix("30107 Ms Maja Eriksson · 15 s more reading, 2 min more at each station"))
    let lines = way.split(separator: "\n")
    #expect(lines.count == 11 && lines.allSatisfy { $0.count <= 80 }, "\(way)")
    let sessions = exam.run("plan", "--assessor", "nokafor", "--json").object["sessions"] as? [[String: Any]]
    #expect((sessions?.first?["stations"] as? [[String: Any]])?.map { $0["station"] as? String } == ["CHEST"])
    #expect(exam.run("plan", "--station", "NOPE").code == 1 && exam.run("plan", "--candidate", "NOPE").code == 1)
    let total = exam.run("status", "--circuit", "Blue circuit", "--station", "ABDO", "--json").object["total"]
    #expect((total as? [String: Any])?["expected"] as? Int == 16)
  }

  @Test("one assessor's sheet is ruled out by its seat, begun or not; a seat wants a candidate at a station")
  func seatRuledOut() throws {
    let exam = try CommandRunner()
    let why = ["--reason", "taken ill", "--staff", "cdubois"]
    let made = CommandRunner.run(
      ["rule", "exclude", "--station", "CONSENT", "--candidate", " 30103", "--seat", "rfitzgerald"] + why
        + ["--store", exam.store])
    #expect(made.code == 0 && made.output.hasPrefix("ruled: "), "\(made)")
    let closing = try #require(
      try JSONSerialization.jsonObject(with: Data(exam.run("close", "--json").output.utf8)) as? [String: Any])
    let identity = try #require(closing["identity"] as? [String: Any])
    #expect(identity["excluded"] as? Int == 1)
    for line in [["--seat", "lead", "--station", "CONSENT"], ["--seat", "lead", "--candidate", "30103"]] {
      #expect(CommandRunner.run(["rule", "exclude"] + line + why + ["--store", exam.store]).code == 64, "\(line)")
    }
    let unknown = CommandRunner.run(
      ["rule", "exclude", "--station", "CHEST", "--candidate", "30103", "--seat", "seat 2"] + why
        + ["--store", exam.store])
    #expect(unknown.code == 1 && unknown.failure.filter { $0 == "\n" }.count == 1, "\(unknown)")
  }
}

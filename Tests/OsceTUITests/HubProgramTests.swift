import Foundation
import GRDB
import SystemTesting
import Testing

/// The hub's program, and the uploader's, as a shell runs them.
@Suite("The hub's program", .enabled(if: Tmux.isHere), .ahead) struct HubProgramTests {
  private let folder: String
  private let environment: [String: String]

  init() throws { try self.init(in: ScratchFolder.make()) }

  private init(in folder: String) {
    self.folder = folder
    environment = [
      "PATH": "/usr/bin:/bin", "HOME": folder, "TMPDIR": folder, "XDG_DATA_HOME": folder, "LC_ALL": "C.UTF-8",
      "TERM": "xterm", "OSCE_HUB": folder + "/hub",
    ]
  }

  /// The files of a hub with the year 3 exam by their names: imported once, because that takes a while.
  private static let importedHub = Task {
    let tests = HubProgramTests(in: try ScratchFolder.make())
    defer { try? FileManager.default.removeItem(atPath: tests.folder) }
    #expect(try await tests.run(["import", Fixture.root + "/fixtures/year3-osce"]).contains("rows added"))
    let hub = tests.folder + "/hub"
    return try FileManager.default.contentsOfDirectory(atPath: hub).map {
      ($0, try Data(contentsOf: URL(fileURLWithPath: hub + "/" + $0)))
    }
  }

  /// Makes the hub one with the year 3 exam.
  private func copyImportedHub() async throws {
    let files = try await Self.importedHub.value
    let permissions: [FileAttributeKey: Any] = [.posixPermissions: 0o700]
    try FileManager.default.createDirectory(
      atPath: folder + "/hub", withIntermediateDirectories: true, attributes: permissions)
    for (name, bytes) in files {
      #expect(
        FileManager.default.createFile(
          atPath: folder + "/hub/" + name, contents: bytes, attributes: [.posixPermissions: 0o600]))
    }
  }

  private var database: String { folder + "/hub/hub.sqlite" }

  private func run(_ arguments: [String], program: String = "osce-hub") async throws -> String {
    let bytes = try #require(await TerminalCommand.output(arguments, environment, program: program))
    return String(decoding: bytes, as: UTF8.self).replacing("\r\n", with: "\n")
  }

  /// Starts the hub, and waits until it listens.
  private func serve() async throws -> Process {
    let said = folder + "/serve.log"
    #expect(FileManager.default.createFile(atPath: said, contents: nil))
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Tmux.program! + "-hub")
    process.arguments = ["serve", "--plain", "--listen", "127.0.0.1:0"]
    process.environment = environment
    process.standardOutput = FileHandle(forWritingAtPath: said)
    process.standardError = FileHandle.nullDevice
    try process.run()
    #expect(try await Tmux.holds { try String(contentsOfFile: said, encoding: .utf8).contains("listens at") })
    return process
  }

  @Test("help is whole on a terminal too narrow for its columns", arguments: ["osce", "osce-hub", "osce-sync"])
  func narrowHelp(program: String) async throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let wide = try await run(["--help"], program: program).split(whereSeparator: \.isWhitespace)
    #expect(wide.first == "OVERVIEW:")
    let narrow = try #require(await TerminalCommand.output(["--help"], environment, program: program, columns: 20))
    #expect(String(decoding: narrow, as: UTF8.self).split(whereSeparator: \.isWhitespace) == wide)
    for columns in ["1", "26"] {
      let asked = environment.merging(["COLUMNS": columns]) { $1 }
      let bytes = try #require(await TerminalCommand.output(["--help"], asked, program: program))
      #expect(String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace) == wide)
    }
  }

  @Test("no command of hub and uploader sends a terminal what it would obey, whatever names, words and paths hold")
  func hostile() async throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let word = HostileCommandsTests.hostile
    #expect(try await run(["import", Fixture.root + "/fixtures/hostile", "--name", word]).contains("rows added"))
    let numbers = try String(contentsOfFile: Fixture.root + "/fixtures/hostile/candidates.csv", encoding: .utf8)
    let number = try #require(numbers.split(whereSeparator: \.isNewline).dropFirst().first?.split(separator: ",").first)
    let shown = [
      ["export"], ["subject-export", String(number)], ["exams"], ["devices"], ["devices", "--json"], ["doctor"],
      ["audit"], ["audit", "--json"],
      ["retain", "--dry-run"], ["retain", "--dry-run", "--json"], ["quarantined"], ["quarantined", "--json"],
    ]
    let wrong = [
      [word], ["--" + word], ["export", "--file", folder + "/\u{1B}[31m\u{202E}"], ["export", "--exam", word],
      ["subject-export", word], ["erase", word], ["restore", word], ["revoke", word], ["fill", word],
      ["admit", word, "--reason", "x"], ["code", "--role", word], ["code", "--circuit", word],
      ["serve", "--listen", word], ["exams", "--data", folder + "/" + word], ["import", folder + "/" + word],
    ]
    for line in shown + wrong {
      let text = try await run(line)
      #expect(!text.isEmpty)
      #expect(HostileCommandsTests.unsafe(in: text) == nil, "osce-hub \(line.joined(separator: " ").debugDescription)")
    }
    for line in shown[0...2] { #expect(try await run(line).contains("\\u{")) }
    for line in [[word], ["--" + word], ["enrol", word, word], ["now", "--store", folder + "/" + word]] {
      let text = try await run(line, program: "osce-sync")
      #expect(!text.isEmpty && HostileCommandsTests.unsafe(in: text) == nil, "osce-sync \(line.debugDescription)")
    }
  }

  @Test("a restore keeps all that was acknowledged, replaces nothing beside a running hub, and keeps each earlier one")
  func restore() async throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let copy = folder + "/copy.sqlite"
    #expect(try await run(["restore", copy]).contains("cannot read"))
    try await copyImportedHub()
    #expect(try await run(["export", "--file", copy]).contains("written"))
    #expect(try await run(["export", "--file", copy]).contains("already exists"))
    let hub = try await serve()
    let before = try Data(contentsOf: URL(fileURLWithPath: database))
    #expect(try await run(["restore", copy]).contains("stop the hub first"))
    #expect(try Data(contentsOf: URL(fileURLWithPath: database)) == before)
    kill(hub.processIdentifier, SIGKILL)
    await offPool { hub.waitUntilExit() }
    // What the killed hub had acknowledged lies in its log alone.
    let writer = try DatabasePool(path: database)
    try await writer.write { try $0.execute(sql: "CREATE TABLE acknowledged (a)") }
    for _ in 1...2 { #expect(try await run(["restore", copy]).contains("kept as")) }
    try writer.close()
    let kept = try DatabaseQueue(path: database + ".before-restore")
    #expect(try await kept.read { try $0.tableExists("acknowledged") })
    #expect(FileManager.default.fileExists(atPath: database + ".before-restore-2"))
    let key = folder + "/hub/hub-key.pem"
    #expect(FileManager.default.createFile(atPath: key, contents: nil))
    #expect(try await !run(["restore", copy]).contains("has no key"))
    try FileManager.default.removeItem(atPath: key)
    #expect(try await run(["restore", copy]).contains("has no key: copy hub-key.pem and hub-certificate.pem"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder + "/hub").allSatisfy { !$0.contains("part") })
  }

  @Test("of what was imported the hub has everything, its list says so, and the import's own place is taken away")
  func imported() async throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try await copyImportedHub()
    let devices = try await run(["devices"]).split(separator: "\n")
    #expect(devices.count == 2 && devices.allSatisfy { $0.contains(", 0 wait there") }, "\(devices)")
    #expect(devices.filter { $0.contains("  office  ") && $0.contains("; revoked") }.count == 1, "\(devices)")
    #expect(try await run(["exams"]).contains(" entries, 2 devices\n"))
  }

  @Test("of an import that did not get to the end the hub says so and gives no code, until it is run again")
  func interrupted() async throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try await copyImportedHub()
    let hub = try DatabaseQueue(path: database)
    try await hub.write { try $0.execute(sql: "UPDATE exam SET importing = 1") }
    try hub.close()
    let text = "or its import was interrupted: if none is running, run osce-hub import again with --exam "
    for command in [["exams"], ["doctor"], ["code", "--plain"]] { #expect(try await run(command).contains(text)) }
    let year3 = Fixture.root + "/fixtures/year3-osce"
    #expect(
      try await run(["import", year3, "--name", "other"]).contains("the hub has 'year3-osce': --new makes another"))
    let said = try await run(["import", year3])
    #expect(said.contains("\rosce-hub: exchanging with the hub, page 2") && said.contains("rows added"), "\(said)")
    #expect(try await run(["exams"]).contains(" entries, 2 devices\n"))
    #expect(try await run(["doctor"]).contains(": sound, "))
    #expect(try await run(["code", "--plain"]).contains("CODE = "))
  }

  @Test("a station's code that names no part of the exam says that it gives the whole, and no other code does")
  func wholeCode() async throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try await copyImportedHub()
    let words = "osce-hub: this code gives the whole exam; "
    #expect(try await run(["code", "--plain"]).contains(words))
    for more in [["--whole"], ["--role", "desk"], ["--role", "office"]] {
      let said = try await run(["code", "--plain"] + more)
      #expect(said.contains("CODE = ") && !said.contains(words), "\(said)")
    }
  }

  @Test("an erasure says what the exam's folder must not bring back") func erased() async throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try await copyImportedHub()
    let said = try await run(["erase", "30101", "--yes", "--reason", "asked"])
    #expect(said.contains("take the candidate out of candidates.csv, and write 'empty' in their place in slots"))
  }

  @Test("a code makes no key at a hub whose terminals have their places by one that is gone")
  func lostKey() async throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try await copyImportedHub()
    #expect(try await run(["code", "--whole"]).contains("CODE = "))
    let key = folder + "/hub/hub-key.pem"
    try FileManager.default.removeItem(atPath: key)
    let file = try DatabaseQueue(path: database)
    try await file.write { try $0.execute(sql: "UPDATE device SET role = 'station'") }
    try file.close()
    #expect(
      try await run(["code", "--whole"]) == "osce-hub: no hub-key.pem in \(folder)/hub: copy it from the hub\n")
    #expect(!FileManager.default.fileExists(atPath: key))
  }

  @Test("an import leaves no store behind, takes away that of one that was killed, and none that is in use")
  func importFolders() async throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let names = ["killed", "used", "young"].map { "osce-hub-import-\($0)" }
    for name in names {
      let path = "\(folder)/\(name)"
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
      try "candidates".write(toFile: path + "/import.sqlite", atomically: true, encoding: .utf8)
      if name.hasSuffix("young") { continue }
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: -3600)], ofItemAtPath: path)
    }
    let use = open("\(folder)/\(names[1])/import.sqlite.use", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    defer { close(use) }
    #expect(use >= 0 && flock(use, LOCK_SH) == 0)
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -3600)], ofItemAtPath: "\(folder)/\(names[1])")
    #expect(try await run(["import", Fixture.root + "/fixtures/year3-osce"]).contains("rows added"))
    let left = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.contains("import-") }
    #expect(Set(left) == Set(names[1...]))
  }

  @Test("another exam is not imported into the one that is here, and no two have one name") func otherExam()
    async throws
  {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let (kinds, other) = (Fixture.root + "/fixtures/all-kinds", Fixture.root + "/fixtures/hostile")
    #expect(try await run(["import", kinds, "--name", "Kinds"]).contains("rows added"))
    let before = try await run(["export"])
    for words in [[other], [other, "--name", "Hostile"], [kinds, "--name", "Hostile"]] {
      #expect(
        try await run(["import"] + words).contains(
          "the hub has 'Kinds': --new makes another exam, --exam updates that one"))
    }
    let wrong = [
      (["--new", "--exam", "nope"], "leave out --exam"), (["--name", " "], "--name takes a name"),
      (["--exam", ""], "--exam takes a name"), (["--exam", "Kinds", "--name", "x"], "leave out --exam or --name"),
    ]
    for (words, said) in wrong { #expect(try await run(["import", other] + words).contains(said)) }
    #expect(try await run(["import", other, "--new", "--name", "Kinds"]).contains("has an exam 'Kinds' already"))
    #expect(try await run(["export"]) == before)
    for words in [[], ["--name", "Kinds"], ["--exam", "Kinds"]] {
      #expect(try await run(["import", kinds] + words).contains("exam "))
    }
    #expect(try await run(["import", other, "--new", "--name", "Hostile"]).contains("rows added"))
    #expect(try await run(["exams"]).contains("Hostile"))
  }

  private static let signedSheet = #"""
    {"entities": {
      "Config": [{"dsid": 1, "examName": "E", "timeZone": "UTC"}],
      "Staff": [{"dsid": 1, "username": "ann", "surname": "Ann"}],
      "TypeForm": [{"dsid": 3, "name": "F"}], "TypeSection": [{"dsid": 4, "name": "Sec"}],
      "SectionToForm": [{"dsid": 5, "form": 3, "section": 4}],
      "TypeQuestion": [
        {"dsid": 6, "text": "a", "key": "a", "questionType": "rating", "lowest": 0, "numberOfOptions": 11}],
      "QuestionToSection": [{"dsid": 16, "question": 6, "section": 4, "order": 1}],
      "ClinicGroup": [{"dsid": 9, "name": "Red"}],
      "CircuitStationDuration": [
        {"dsid": 9, "clinicGroup": 9, "order": 1, "durationType": "rotation", "duration": 5}],
      "ActivityType": [{"dsid": 10, "name": "First", "code": "S1", "clinicGroup": 9}],
      "AvailableForm": [{"dsid": 11, "activityType": 10, "typeForm": 3}],
      "Timetable": [{"dsid": 12, "activityType": 10, "date": "2026-11-28", "startTime": "06:00", "staff": 1}],
      "Student": [{"dsid": 13, "studentNumber": "200", "surname": "One"}],
      "TimetableAttendanceLog": [{"uuid": "entry", "timetable": 12, "student": 13, "order": 1}],
      "DataForm": [
        {"uuid": "sheet", "type": 3, "attendanceLog": "entry", "judgedBy": 1, "version": null,
          "signedAt": "2026-11-28T06:00:00Z", "signedBy": 1}]}}
    """#

  @Test("a refused import says why in words, and names only options that the program has") func refusedImport()
    async throws
  {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let (signed, gone) = (folder + "/signed.json", folder + "/gone.json")
    try Self.signedSheet.write(toFile: signed, atomically: true, encoding: .utf8)
    try #"{"entities": {"ClinicGroup": [{"dsid": 9, "name": "Red", "dsDeleted": true}]}}"#
      .write(toFile: gone, atomically: true, encoding: .utf8)
    for program in ["osce-hub", "osce"] {
      #expect(try await run(["import", signed], program: program).contains("rows added"))
    }
    let refusal = "1 signed sheet of station S1 would stop counting; nothing was imported"
    #expect(try await run(["import", gone, "--exam", "signed"]).hasSuffix("osce-hub: \(refusal)\n"))
    #expect(
      try await run(["import", gone], program: "osce").hasSuffix("osce: \(refusal): --force imports anyway\n"))
  }

  @Test(
    "an export leaves what lies beside its path, and a FIFO and an empty file are no backup", .timeLimit(.minutes(15)))
  func files() async throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try await copyImportedHub()
    for end in [".lock", "-wal", "-shm"] {
      try end.write(toFile: folder + "/x" + end, atomically: true, encoding: .utf8)
    }
    #expect(try await run(["export", "--file", folder + "/x"]).contains("written"))
    for end in [".lock", "-wal", "-shm"] {
      #expect(try String(contentsOfFile: folder + "/x" + end, encoding: .utf8) == end)
    }
    #expect(mkfifo(folder + "/queue", 0o600) == 0)
    #expect(try await run(["restore", folder + "/queue"]).contains("is not a file"))
    #expect(FileManager.default.createFile(atPath: folder + "/empty", contents: Data()))
    #expect(try await run(["restore", folder + "/empty"]).contains("holds no exam"))
    let junk = folder + "/junk.json"
    try "{\"a\": 1}".write(toFile: junk, atomically: true, encoding: .utf8)
    let terminal = try CommandRunner()
    for file in [junk, terminal.store] {
      #expect(try await run(["restore", file]) == "osce-hub: \(file) is not a hub's database; nothing was changed\n")
    }
    #expect(try await run(["exams"]).contains("year3-osce"))
  }

  @Test("root makes no file in a folder that is another's", .enabled(if: geteuid() == 0)) func othersFolder()
    async throws
  {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let hub = folder + "/hub"
    #expect(mkdir(hub, 0o700) == 0)
    for (owner, name) in [(12_345, "'#12345'"), (65_534, "nobody")] as [(uid_t, String)] {
      #expect(chown(hub, owner, owner) == 0)
      let said = try await run(["import", Fixture.root + "/fixtures/year3-osce"])
      #expect(said.contains("is not root's: run this as its owner: sudo -u \(name) "), "\(said)")
      #expect(try FileManager.default.contentsOfDirectory(atPath: hub).isEmpty)
    }
  }

  @Test("what is mistyped is said in one line, and makes no hub", .timeLimit(.minutes(15))) func mistyped() async throws
  {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let file = folder + "/file"
    try "x".write(toFile: file, atomically: true, encoding: .utf8)
    let wrong = [
      (["exams"], "no hub at \(folder)/hub: "), (["export", "--file", folder + "/x"], "no hub at \(folder)/hub: "),
      (["exams", "--data", file], "\(file) is not a folder"), (["serve", "--data", "/proc/x"], "cannot be made"),
      (["exams", "--data", ""], "--data takes the path of a folder"),
      (["code", "--uses", "-1"], "--uses takes 1 to 1000"), (["export", "--file", ""], "--file takes"),
      (["restore", ""], "argument 2 is empty"),
      (["serve", "--require-standby"], "--require-standby is for a hub on PostgreSQL"),
      (["erase", "1", "--reason", "one\ntwo"], "--reason takes a line"),
    ]
    for (words, said) in wrong {
      let text = try await run(words)
      #expect(text.contains(said) && text.filter { $0 == "\n" }.count == 1, "\(text)")
      #expect(!FileManager.default.fileExists(atPath: folder + "/hub"))
    }
    let exam = "0192f0c0-0000-7000-8000-00000000e0a1"
    for _ in 0..<2 { #expect(try await run(["fill", exam]).contains("ready: osce-hub code")) }
    let device = try #require(try await run(["devices"]).split(separator: " ").first)
    #expect(try await run(["revoke", String(device)]).contains("is the hub's own device"))
    #expect(try await run(["serve", "--listen", "nohost.invalid:8443"]).contains("no such address"))
  }

  @Test("a hub's database that is empty, cut or no file is told in one line, by doctor too", .timeLimit(.minutes(15)))
  func brokenDatabase() async throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try await copyImportedHub()
    let whole = try Data(contentsOf: URL(fileURLWithPath: database))
    for (bytes, said) in [(Data(), "is empty: nothing is left of a hub"), (whole.prefix(150_000), "is damaged")] {
      for name in ["hub.sqlite-wal", "hub.sqlite-shm"] {
        try? FileManager.default.removeItem(atPath: folder + "/hub/" + name)
      }
      try bytes.write(to: URL(fileURLWithPath: database))
      for command in ["doctor", "exams"] {
        let text = try await run([command])
        #expect(text.hasPrefix("osce-hub: \(database) \(said)") && text.filter { $0 == "\n" }.count == 1, "\(text)")
      }
    }
    try FileManager.default.removeItem(atPath: database)
    #expect(mkfifo(database, 0o600) == 0)
    #expect(try await run(["doctor"]) == "osce-hub: \(database) is not a file; nothing was changed\n")
  }

  @Test("an enrolment that finds no hub leaves no store", .timeLimit(.minutes(15))) func noHub() async throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let store = folder + "/new.sqlite"
    let words = ["enrol", "http://127.0.0.1:1", "AAAA-AAAA-AAAA-AAAA-AAAA-AAAA", "--store", store]
    #expect(try await run(words, program: "osce-sync").contains("no contact with the hub"))
    #expect(!FileManager.default.fileExists(atPath: store))
  }

  @Test("a command behind a held lock gives up in one line", .timeLimit(.minutes(15))) func held() async throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try await copyImportedHub()
    let exams = try (0..<3).map { _ in try CommandRunner() }
    let commands = [
      ("osce-hub", ["exams"]), ("osce-sync", ["now", "--store", exams[0].store]),
      ("osce", ["sync", "--store", exams[1].store]),
      ("osce", ["enrol", "http://127.0.0.1:1", "AAAA-AAAA-AAAA-AAAA-AAAA-AAAA", "--store", exams[2].store]),
    ]
    let locks = try ([database] + exams.map(\.store)).map { try HeldLock($0 + ".lock") }
    try await withThrowingTaskGroup(of: (String, String).self) { group in
      for (program, words) in commands {
        group.addTask { (program, try await run(words + ["--wait", "1"], program: program)) }
      }
      for try await (program, text) in group {
        #expect(text.contains("gave up after 1 s") && text.filter { $0 == "\n" }.count == 1, "\(program): \(text)")
      }
    }
    for lock in locks { lock.release() }
  }
}

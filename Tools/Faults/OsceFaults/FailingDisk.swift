import ArgumentParser
import CRig
import CircuitModel
import ExamStore
import GRDB
import Glibc
import Rig

/// A disk that takes nothing for a while, under somebody who marks.
struct FailingDisk: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "full",
    abstract:
      "Disk full, failing, read-only, store locked: what is typed is saved, or is seen not to be and comes back.")

  @Option(help: "How long a stopped process keeps the store, in seconds.") var seconds = 10
  @Flag(help: "Shows what the assessor sees.") var shows = false
  @OptionGroup var measuring: MeasuringOptions

  func run() throws {
    guard rig_private_mounts() == 0 else {
      throw RigError("no mounts of its own: \(String(cString: strerror(errno))); run it as root")
    }
    let disk = try ScratchFolder(in: measuring.folder)
    guard rig_mount_memory(disk.path, 65_536) == 0 else {
      throw RigError("no disk in memory: \(String(cString: strerror(errno)))")
    }
    defer {
      rig_unmount(disk.path)
      disk.remove()
    }
    try play("disk full", says: "the disk is full", on: disk) { _ in
      let filler = disk.file("filler")
      FailingDisk.fill(filler)
      return { unlink(filler) }
    }
    try play("disk fails (EIO)", says: "the disk failed", on: disk) { process in
      let errors = try InjectedErrors("EIO", of: ["pwrite64", "fdatasync", "fsync"], in: process)
      return { errors.lift() }
    }
    try play("disk turned read-only (EROFS)", says: "the disk failed", on: disk) { process in
      let errors = try InjectedErrors("EROFS", of: ["pwrite64", "fdatasync", "fsync"], in: process)
      return { errors.lift() }
    }
    try openReadOnly(on: disk)
    try readFull(on: disk)
    try lockedStore(on: disk)
  }

  private var osce: String { measuring.osce }

  /// Fills the disk to its last block.
  private static func fill(_ path: String) {
    let file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    let block = [UInt8](repeating: 0x55, count: 4096)
    while Glibc.write(file, block, block.count) > 0 {}
    close(file)
  }

  // MARK: A fault and its end

  private static let feedback = "Asked about the pain at once"
  private static let comment = "Came two minutes late"

  private func play(
    _ fault: String, says reason: String, on disk: ScratchFolder, _ begin: (Int32) throws -> () -> Void
  ) throws {
    let station = try MarkingStation(in: disk.path)
    defer { station.scratch.remove() }
    let session = try station.open(osce)
    try type("1", at: session, "item 1") { MarkSheetScreen($0).marks[1] == 1 }
    try type("0", at: session, "item 2") { MarkSheetScreen($0).marks[2] == 0 }

    let lift = try begin(session.child.process)
    try type("1", at: session, "item 3 as not saved") { $0.shows("3 !") && $0.shows("item 3 NOT SAVED: \(reason)") }
    try type("0", at: session, "item 4 as not saved") { $0.shows("4 !") && $0.shows("item 4 NOT SAVED: \(reason)") }
    show(session, fault)
    try write(FailingDisk.feedback, "e", "Feedback on item 5", at: session, "the text is NOT SAVED; open it again")
    try type("c", at: session, "the comments") { $0.shows("Comments on candidate") }
    try write(FailingDisk.comment, "n", "New comment", at: session, "the comment is NOT SAVED; open it again")
    show(session, fault)
    try type("q", at: session, "the sheet") { MarkSheetScreen($0).isOpen }
    let clock = session.screen.lines[0]
    session.pump(until: now() + 2_200_000_000)
    var faults: [String] = []
    if session.screen.lines[0] == clock { faults.append("the clock stood still") }
    let drawn = MarkSheetScreen(session.screen).marks
    if drawn != [1: 1, 2: 0] { faults.append("the sheet shows the marks \(drawn)") }

    lift()
    try type("'3\r", at: session, "item 3") { MarkSheetScreen($0).focused == 3 }
    try type("1", at: session, "item 3 marked again") { MarkSheetScreen($0).marks[3] == 1 }
    try type("0", at: session, "item 4 marked again") { MarkSheetScreen($0).marks[4] == 0 }
    try type("e", at: session, "the text that was kept") { $0.shows(FailingDisk.feedback) }
    try type("\u{1B}", at: session, "the text saved") { $0.shows("item 5: text saved") }
    try type("c", at: session, "the comments") { $0.shows("Comments on candidate") }
    try type("n", at: session, "the comment that was kept") { $0.shows(FailingDisk.comment) }
    try type("\u{1B}", at: session, "the comment saved") {
      $0.shows("[staff only] \(FailingDisk.comment)")
    }
    session.child.type("q")
    session.pump(quiet: 100)
    try quit(session)
    faults += try look(station, marks: [1, 0, 1, 0])
    try report("full, \(fault)", faults)
    print(
      "full: \(fault): 2 marks, a feedback and a comment shown as NOT SAVED with the reason, the clock went on; "
        + "afterwards marked and opened again, all saved; doctor: sound")
  }

  /// Types and waits for what comes of it.
  private func type(
    _ keys: String, at session: TerminalSession, _ what: String, _ isThere: (ScreenText) -> Bool
  ) throws {
    session.pump(until: now() + 60_000_000)
    session.child.type(keys)
    try session.wait(what, isThere)
  }

  /// Opens an editor, writes, leaves it and waits for what is said.
  private func write(
    _ text: String, _ key: String, _ title: String, at session: TerminalSession, _ said: String
  ) throws {
    try type(key, at: session, "the editor") { $0.shows(title) }
    try type(text, at: session, "the text") { $0.shows(text) }
    try type("\u{1B}", at: session, "\"\(said)\"") { $0.shows(said) }
  }

  private func quit(_ session: TerminalSession) throws {
    try type("Q", at: session, "the question") { $0.shows("Everything is saved.") }
    // An answer that comes sooner than anybody can read is refused.
    session.pump(until: now() + 60_000_000)
    session.child.type("\r")
    while session.pump(quiet: 2000) {}
    let code = session.child.wait()
    if code != 0 { throw RigError("osce ended with \(code)") }
  }

  /// Holds the closed store against what was typed.
  private func look(_ station: MarkingStation, marks: [Int]) throws -> [String] {
    let audit = try StoreAudit(station.path)
    var faults = audit.problems
    for (item, mark) in zip(station.items, marks) where audit.history[item] != [Int64(mark) * 1_000_000] {
      faults.append("item \(item) was given \(audit.history[item] ?? []), typed was \(mark)")
    }
    let database = try DatabaseQueue(path: station.path)
    try database.read { db in
      let feedback = try String.fetchAll(db, sql: "SELECT feedback FROM dataQuestion WHERE feedback <> ''")
      if feedback != [FailingDisk.feedback] { faults.append("the store has the feedback \(feedback)") }
      let comments = try String.fetchAll(db, sql: "SELECT text FROM commentMetaStationCandidate")
      if comments != [FailingDisk.comment] { faults.append("the store has the comments \(comments)") }
    }
    try database.close()
    let doctor = try Child(onPipe: osce, ["doctor", "--store", station.path])
    let lines = doctor.remainingLines()
    if doctor.wait() != 0 { faults.append("osce doctor: " + lines.joined(separator: " / ")) }
    return faults
  }

  private func show(_ session: TerminalSession, _ fault: String) {
    guard shows else { return }
    print("--- \(fault)\n" + session.screen.lines.filter { !$0.isEmpty }.joined(separator: "\n") + "\n---")
  }

  // MARK: A store that cannot be written

  private func openReadOnly(on disk: ScratchFolder) throws {
    let station = try MarkingStation(in: disk.path)
    defer { station.scratch.remove() }
    guard rig_mount_read_only(disk.path, 1) == 0 else {
      throw RigError("the disk cannot be made read-only: \(String(cString: strerror(errno)))")
    }
    let words = station.exam.markArguments(store: station.path)
    let refused = try TerminalSession(osce, words)
    while refused.pump(quiet: 5000) {}
    let code = refused.child.wait()
    let lines = refused.screen.lines.filter { !$0.isEmpty }
    var faults = try readingFaults(station, on: disk)
    rig_mount_read_only(disk.path, 0)
    if code != 1 { faults.append("it ended with \(code)") }
    if !lines.joined().hasPrefix("osce: ") { faults.append("it said: " + lines.joined(separator: " / ")) }
    let session = try station.open(osce)
    try type("1", at: session, "item 1") { MarkSheetScreen($0).marks[1] == 1 }
    try quit(session)
    faults += try StoreAudit(station.path).problems
    try report("full, read-only", faults)
    print(
      "full: a store on a read-only disk is not marked, exit 1: \(lines.joined(separator: " ")); "
        + "status, plan, missing, journal, export, backup and doctor read it")
  }

  private func readFull(on disk: ScratchFolder) throws {
    let station = try MarkingStation(in: disk.path)
    defer { station.scratch.remove() }
    let filler = disk.file("filler")
    FailingDisk.fill(filler)
    var faults = try readingFaults(station, on: disk)
    unlink(filler)
    faults += try StoreAudit(station.path).problems
    try report("full, nobody at work", faults)
    print("full: a store on a full disk that nobody has open is read by the same commands")
  }

  /// What only reads, and a backup to another disk.
  private func readingFaults(_ station: MarkingStation, on disk: ScratchFolder) throws -> [String] {
    let copy = disk.path + ".bak"
    defer { unlink(copy) }
    return try [["status"], ["plan"], ["missing"], ["journal"], ["export", "marks"], ["backup", copy], ["doctor"]]
      .compactMap { words in
        let reading = try Child(onPipe: osce, words + ["--store", station.path])
        let lines = reading.remainingLines()
        let code = reading.wait()
        // That the disk is full is what the doctor has to say, and all that it may find.
        if words[0] == "doctor", code == 1, lines.contains("NOT SOUND: disk space") { return nil }
        return code == 0 ? nil : "osce \(words[0]): " + lines.joined(separator: " / ")
      }
  }

  // MARK: A store that another process keeps

  private func lockedStore(on disk: ScratchFolder) throws {
    let station = try MarkingStation(in: disk.path, sheets: 2)
    defer { station.scratch.remove() }
    let session = try station.open(osce)
    let plan = MarkingProcess.Plan(
      store: station.path, sheet: station.sheets[1].sheet, staff: station.sheets[1].staff, rate: 0, count: 2000)
    let other = try Child(onPipe: ProcessFacts.ownPath, plan.arguments)
    _ = other.line()
    try stopInSave(other, holding: StoreLock(storePath: station.path))
    let begin = now()
    for key in ["1", "0", "1", "0"] {
      session.child.type(key)
      session.pump(until: now() + 200_000_000)
    }
    session.child.type("e")
    try session.wait("the editor") { $0.shows("Feedback on item 5") }
    session.child.type(FailingDisk.feedback + "\u{1B}")
    var clocks: Set<String> = []
    session.onOutput = { screen in clocks.insert(String(screen.lines[0].suffix(8))) }
    session.pump(until: begin + Int64(seconds) * 1_000_000_000)
    var faults: [String] = []
    let said = session.screen.lines.first { $0.contains("NOT YET SAVED") } ?? ""
    if !said.contains("5 changes wait") || !said.contains("process \(other.process)") {
      faults.append("the line says \"\(said)\"")
    }
    if clocks.count < seconds - 4 { faults.append("the clock showed \(clocks.count) times") }
    if !MarkSheetScreen(session.screen).marks.isEmpty { faults.append("marks were drawn that are not saved") }
    if !(1...4).allSatisfy({ session.screen.shows("\($0) …") }) { faults.append("an item does not show that it waits") }
    show(session, "store locked")
    other.signal(SIGCONT)
    try session.wait("all marks") { MarkSheetScreen($0).marks == [1: 1, 2: 0, 3: 1, 4: 0] }
    try session.wait("the text") { $0.shows("item 5: text saved") }
    other.signal(SIGTERM)
    try quit(session)
    _ = other.remainingLines()
    other.wait()
    let audit = try StoreAudit(station.path)
    faults += audit.problems
    for (item, mark) in zip(station.items, [1, 0, 1, 0]) where audit.history[item] != [Int64(mark) * 1_000_000] {
      faults.append("item \(item) was given \(audit.history[item] ?? []), typed was \(mark)")
    }
    try report("full, store locked", faults)
    print("full: store locked for \(seconds) s: 5 changes waited, none drawn, all saved afterwards; the line: \(said)")
  }
}

import ArgumentParser
import CircuitModel
import ExamStore
import Glibc
import Journal
import Rig

/// A process that is stopped in the middle of a save, with the store's lock in its hands.
struct StoppedHolder: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "locks",
    abstract: "A process stopped while it holds the lock: others read and queue, name it, and go on when it goes.")

  @OptionGroup var measuring: MeasuringOptions

  func run() throws {
    try MainActor.assumeIsolated {
      try checkStore(ending: SIGCONT)
      try checkStore(ending: SIGKILL)
    }
    try checkScreen()
  }

  /// The screen of somebody who marks meanwhile.
  private func checkScreen() throws {
    let station = try MarkingStation(in: measuring.folder, sheets: 2)
    defer { station.scratch.remove() }
    let session = try station.open(measuring.osce)
    let plan = MarkingProcess.Plan(
      store: station.path, sheet: station.sheets[1].sheet, staff: station.sheets[1].staff, rate: 0, count: 2000)
    let other = try Child(onPipe: ProcessFacts.ownPath, plan.arguments)
    _ = other.line()
    try stopInSave(other, holding: StoreLock(storePath: station.path))
    var faults: [String] = []
    session.child.type("1")
    var clocks: Set<String> = []
    session.onOutput = { screen in clocks.insert(String(screen.lines[0].suffix(8))) }
    session.pump(until: now() + 5_000_000_000)
    if clocks.count < 4 { faults.append("the clock showed \(clocks.count) times in five seconds") }
    if !session.screen.shows("\(other.process)") { faults.append("no line names process \(other.process)") }
    if MarkSheetScreen(session.screen).marks[1] != nil { faults.append("a mark was drawn that is not saved") }
    other.signal(SIGCONT)
    do {
      try session.wait("the mark") { MarkSheetScreen($0).marks[1] == 1 }
    } catch { faults.append("\(error)") }
    other.signal(SIGTERM)
    session.child.signal(SIGTERM)
    while session.pump(quiet: 1000) {}
    _ = other.remainingLines()
    other.wait()
    let ending = session.child.wait()
    let audit = try StoreAudit(station.path)
    faults += audit.problems
    if !audit.holds([1], on: station.items[0]) { faults.append("the mark is not in the store") }
    try report("locks, on the screen", faults)
    print(
      "locks: on another screen the clock went on, the line named process \(other.process), the mark came when it "
        + "went (ended with \(ending))")
  }

  @MainActor private func checkStore(ending: Int32) throws {
    let prepared = try PreparedStore(in: measuring.folder, sheets: 2)
    defer { prepared.scratch.remove() }
    let store = try ExamStore(StoreLocation(path: prepared.path))
    let other = try Child(
      onPipe: ProcessFacts.ownPath, prepared.arguments(sheet: 0, rate: 0, count: ending == SIGCONT ? 2000 : 1_000_000))
    _ = other.line()
    try stopInSave(other, holding: store.lock)
    var faults: [String] = []

    var seat = try MarkingSeat(sheet: prepared.sheets[1].sheet, staff: prepared.sheets[1].staff, in: store)
    var saved: [OperationID] = []
    let begin = now()
    for number in 0..<10 {
      let (index, level) = seat.next(number)
      let item = seat.items[index]
      store.submit(seat.author) {
        try Marking($0).mark(item, level: level)
      } then: { result in
        if case .success(let operation) = result { saved.append(operation) }
      }
    }
    let submitting = now() - begin
    // The screen goes on: it reads, polls for changes and tells who is in the way.
    var slowestRead: Int64 = 0
    for _ in 0..<50 {
      let begin = now()
      _ = try store.dataVersion()
      _ = try store.read { try Sheet.read(prepared.sheets[1].sheet, in: $0) }
      slowestRead = max(slowestRead, now() - begin)
      usleep(10_000)
    }
    store.deliver()
    let holder = store.lock.holder()
    if holder?.process != other.process { faults.append("the holder named is \(holder?.process ?? 0)") }
    if submitting > 100_000_000 { faults.append("queueing ten saves took \(submitting / 1_000_000) ms") }
    if slowestRead > 250_000_000 { faults.append("a read took \(slowestRead / 1_000_000) ms") }
    if !saved.isEmpty { faults.append("a save ended while another process held the lock") }

    other.signal(ending)
    let deadline = now() + 10_000_000_000
    while saved.count < 10 && now() < deadline {
      store.deliver()
      usleep(1000)
    }
    if saved.count != 10 { faults.append("\(saved.count) of 10 saves ended after the holder went") }
    let drawn = other.remainingLines().compactMap { MarkingProcess.Drawn(line: $0) }
    other.wait()
    for number in 10..<20 { saved.append(try seat.save(number, in: store)) }
    if !store.close() { faults.append("the store could not be closed") }
    let audit = try StoreAudit(prepared.path)
    faults += audit.problems + audit.missing(drawn)
    try report("locks", faults)
    print(
      "locks: holder \(holder?.command ?? "") stopped, then \(ending == SIGCONT ? "continued" : "killed"): named, "
        + "slowest read meanwhile \(decimal(Double(slowestRead) / 1e6, 1)) ms, all saves there afterwards")
  }
}

/// Stops a process at random moments until it is stopped with a store's lock in its hands.
func stopInSave(_ child: Child, holding lock: StoreLock) throws {
  for _ in 0..<2000 {
    usleep(useconds_t.random(in: 200...3000))
    child.signal(SIGSTOP)
    while child.isRunning, ProcessFacts.state(of: child.process) != "T" { usleep(100) }
    if lock.holder()?.process == child.process { return }
    child.signal(SIGCONT)
    while child.line(within: 0) != nil {}
  }
  throw RigError("the process was never stopped while it held the lock")
}

import ArgumentParser
import CircuitModel
import Console
import ExamStore
import Reports
import Timer

/// `osce clock`: moves or shows the clock of a session.
struct ClockCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "clock", abstract: "Start, pause, move or show a circuit's clock.",
    usage: "osce clock CIRCUIT ACTION [VALUE] [--session \"DATE START\"] [--at T]… [--staff U] [--reason R] [--json]",
    discussion: """
      Actions: start, pause, resume, extend S, skip, restart, jump I, rounds N, stop, rerun N, annul ID, take, log, status. S is \
      in seconds and may be negative; I counts phases from 1; N is the number of rounds. rerun begins a short run of N \
      rounds for the stations that were missed, once a run of the session has finished. CIRCUIT is a number, a code or a \
      name, or all: then every circuit that has a session, at one instant, all or none; but pause and resume act on every \
      open session where they fit, and name the others; pause then also calls off what was set for later. \
      osce clock all anchor [machine|last] [--at T] says what the exam's time on this machine is: the wall clock's (default), \
      that of the last record going on, or T. It settles a doubt after a restart; otherwise only while nothing runs. Until \
      then only pause, the annul of what is set for later, status and log are taken. Where it would move a clock that is \
      open, open one again or pass what was done to one, it says so and does nothing without --force. \
      take makes this machine the host of the session's run, where a hub joins several: a host moves its clock also while \
      the hub is away. The machine that started a run is its host until another takes it.
      """)

  @Argument(help: "The circuit: its number, code or name, or all.")
  var circuit: CircuitChoice

  @Argument(help: "What to do.")
  var action: String

  @Argument(help: "The action's value: seconds, phase, rounds or event.")
  var value: String?

  @Option(name: .long, help: "Which session, as in \"2026-12-07 09:00\".")
  var session: String?

  @Option(name: .long, help: "When, RFC 3339 (default: now). With status it may be repeated.")
  var at: [String] = []

  @Option(name: .long, help: "Act only while the clock is in this passage (see status --json).")
  var passage: Int?

  @Option(name: .long, help: "Why, in words.")
  var reason: String?

  @Flag(name: .long, help: "With anchor: also where that moves or reopens a clock, or passes what was done to one.")
  var force = false

  @Flag(name: .long, help: "Print JSON.")
  var json = false

  @OptionGroup var acting: ActingStaff
  @OptionGroup var options: StoreOptions

  func validate() throws {
    _ = try instants()
    try SessionOption.check(session)
    try ReasonOption.check(reason)
    _ = try task()
    if passage != nil && (isToRead || verb == .anchor) { throw ValidationError("\(action) takes no --passage") }
    if session != nil && verb == .anchor { throw ValidationError("anchor takes no --session") }
    if force && verb != .anchor { throw ValidationError("only anchor takes --force") }
    if verb != .status && at.count > 1 { throw ValidationError("only status takes --at more than once") }
  }

  func run() throws {
    let given = SystemClock.live.boot()
    let store = try isToRead ? options.openToRead() : options.open()
    defer { store.close() }
    if let doubt = store.clock.doubt, isToRead || verb == .pause {
      let isGuarded = try store.read { try GuardedTask.isGuarding($0) }
      Output.failure.text("osce: \(doubt.advice(isGuarded: isGuarded))\n")
    }
    switch try task() {
    case .move(let action): try act(action, store, givenAt: given)
    case .take: try take(store)
    case .anchor(let setting): try anchor(setting, store)
    case .log: try printLog(store)
    case .status: try printStatus(store)
    }
  }

  /// What is to be done; once the line was validated there is one.
  var verb: ClockVerb? { ClockVerb(rawValue: action) }

  var isToRead: Bool { verb?.isToRead == true }

  /// A document for the session meant, or for each of several.
  func document(_ entries: [JSONDocument]) -> JSONDocument {
    entries.count == 1 && circuit != .all ? entries[0] : .array(entries)
  }

  private func anchor(_ setting: ExamTimeCorrection, _ store: ExamStore) throws {
    let (moved, effects) = try store.write(acting.author(for: .clocks, in: store, reason: reason)) { transaction in
      let effects = try setting.effects(on: store.clock, in: transaction.db)
      let moved: Int64
      do { moved = try setting.apply(in: transaction, isForced: force) } catch let refusal as ClockSettingRefusal {
        if refusal == .notInDoubt || refusal == .isHubs { throw refusal }
        throw StoreError("\(refusal); nothing was done; --force does it anyway, and says what that does to each clock")
      }
      if !effects.isEmpty && !force {
        let text = effects.map(\.description).joined(separator: "; ")
        throw StoreError("then \(text): nothing was done; --force does it anyway")
      }
      return (moved, effects)
    }
    Output.failure.lines(effects.map { "osce: \($0)" })
    // The clock follows what is stored.
    _ = try store.dataVersion()
    let now = store.clock.now
    if json {
      try Output.standard.json(
        .object([
          ("at", .time(now)), ("movedMs", .integer(moved)), ("wallAheadMs", .integer(store.clock.wallClockLead)),
        ]))
    } else {
      let lead = store.clock.wallClockLead
      Output.standard.line(
        "the exam's time is \(Timestamp.text(now)), moved by \(moved < 0 ? "-" : "")\(PhaseText.apart(moved)); "
          + "the wall clock is \(PhaseText.apart(lead)) \(lead < 0 ? "behind" : "ahead of") it")
    }
  }

  /// Makes this machine the host of the runs meant.
  private func take(_ store: ExamStore) throws {
    let chosen = try sessions(store, at: store.clock.now)
    try refuseLocked(chosen, store)
    try store.write(acting.author(for: .clocks, in: store, reason: reason)) { transaction in
      for place in chosen { try RunHost.take(place.session, in: transaction) }
    }
    if json {
      let taken = chosen.map { place in
        JSONDocument.object([("circuit", .text(place.circuit.name)), ("session", .text(place.session.name))])
      }
      return try Output.standard.json(document(taken))
    }
    for place in chosen { Output.standard.line("\(place.name): this machine is the host of its run") }
  }

  private func printStatus(_ store: ExamStore) throws {
    let asked = try instants()
    var documents: [JSONDocument] = []
    for instant in asked.isEmpty ? [store.clock.now] : asked {
      for place in try sessions(store, at: instant) {
        let report = try store.read { db in try ClockReport.read(place.session, at: instant, in: db) }
        documents.append(report.json)
        if !json { Output.standard.line("\(place.name): \(report.line)") }
      }
    }
    if json { try Output.standard.json(document(documents)) }
  }

  /// Says whose log it is, where another session of the circuit has one that could be meant.
  private func nameSessions(_ chosen: [PlacedSession], _ store: ExamStore) throws {
    for place in chosen {
      let (circuit, session) = (place.circuit, place.session)
      let others = try store.read { db in
        try Session.all(of: circuit.id, in: db).filter { try $0 != session && !Run.all(of: $0, in: db).isEmpty }
      }
      if others.isEmpty { continue }
      let names = others.map(\.name).joined(separator: ", ")
      Output.standard.text("\(circuit.name), session \(session.name); --session shows another: \(names)\n")
    }
  }

  private func printLog(_ store: ExamStore) throws {
    let asked = try instants().first
    let now = asked ?? store.clock.now
    let chosen = try sessions(store, at: now)
    if session == nil && !json { try nameSessions(chosen, store) }
    let entries = try store.read { db in
      try chosen.flatMap { place in
        try ClockLogEntry.all(of: place.session, asOf: asked, in: db).map { (place, $0) }
      }
    }
    if json {
      try Output.standard.json(.object([("events", .array(entries.map(\.1.json)))]))
      return
    }
    if entries.isEmpty { return Output.standard.line("no event is recorded") }
    var table = TextTable()
    for (place, entry) in entries {
      let verdict =
        entry.isApplied == false ? "not applied: \(entry.refusal ?? "")" : entry.event.at > now ? "to come" : "applied"
      table.row([
        Timestamp.text(entry.event.at), place.circuit.name, place.session.name, "run \(entry.run)", entry.text,
        entry.event.staff ?? "", verdict, entry.event.reason ?? "", entry.event.id,
      ])
    }
    Output.standard.text(table.text)
  }
}

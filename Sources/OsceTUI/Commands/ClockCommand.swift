import ArgumentParser
import Characters
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
  var circuit: String

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
    switch action {
    case "log", "status": if value != nil { throw ValidationError("\(action) takes no value") }
    case "anchor": _ = try clockSetting()
    case "take":
      if value != nil || !at.isEmpty || passage != nil {
        throw ValidationError("take takes no value, --at or --passage")
      }
    default: _ = try clockAction()
    }
    if passage != nil && (isToRead || action == "anchor") { throw ValidationError("\(action) takes no --passage") }
    if session != nil && action == "anchor" { throw ValidationError("anchor takes no --session") }
    if force && action != "anchor" { throw ValidationError("only anchor takes --force") }
    if action != "status" && at.count > 1 { throw ValidationError("only status takes --at more than once") }
  }

  func run() throws {
    let store = try isToRead ? options.openToRead() : options.open()
    defer { store.close() }
    if let doubt = store.clock.doubt, isToRead || action == "pause" {
      Output.failure.text("osce: \(doubt.advice)\n")
    }
    switch action {
    case "status": try printStatus(store)
    case "log": try printLog(store)
    case "anchor": try anchor(store)
    case "take": try take(store)
    default: try act(store)
    }
  }

  private var isToRead: Bool { ["status", "log"].contains(action) }

  private func instants() throws -> [Instant] {
    try at.map { text in
      guard let instant = Timestamp.parse(text) else {
        throw ValidationError("--at takes a time such as 2026-12-07T09:00:00Z; got \"\(text)\"")
      }
      // What begins in the last year that can be written may end after it.
      guard ("1900"..."9998").contains(String(Timestamp.text(instant).prefix(4))) else {
        throw ValidationError("--at takes a time of the years 1900 to 9998; got \"\(text)\"")
      }
      return instant
    }
  }

  private func clockAction() throws -> ClockAction {
    func number<N: FixedWidthInteger>(_ name: String) throws -> N {
      guard let value, let number = N(value) else {
        throw ValidationError("\(action) takes \(name), as in: osce clock 1 \(action) 3")
      }
      return number
    }
    if !["extend", "jump", "rounds", "rerun", "annul"].contains(action), value != nil {
      throw ValidationError("\(action) takes no value")
    }
    switch action {
    case "start": return .start
    case "pause": return .pause
    case "resume": return .resume
    case "extend": return .extend(seconds: try number("whole seconds"))
    case "skip": return .skip
    case "restart": return .restart
    case "jump": return .jump(index: try number("the number of a phase"))
    case "rounds": return .rounds(try number("the number of rounds"))
    case "stop": return .stop
    case "rerun": return .rerun(rounds: try number("the number of rounds"))
    case "annul":
      guard let value else { throw ValidationError("annul takes the id of an event; log lists them") }
      return .annul(target: value)
    default:
      let actions = [
        "start", "pause", "resume", "extend", "skip", "restart", "jump", "rounds", "stop", "rerun", "annul", "take",
        "anchor", "log",
      ]
      throw ValidationError(
        "there is no action \(action)\(EditDistance.hint(for: action, among: actions + ["status"])); the actions are "
          + actions.joined(separator: ", ") + " and status")
    }
  }

  private func clockSetting() throws -> ExamTimeCorrection {
    if circuit != "all" { throw ValidationError("the exam's time is one for all circuits: osce clock all anchor") }
    switch (value, try instants().first) {
    case (nil, let instant?): return .time(instant)
    case (nil, nil), ("machine", nil): return .machine
    case ("last", nil): return .lastRecord
    default: throw ValidationError("anchor takes machine or last, or --at with a time")
    }
  }

  private func anchor(_ store: ExamStore) throws {
    let setting = try clockSetting()
    let (moved, effects) = try store.write(acting.author(for: .clocks, in: store, reason: reason)) { transaction in
      let effects = try setting.effects(on: store.clock, in: transaction.db)
      let moved: Int64
      do { moved = try setting.apply(in: transaction, isForced: force) } catch let refusal as ClockSettingRefusal {
        if refusal == .notInDoubt || refusal == .isHubs { throw refusal }
        throw StoreError("\(refusal); nothing was done; --force does it anyway, and says what that does to each clock")
      }
      if !effects.isEmpty && !force {
        let words = effects.map(\.description).joined(separator: "; ")
        throw StoreError("then \(words): nothing was done; --force does it anyway")
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
      return try Output.standard.json(circuit == "all" ? .array(taken) : taken[0])
    }
    for place in chosen {
      Output.standard.line("\(place.circuit.name), \(place.session.name): this machine is the host of its run")
    }
  }

  private func refuseLocked(_ chosen: [(circuit: Circuit, session: Session)], _ store: ExamStore) throws {
    try store.read { db in for place in chosen { try ExamLock.refuse(place.session, of: place.circuit, in: db) } }
  }

  /// The circuits meant, each with its session at an instant.
  private func sessions(_ store: ExamStore, at instant: Instant) throws -> [(circuit: Circuit, session: Session)] {
    try store.read { db in
      if circuit != "all" {
        let circuit = try Circuit.find(circuit, at: instant, in: db)
        if session == nil, action == "annul", let value,
          let held = try ClockLog.session(ofEvent: value, of: circuit.id, in: db)
        {
          return [(circuit, held)]
        }
        return [(circuit, try Session.choose(of: circuit, named: session, isToRead: isToRead, at: instant, in: db))]
      }
      let chosen = try Circuit.all(at: instant, db).compactMap { circuit -> (Circuit, Session)? in
        let sessions = try Session.all(of: circuit.id, in: db)
        if sessions.isEmpty || session.map({ name in !sessions.contains { $0.name == name } }) == true { return nil }
        return (circuit, try Session.choose(of: circuit, named: session, isToRead: isToRead, at: instant, in: db))
      }
      if chosen.isEmpty {
        throw StoreError("no circuit has \(session.map { "a session \($0)" } ?? "a session"); osce plan lists them")
      }
      return chosen
    }
  }

  /// Every session that `all pause` and `all resume` mean: of each circuit all that are open, for a pause also those
  /// that begin by themselves later, else the one that is next. A resume leaves out those that were left open on an
  /// earlier day.
  /// - Parameter leavesOut: is told of each that is left out.
  private func openSessions(
    _ store: ExamStore, at instant: Instant, leavesOut: (String) -> Void
  ) throws -> [(circuit: Circuit, session: Session)] {
    if session != nil { return try sessions(store, at: instant) }
    return try store.read { db in
      try Circuit.all(at: instant, db).flatMap { circuit -> [(circuit: Circuit, session: Session)] in
        let standing = try Session.open(of: circuit, at: instant, in: db)
        let open = try standing.filter { try action == "pause" || !$0.wasLeft(at: instant, in: db) }
        for left in standing where !open.contains(left) {
          leavesOut(
            "\(circuit.name): session \(left.name) was never stopped; add --session \"\(left.name)\" to include it")
        }
        if open.isEmpty, !standing.isEmpty { return [] }
        let all = try Session.all(of: circuit.id, in: db)
        let meant = try all.filter {
          try open.contains($0)
            || action == "pause" && !ClockLog.scheduled(of: $0, at: max(instant, store.clock.now), in: db).isEmpty
        }
        if !meant.isEmpty { return meant.map { (circuit, $0) } }
        if all.isEmpty { return [] }
        return [(circuit, try Session.choose(of: circuit, named: nil, at: instant, in: db))]
      }
    }
  }

  /// An event that was given, with whose clock it is.
  private struct Given {
    let circuit: Circuit
    let session: Session
    let event: ClockEvent
  }

  private func act(_ store: ExamStore) throws {
    let action = try clockAction()
    let instant = try instants().first ?? store.clock.now
    if circuit == "all", action != .pause, let doubt = store.clock.doubt { throw StoreError(doubt.refusal) }
    // In a fire alarm a circuit that stands already must keep no other running.
    let isWhereItFits = circuit == "all" && (action == .pause || action == .resume)
    var refused: [String] = []
    let chosen =
      try isWhereItFits
      ? openSessions(store, at: instant) { refused.append($0) } : sessions(store, at: instant)
    let author = try acting.author(for: .clocks, in: store, reason: reason)
    // What does not fit a clock is a matter of its own, but not where it is locked anyway.
    if !isWhereItFits { try refuseLocked(chosen, store) }
    let stood = try store.read { try DisplacedEvents(of: chosen.map(\.session), in: $0) }
    let given = try store.write(author) { transaction in
      let given =
        try isWhereItFits && action == .pause
        ? pause(chosen, at: instant, in: transaction) { refused.append($0) }
        : chosen.compactMap { place -> Given? in
          do {
            let event = try ClockLog.append(action, to: place.session, at: instant, passage: passage, in: transaction)
            return Given(circuit: place.circuit, session: place.session, event: event)
          } catch let error as ClockRefusal {
            let line = circuit == "all" ? "\(place.circuit.name): \(error)" : "\(error)"
            if isWhereItFits {
              refused.append(line)
              return nil
            }
            let coming = try ClockLog.scheduled(
              of: place.session, at: max(instant, store.clock.now), in: transaction.db
            ).first
            throw StoreError(line + (action == .pause ? words(coming, place.circuit, at: instant) : ""))
          }
        }
      if given.isEmpty, !refused.isEmpty { throw StoreError(refused.joined(separator: "; ")) }
      return given
    }
    if given.isEmpty { throw StoreError("no circuit has a session; osce plan lists them") }
    let repeated = try store.read { db in
      try given.compactMap {
        repetition($0, in: try ClockLogEntry.all(of: $0.session, asOf: $0.event.at, in: db))
      }
    }
    refused += repeated
    let annulled = given.compactMap { if case .annul(let target) = $0.event.kind { target } else { nil } }
    refused += try store.read { db in
      // Of each session the event that was asked for: what a pause calls off follows it.
      try chosen.compactMap { place in given.first { $0.session == place.session } }.compactMap { given in
        try stood.found(since: given.event, of: given.session, besides: Set(annulled), in: db).map {
          displacedLine($0, by: given)
        }
      }
    }
    if let missing = missingWords(action, by: author) { refused.append(missing) }
    Output.failure.lines(refused.map { "osce: " + $0 })
    let reports = try store.read { db in try given.map { try ClockReport.read($0.session, at: instant, in: db) } }
    if json {
      let entries = zip(given, reports).map { place, report in
        JSONDocument.object([("event", .text(place.event.id)), ("status", report.json)])
      }
      try Output.standard.json(circuit == "all" ? .array(entries) : entries[0])
    } else {
      for (place, report) in zip(given, reports) {
        Output.standard.line("\(place.circuit.name), \(place.session.name): \(report.line)")
      }
    }
    if repeated.count == given.count { throw ExitCode.failure }
  }

  /// Pauses every clock where that fits, and calls off what is set for later.
  /// - Parameter leavesOut: is told of each clock where it does not fit, and of what is called off.
  private func pause(
    _ chosen: [(circuit: Circuit, session: Session)], at instant: Instant, in transaction: JournalTransaction,
    leavesOut: (String) -> Void
  ) throws -> [Given] {
    let sessions = chosen.map(\.session)
    let clocks = try ClockLog.pause(
      sessions, callingOff: sessions, at: instant, passage: passage, in: transaction)
    return zip(chosen, clocks).flatMap { place, clock in
      var line = clock.refusal.map { "\(place.circuit.name): \($0)" }
      for off in clock.calledOff {
        let words = "the \(off.event.kind.name) set for \(time(off.event, seenAt: instant)) is called off"
        line = line.map { "\($0); \(words)" } ?? "\(place.circuit.name): \(words) (session \(place.session.name))"
      }
      if let line { leavesOut(line) }
      return ([clock.event].compactMap { $0 } + clock.calledOff.map(\.annul)).map {
        Given(circuit: place.circuit, session: place.session, event: $0)
      }
    }
  }

  /// What an event has displaced, and how it is undone.
  private func displacedLine(_ found: DisplacedEvents.Found, by given: Given) -> String {
    func words(_ events: [ClockEvent]) -> String {
      let named = events.prefix(3).map { "\($0.kind.name) at \(time($0, seenAt: given.event.at))" }
      return named.joined(separator: ", ") + (events.count > 3 ? " and \(events.count - 3) more" : "")
    }
    let parts = [
      found.lost.isEmpty ? nil : "no longer counts: \(words(found.lost))",
      found.moved.isEmpty ? nil : "follows the new start, please check: \(words(found.moved))",
    ]
    let line = "\(given.circuit.name): \(parts.compactMap { $0 }.joined(separator: "; "))"
    // An annul is not annulled.
    if case .annul = given.event.kind { return line }
    return line + "; osce clock \(given.circuit.id) annul \(given.event.id) takes this back"
  }

  /// `; resumes by itself at 09:20:00 (osce clock 1 annul ID cancels that)`; empty if the clock does not go on by itself.
  private func words(_ coming: ClockEvent?, _ circuit: Circuit, at instant: Instant) -> String {
    coming.map {
      "; resumes by itself at \(time($0, seenAt: instant)) (osce clock \(circuit.id) annul \($0.id) cancels that)"
    } ?? ""
  }

  /// When an event is, with its date where that is another day's.
  private func time(_ event: ClockEvent, seenAt instant: Instant) -> String {
    let reading = LocalTime.reading(of: event.at)
    return reading.date == LocalTime.reading(of: instant).date ? reading.time : "\(reading.date) \(reading.time)"
  }

  /// Who did the same at the same instant, where that took effect and this did not; nil if this takes effect.
  private func repetition(_ given: Given, in log: [ClockLogEntry]) -> String? {
    guard log.contains(where: { $0.event.id == given.event.id && $0.isApplied == false }) else { return nil }
    let other = log.first {
      $0.isApplied == true && $0.event.at == given.event.at && $0.event.kind == given.event.kind
    }
    let words = "\(other?.event.staff ?? "somebody else") did the same at that instant; kept, without effect"
    return circuit == "all" ? "\(given.circuit.name): \(words)" : words
  }

  /// What the record of an action that wants a name and a reason lacks; nil if nothing.
  private func missingWords(_ action: ClockAction, by author: Author) -> String? {
    switch action {
    case .skip, .jump, .stop, .annul: break
    case .start, .rerun, .pause, .resume, .extend, .restart, .rounds, .again: return nil
    }
    let missing = [author.staff == nil ? "name" : nil, author.reason == nil ? "reason" : nil].compactMap { $0 }
    if missing.isEmpty { return nil }
    return "recorded without a \(missing.joined(separator: " or ")); --staff and --reason say who and why"
  }

  private func printStatus(_ store: ExamStore) throws {
    let asked = try instants()
    var documents: [JSONDocument] = []
    for instant in asked.isEmpty ? [store.clock.now] : asked {
      for place in try sessions(store, at: instant) {
        let report = try store.read { db in try ClockReport.read(place.session, at: instant, in: db) }
        documents.append(report.json)
        if !json {
          Output.standard.line("\(place.circuit.name), \(place.session.name): \(report.line)")
        }
      }
    }
    if json { try Output.standard.json(documents.count == 1 && circuit != "all" ? documents[0] : .array(documents)) }
  }

  /// Says whose log it is, where another session of the circuit has one that could be meant.
  private func nameSessions(_ chosen: [(circuit: Circuit, session: Session)], _ store: ExamStore) throws {
    for (circuit, session) in chosen {
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
    var table = TextTable()
    for (place, entry) in entries {
      let verdict =
        entry.isApplied == false ? "not applied: \(entry.refusal ?? "")" : entry.event.at > now ? "to come" : "applied"
      table.row([
        Timestamp.text(entry.event.at), place.circuit.name, place.session.name, "run \(entry.run)", entry.words,
        entry.event.staff ?? "", verdict, entry.event.reason ?? "", entry.event.id,
      ])
    }
    Output.standard.text(table.text)
  }
}

import Characters
import CircuitModel
import ExamStore
import GRDB
import Timer

/// Looks at the machine's clocks and at the second copy, as strictly as an exam that is about to begin needs it.
struct MachineChecks {
  let db: Database
  let surroundings: MachineSurroundings
  /// Why the file at the timed backup's place is no backup of this exam.
  let copyObjection: String?
  /// Whether a session runs or is about to begin.
  let isUrgent: Bool

  /// How far the wall clock may stand from the exam's time, in milliseconds.
  private static let goodLead: Int64 = 1000
  /// How far it may stand before that is a failure, in milliseconds.
  private static let worstLead: Int64 = 30_000

  /// The exam's time: the wall clock's, where the store was not opened since the machine was started.
  static func now(_ db: Database, _ surroundings: MachineSurroundings) throws -> Instant {
    let offset = try offset(db, surroundings)
    let system = surroundings.system
    return Instant(milliseconds: offset.map { system.boot() + $0 } ?? system.wall())
  }

  /// Milliseconds from the boot clock to the exam's time.
  static func offset(_ db: Database, _ surroundings: MachineSurroundings) throws -> Int64? {
    let system = surroundings.system
    return try ClockAnchor.read(db, bootID: system.bootID())?.offset(at: system.boot())
  }

  func run(_ diagnosis: inout Diagnosis) throws {
    try clock(&diagnosis)
    try hubContact(&diagnosis)
    try hubTime(&diagnosis)
    switch surroundings.isClockSynchronised() {
    case true: diagnosis.add("time service", .ok, "keeps the wall clock right")
    case false:
      diagnosis.add("time service", .warning, "none keeps the wall clock right: times of day may be wrong")
    case nil: diagnosis.add("time service", .warning, "the kernel does not say whether one runs")
    }
    try backup(&diagnosis)
  }

  /// What speaks against the wall clock, as a failure; without it nothing is noted.
  /// - Returns: whether something does.
  static func doubt(_ db: Database, _ surroundings: MachineSurroundings, _ diagnosis: inout Diagnosis) throws -> Bool {
    let system = surroundings.system
    let anchor = try ClockAnchor.read(db, bootID: system.bootID())
    let doubt =
      try anchor.map(\.doubt)
      ?? ClockDiscrepancy.found(
        db, wall: Instant(milliseconds: system.wall()), knowing: .standard)
    guard let doubt else { return false }
    diagnosis.add("clock", .failed, doubt.line + "; say which is right at the desk, or with: osce clock all anchor")
    return true
  }

  private func clock(_ diagnosis: inout Diagnosis) throws {
    try Self.clock(db, surroundings, good: Self.goodLead, worst: Self.worstLead, &diagnosis)
  }

  /// Notes what speaks against the wall clock, or how far it stands from the exam's.
  /// - Parameters:
  ///   - good: how far it may stand without a word, in milliseconds.
  ///   - worst: how far it may stand before that is a failure, in milliseconds; nil: however far, it is a warning.
  static func clock(
    _ db: Database, _ surroundings: MachineSurroundings, good: Int64, worst: Int64? = nil, _ diagnosis: inout Diagnosis
  ) throws {
    if try doubt(db, surroundings, &diagnosis) { return }
    guard let offset = try offset(db, surroundings) else {
      diagnosis.add(
        "clock", .warning, "not fixed since the machine was started; the next opening takes the wall clock's time")
      return
    }
    let lead = surroundings.system.wall() - (surroundings.system.boot() + offset)
    let isWorst = worst.map { lead.magnitude > $0.magnitude } ?? false
    let result: Diagnosis.Result = lead.magnitude <= good.magnitude ? .ok : isWorst ? .failed : .warning
    diagnosis.add(
      "clock", result, "the wall clock is \(PhaseText.apart(lead)) \(lead < 0 ? "behind" : "ahead of") the exam's")
  }

  /// Notes whether the hub answers and takes what is sent, where the store has a place at one.
  private func hubContact(_ diagnosis: inout Diagnosis) throws {
    let hub = try HubContact.read(db)
    guard hub.isEnrolled else { return }
    guard let state = try SyncState.read(db) else {
      return diagnosis.add("hub contact", .warning, "nothing was exchanged yet; a terminal, or osce sync, begins")
    }
    let now = try Self.now(db, surroundings)
    let away = hub.awaySince(at: now).map { "no contact since \(LocalTime.reading(of: $0).minute)" }
    if let trouble = state.trouble {
      let said = [trouble, hub.needsPerson ? nil : away].compactMap { $0 }.joined(separator: "; ")
      return diagnosis.add("hub contact", hub.needsPerson ? .failed : .warning, said)
    }
    diagnosis.add("hub contact", away == nil ? .ok : .warning, away ?? "the hub answers")
  }

  /// Notes how the exam's time stands to the hub's, where the store has a place at one.
  private func hubTime(_ diagnosis: inout Diagnosis) throws {
    guard try Enrolment.read(db) != nil else { return }
    let boot = surroundings.system.boot()
    guard let hub = try ClockAnchor.read(db, bootID: surroundings.system.bootID())?.hub else {
      diagnosis.add("hub's time", .warning, "the hub's time is not known here since this machine was started")
      return
    }
    let isWide = hub.bound(at: boot) >= RunHost.boundMs
    let result: Diagnosis.Result = hub.heldDifference != nil ? .failed : isWide ? .warning : .ok
    diagnosis.add(
      "hub's time", result,
      hub.heldDifference == nil ? "the exam's time here is " + hub.line(at: boot) : hub.line(at: boot))
  }

  private func backup(_ diagnosis: inout Diagnosis) throws {
    guard let choice = surroundings.backup else {
      diagnosis.add("second copy", .warning, "no timed backup is configured: see OSCE_BACKUP")
      return
    }
    let minutes = choice.minutes(wished: try ExamSettings.read(db).backup.minutes)
    let bad: Diagnosis.Result = isUrgent ? .failed : .warning
    if let copyObjection { return diagnosis.add("second copy", bad, copyObjection) }
    guard let status = FileFacts.status(choice.path) else {
      diagnosis.add("second copy", bad, "none yet at \(choice.path)")
      return
    }
    let age = CopyAge(changed: status.changed, at: surroundings.system.wall())
    diagnosis.add(
      "second copy", age.isBeyond(minutes: 2 * Int64(minutes)) ? bad : .ok,
      "\(choice.path), \(age.text), due every \(minutes)")
  }
}

/// How long ago a second copy was made.
struct CopyAge {
  private let milliseconds: Int64

  /// - Parameters:
  ///   - changed: when the copy was written.
  ///   - wall: the wall clock's time.
  init(changed: Int64, at wall: Int64) { milliseconds = wall - changed }

  /// One from the future was made before the wall clock was set back, however long ago that was.
  private var isKnown: Bool { milliseconds >= -60_000 }

  /// Whether it is older than that, or may be.
  func isBeyond(minutes: Int64) -> Bool { !isKnown || milliseconds > minutes * 60_000 }

  /// `3 minutes old`.
  var text: String {
    guard isKnown else { return "dated in the future: its age is not known" }
    return "\(Plural.count(Int(max(0, milliseconds / 60_000)), "minute")) old"
  }
}

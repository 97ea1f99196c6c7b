import CircuitModel
import ExamStore
import Timer

/// An exam in a throw-away store, moved to today: two rounds are over and marked, the third one runs.
public enum DemoExam {
  /// Loads an exam into a new store as if its first session had begun a while ago.
  /// - Parameters:
  ///   - source: an exam folder; nil for the year 3 exam that the program carries.
  ///   - folder: an empty folder for the store.
  /// - Returns: the store, with the first session of every circuit started.
  /// - Throws: `StoreError` if the folder cannot be read or written.
  public static func build(from source: String?, in folder: String) throws -> ExamStore {
    let (read, problems) = source.map { ExamFolder.read($0) } ?? ExamFolder.read(Year3Exam.files)
    guard var plan = read else {
      throw StoreError(problems.first { $0.severity == .error }?.description ?? "the exam cannot be read")
    }
    LocalTime.use(zone: plan.timeZone)
    startByItself(&plan)
    let now = Instant(milliseconds: SystemClock.live.wall())
    let begun = now - (plan.circuits.map(lead).max() ?? 0)
    moveToToday(&plan, begun: begun)
    let time = PastTime(from: begun - 600_000)
    let store = try ExamStore(location(in: folder), .createIfMissing, system: time.system)
    let outcome = try ExamImport.load(plan, into: store)
    if outcome.report == nil {
      throw StoreError(outcome.problems.first { $0.severity == .error }?.description ?? "the example cannot be loaded")
    }
    let starts = Dictionary(plan.circuits.map { ($0.name, now - lead($0)) }) { first, _ in first }
    try startFirstSessions(store, starts)
    try DemoMarks.play(in: store, until: now, at: time)
    store.close()
    return try reopen(in: folder)
  }

  /// Opens the store that was built in a folder before, as it was left.
  /// - Throws: `StoreError` if it cannot be opened.
  public static func reopen(in folder: String) throws -> ExamStore {
    let store = try ExamStore(location(in: folder))
    LocalTime.use(zone: try store.read { db in try ExamSettings.read(db).timeZone })
    return store
  }

  /// Where its store lies in a folder.
  package static func location(in folder: String) -> StoreLocation { StoreLocation(path: folder + "/demo.sqlite") }

  /// Which round runs when the demonstration opens, and for how long it has run, in milliseconds.
  private static let (round, running): (Int, Int64) = (3, 15_000)

  /// For how long a circuit has been running, in milliseconds: up to a little of its third rotation, or of its last.
  private static func lead(_ circuit: ExamPlan.Circuit) -> Int64 {
    let durations = circuit.phases.map {
      PhaseDuration(type: PhaseType(name: $0.type), lengthMs: Int64($0.seconds) * 1000)
    }
    let wanted = min(round, max(1, circuit.stations.count))
    let phases = StartPlan(durations: durations, warnings: nil, rounds: wanted).list
    return (phases.plannedRotations.dropFirst(wanted - 1).first?.lowerBound ?? phases.plannedMs) + running
  }

  /// All dates become today; the first session began a while ago, the others come later.
  private static func moveToToday(_ plan: inout ExamPlan, begun: Instant) {
    let first = plan.sessions.map { "\($0.date) \($0.start)" }.min() ?? ""
    let begun = LocalTime.reading(of: begun)
    for index in plan.sessions.indices {
      let session = plan.sessions[index]
      let isFirst = "\(session.date) \(session.start)" == first
      plan.sessions[index].date = begun.date
      plan.sessions[index].end = nil
      // A later session of the same day stays the later one.
      plan.sessions[index].start = isFirst ? begun.minute : max("23:00", begun.minute)
      if !isFirst && begun.minute >= "23:00" { plan.sessions[index].start = "23:59" }
    }
  }

  /// Nobody is there to start a round by hand.
  private static func startByItself(_ plan: inout ExamPlan) {
    for circuit in plan.circuits.indices {
      for phase in plan.circuits[circuit].phases.indices { plan.circuits[circuit].phases[phase].manualStart = false }
    }
  }

  private static func startFirstSessions(_ store: ExamStore, _ starts: [String: Instant]) throws {
    try store.write(.program) { transaction in
      for circuit in try Circuit.all(at: transaction.clock.now, transaction.db) {
        guard let session = try Session.all(of: circuit.id, in: transaction.db).first, let start = starts[circuit.name]
        else { continue }
        try ClockLog.append(.start, to: session, at: start, in: transaction)
      }
    }
  }
}

/// The year 3 exam of the fixtures, carried in the program as an example.
public enum Year3Exam {
  /// The files of its folder, by path. Made when asked for: only the demo reads them.
  public static var files: [String: String] {
    [
      "exam.yaml": PackageResources.exam_yaml,
      "candidates.csv": PackageResources.candidates_csv,
      "staff.csv": PackageResources.staff_csv,
      "sheets/ABDO.yaml": PackageResources.ABDO_yaml,
      "sheets/CHEST.yaml": PackageResources.CHEST_yaml,
      "sheets/CONSENT.yaml": PackageResources.CONSENT_yaml,
      "sheets/DENTAL.yaml": PackageResources.DENTAL_yaml,
      "sheets/NEWS.yaml": PackageResources.NEWS_yaml,
      "sheets/RESUS.yaml": PackageResources.RESUS_yaml,
      "sheets/RX.yaml": PackageResources.RX_yaml,
    ].mapValues { String(decoding: $0, as: UTF8.self) }
  }
}

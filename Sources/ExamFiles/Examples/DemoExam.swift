import CircuitModel
import ExamStore
import Timer

/// An exam in a throw-away store, moved to today, its clock running.
public enum DemoExam {
  /// Loads an exam into a new store as if its first session had begun a little while ago.
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
    let store = try ExamStore(location(in: folder), .createIfMissing)
    moveToToday(&plan, now: store.clock.now)
    startByItself(&plan)
    let outcome = try ExamImport.load(plan, into: store)
    if outcome.report == nil {
      throw StoreError(outcome.problems.first { $0.severity == .error }?.description ?? "the example cannot be loaded")
    }
    try startFirstSessions(store)
    return store
  }

  /// Opens the store that was built in a folder before, as it was left.
  /// - Throws: `StoreError` if it cannot be opened.
  public static func reopen(in folder: String) throws -> ExamStore {
    let store = try ExamStore(location(in: folder))
    LocalTime.use(zone: try store.read { db in try ExamSettings.read(db).timeZone })
    return store
  }

  private static func location(in folder: String) -> StoreLocation { StoreLocation(path: folder + "/demo.sqlite") }

  /// Milliseconds that the first session has been running for: a minute of reading and a little of the rotation.
  private static let lead: Int64 = 75_000

  /// All dates become today; starts keep their distances from the first one, which becomes now.
  private static func moveToToday(_ plan: inout ExamPlan, now: Instant) {
    let first = plan.sessions.map { "\($0.date) \($0.start)" }.min() ?? ""
    let begun = LocalTime.reading(of: now - lead)
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

  private static func startFirstSessions(_ store: ExamStore) throws {
    let start = store.clock.now - lead
    try store.write(.program) { transaction in
      for circuit in try Circuit.all(at: transaction.clock.now, transaction.db) {
        guard let session = try Session.all(of: circuit.id, in: transaction.db).first else { continue }
        let event = try ClockLog.append(.start, to: session, at: start, in: transaction)
        guard
          let state = try Run.current(of: session, at: start, in: transaction.db)
            .map({ Rotation.fold($0.events, until: start).state(at: transaction.clock.now) })
        else { continue }
        // A cycle that waits for a person before the rotation has been started by that person.
        if state.status == .waiting {
          try ClockLog.append(.start, to: session, at: event.at + (lead - 10_000), in: transaction)
        }
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

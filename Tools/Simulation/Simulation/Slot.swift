import CSeededSystem
import CircuitModel
import ExamStore
import GRDB
import Glibc
import Hub
import Journal
import StoreSync
import Sync

/// The files of one simulation: a hub and terminals of a small exam, made once, from which every history begins. The
/// files stay where they are, so that each store stays the device that it is.
public final class Slot {
  static let start: Int64 = 1_795_222_800_000
  static let roles: [DeviceRole?] = [.station, .station, .lead, .lead, nil, nil, nil]
  /// The sessions of the circuit, by their starts, all of this day.
  static let (day, starts) = ("2026-11-21", ["09:00", "10:00", "11:00"])
  /// The numbers of the candidates.
  static let numbers = ["1001", "1002", "1003"]
  static func entry(_ number: Int) -> String { "e\(number)" }
  /// The terminal that is not enrolled, and the place of a copy.
  static let (newcomer, twin) = (4, 5)
  /// The terminal that is given a part of the exam.
  static let guest = 6

  let folder: String
  let exam = UUIDBytes(high: 0x0192_F0C0_0000_7000, low: 0x8000_0000_0000_E0A1)
  private(set) var hubImage = StoreImage(of: "")
  private(set) var images: [StoreImage] = []
  /// What the place of a copy is called in its store: a copy that says so is the device that it was copied from.
  private(set) var twinPlace = ""

  /// Makes the files in memory.
  public init() async throws {
    folder = "/dev/shm/osce-simulation-\(getpid())"
    guard mkdir(folder, 0o700) == 0 || errno == EEXIST else { throw StoreError("cannot make \(folder)") }
    seeded_system_begin(1)
    defer { seeded_system_end() }
    try await make()
  }

  /// Removes the files.
  public func remove() {
    for index in Self.roles.indices {
      for end in ["", "-wal", "-shm", ".hub", ".lock", ".backup-lock", ".announcer"] { unlink(path(index) + end) }
    }
    for end in ["", "-wal", "-shm", ".lock"] {
      unlink(folder + "/hub.sqlite" + end)
      unlink(folder + "/import.sqlite" + end)
    }
    rmdir(folder)
  }

  func path(_ index: Int) -> String { "\(folder)/t\(index).sqlite" }
  var hubPath: String { folder + "/hub.sqlite" }

  static func system(skew: Int64, stage: Stage, boot: String) -> SystemClock {
    SystemClock(
      wall: { start + stage.time + skew }, boot: { 1_000_000 + stage.time }, bootID: { boot })
  }

  private func make() async throws {
    let stage = Stage()
    let system = Self.system(skew: -3_600_000, stage: stage, boot: "made")
    let database = try SQLiteDatabase(path: hubPath)
    let hub = Hub(
      database, version: "simulation",
      clock: HubTimeSource(now: { Self.start - 3_600_000 + stage.time }, steady: { stage.time }), limitsRates: false)
    let desk = try ExamStore(StoreLocation(path: folder + "/import.sqlite"), .createIfMissing, system: system)
    try desk.write(.program) { transaction in
      try transaction.create("ClinicGroup", "1", ["name": .text("Circuit A")])
      try transaction.create("Staff", "1", ["surname": .text("Adeyemi"), "username": .text("adeyemi")])
      try transaction.create("ActivityType", "1", ["name": .text("Station 1"), "clinicGroup": .integer(1)])
      try transaction.create(
        "Timetable", "1",
        [
          "activityType": .integer(1), "date": .text(Self.day), "startTime": .text(Self.starts[0]),
          "staff": .integer(1),
        ])
      for (index, number) in Self.numbers.enumerated() {
        try transaction.create(
          "Student", "\(11 + index)", ["surname": .text(History.secret(number)), "studentNumber": .text(number)])
        try transaction.create(
          "TimetableAttendanceLog", Self.entry(Int(number) ?? 0),
          ["timetable": .integer(1), "student": .integer(Int64(11 + index)), "order": .integer(Int64(1 + index))])
      }
      try transaction.create(
        "CircuitStationDuration", "1",
        ["clinicGroup": .integer(1), "durationType": .text("rotation"), "duration": .integer(2)])
    }
    try await hub.makeExam(exam, named: "Year 3", device: desk.device)
    try await hub.adopt(desk.ownChain(), from: desk.device, in: exam)
    desk.close()
    for (index, role) in Self.roles.enumerated() {
      let store = try ExamStore(StoreLocation(path: path(index)), .createIfMissing, system: system)
      if let role {
        try await Self.enrol(store, role, at: hub, of: exam, isSameExam: false)
        let client = SyncClient(
          store: EnrolledStore(store), transport: DirectRoad(hub: hub), clock: StillClock(), random: Still())
        guard await client.runOnce() else { throw StoreError("the first exchange failed") }
      }
      if index == Self.twin {
        twinPlace = try store.read {
          try String.fetchOne($0, sql: "SELECT value FROM storeInfo WHERE key = 'place'") ?? ""
        }
      }
      store.close()
      images.append(StoreImage(of: path(index), besides: [".hub"]))
    }
    try database.close()
    hubImage = StoreImage(of: hubPath)
  }

  static func enrol(
    _ store: ExamStore, _ role: DeviceRole, at hub: Hub, of exam: UUIDBytes, isSameExam: Bool,
    scope: CodeScope = .whole
  ) async throws {
    let code = "CODE\(UUIDBytes.random())"
    try await hub.keep(code: code, for: role, in: exam, uses: 8, scope: scope)
    _ = try await StoreLink.enrol(
      store, at: "http://127.0.0.1:1", code: code, pin: nil, isSameExam: isSameExam, over: DirectRoad(hub: hub))
  }
}

/// A way to a hub that never fails.
struct DirectRoad: Transport {
  let hub: Hub
  func send(_ request: WireRequest, wait: Int64) async throws(TransportFailure) -> WireResponse {
    await hub.answer(request)
  }
}

private struct StillClock: SteadyClock {
  func now() -> Int64 { 0 }
  func sleep(milliseconds: Int64) async {}
}

private struct Still: RandomNumberGenerator, Sendable {
  func next() -> UInt64 { 0 }
}

import ExamStore
import GRDB
import Journal
import Timer

/// The device that has a run: the one that made it, unless another took it over. Its events count however late they come,
/// so any other gives some only while it is in contact with the hub.
public struct RunHost: Equatable, Sendable {
  /// The device.
  let device: String
  /// What people call it; nil where it has no name here.
  public let name: String?
  /// Whether it is this device.
  public let isHere: Bool

  /// How long ago the hub may have answered last, in milliseconds.
  static let contactMs: Int64 = 15_000
  /// How far the exam's time here may be from the hub's, in milliseconds.
  public static let boundMs: Int64 = 500

  /// Why a device gives no events for a run that another one has.
  public enum Reason: Equatable, Sendable {
    /// The hub has not been asked for its time, or not answered, since the machine was started.
    case noContact
    /// The hub last answered so many milliseconds ago.
    case silent(Int64)
    /// The exam's time here may be so many milliseconds from the hub's.
    case unsure(Int64)
  }

  /// The host of a run; nil where it is not known.
  public static func of(run key: String, in db: Database) throws -> RunHost? {
    let named = try String.fetchOne(
      db.cachedStatement(sql: "SELECT host FROM circuitRun WHERE uuid = ?"), arguments: [key])
    let maker = try String.fetchOne(
      db.cachedStatement(
        sql: """
          SELECT device FROM operation WHERE entity = 'CircuitRun' AND entityID = ?
          ORDER BY hubSeq IS NULL, hubSeq, seq LIMIT 1
          """), arguments: [key])
    guard let device = named ?? maker else { return nil }
    let name = try String.fetchOne(
      db.cachedStatement(sql: "SELECT name FROM device WHERE uuid = ?"), arguments: [device])
    let isHere = try DeviceBinding.known(db).map { try lineage(of: $0, in: db).contains(device) } ?? false
    return RunHost(device: device, name: name.flatMap { $0.isEmpty ? nil : $0 }, isHere: isHere)
  }

  /// A device, and those in whose place it goes on.
  static func lineage(of device: UUIDBytes, in db: Database) throws -> [String] {
    var lineage = [device.description]
    while let last = lineage.last,
      let before = try String.fetchOne(
        db.cachedStatement(sql: "SELECT continues FROM device WHERE uuid = ?"), arguments: [last]),
      !lineage.contains(before)
    {
      lineage.append(before)
    }
    return lineage
  }

  /// Why an event is not given for a run here; nil where it may be, as in every store without a hub.
  static func refusal(of run: Run?, by clock: ExamClock, in db: Database) throws -> ClockRefusal? {
    guard let run, try Enrolment.exists(db), let host = try of(run: run.key, in: db), !host.isHere,
      let reason = reason(by: clock)
    else { return nil }
    return .hostedElsewhere(host.name, reason, session: run.session.name)
  }

  /// Why this machine is not in contact with the hub closely enough; nil where it is.
  static func reason(by clock: ExamClock) -> Reason? {
    guard let hub = clock.hub else { return .noContact }
    let boot = clock.boot
    if hub.silence(at: boot) >= contactMs { return .silent(hub.silence(at: boot)) }
    let bound = hub.bound(at: boot)
    return bound >= boundMs ? .unsure(bound) : nil
  }

  /// Makes this device the host of a session's current run.
  /// - Throws: `ClockRefusal` where nothing was started, the store has no hub, or is not in contact with it.
  public static func take(_ session: Session, in transaction: JournalTransaction) throws {
    let (clock, db) = (transaction.clock, transaction.db)
    guard try Enrolment.exists(db) else { throw ClockRefusal.hostedHere }
    try clock.follow(db)
    guard let run = try Run.current(of: session, at: clock.now, in: db) else {
      throw ClockRefusal.notTaken(event: "take", .notStarted, session: session.name)
    }
    if let refusal = try refusal(of: run, by: clock, in: db) { throw refusal }
    try transaction.set(Stored.CircuitRun.self, run.key, [.host(transaction.device.description)], kind: .clock)
  }
}

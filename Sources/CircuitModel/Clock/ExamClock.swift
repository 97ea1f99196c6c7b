import GRDB
import Timer

/// The exam's time: the boot clock plus one offset that all processes of this machine share.
///
/// The offset is fixed when the store is first opened after a start of the machine, so that setting the wall clock
/// later moves no countdown.
public struct ExamClock: Sendable {
  private let system: SystemClock
  /// Milliseconds from the boot clock to the exam's time.
  public let offset: Int64

  init(system: SystemClock, offset: Int64) {
    self.system = system
    self.offset = offset
  }

  /// The exam's time now.
  public var now: Instant { Instant(milliseconds: system.boot() + offset) }

  /// How far the wall clock stands ahead of the exam's time, in milliseconds.
  public var wallClockLead: Int64 { system.wall() - (system.boot() + offset) }

  /// The wall clock, milliseconds since the Unix epoch.
  public var wall: Int64 { system.wall() }

  /// Reads this boot's offset, or fixes it now.
  static func anchor(_ db: Database, system: SystemClock) throws -> Int64 {
    let bootID = system.bootID()
    if let offset = try Int64.fetchOne(db, sql: "SELECT offset FROM bootClock WHERE bootID = ?", arguments: [bootID]) {
      return offset
    }
    let wall = system.wall()
    let offset = wall - system.boot()
    try db.execute(
      sql: "INSERT INTO bootClock (bootID, offset, anchoredAt) VALUES (?, ?, ?)", arguments: [bootID, offset, wall])
    return offset
  }
}

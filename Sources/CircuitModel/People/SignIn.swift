import ExamStore
import GRDB
import Glibc
import Journal

/// One person at one terminal, from signing in to signing out. Every change made there names it.
public struct SignIn: Sendable {
  /// The sitting's key.
  public let id: UUIDBytes
  /// Who sits there.
  public let staff: StaffMember
  /// The station session; nil at a desk.
  public let timetable: Int?

  /// The author of what is done in this sitting.
  public func author(at clock: ExamClock) -> Author {
    Author(staff: staff.id, sitting: id, at: clock)
  }

  /// Records that somebody signed in.
  /// - Parameters:
  ///   - timetable: the station session; nil at the invigilator's desk, which belongs to none.
  ///   - place: what is known of the terminal.
  public static func begin(
    _ staff: StaffMember, timetable: Int?, device: UUIDBytes, from place: TerminalInfo = .here,
    in transaction: JournalTransaction
  ) throws -> SignIn {
    let sitting = SignIn(id: UUIDBytes.random(), staff: staff, timetable: timetable)
    transaction.author.staff = staff.id
    transaction.author.sitting = sitting.id
    let now = transaction.clock.now
    try transaction.create(
      Stored.Sitting.self, sitting.id.description,
      [
        .device(device.description), .staff(staff.id), .process(Int(place.process)),
        .processStart(place.processStart), .began(now), .version(place.version), .timetable(timetable),
        .tty(place.tty), .host(place.host), .sshKey(place.sshKey),
      ])
    guard let timetable else { return sitting }
    try transaction.create(
      Stored.StaffSignIn.self, UUIDBytes.random().description,
      [.staff(staff.id), .timetable(timetable), .time(now), .appUUID(device.description)])
    return sitting
  }

  /// Records that the person has gone.
  public func end(in transaction: JournalTransaction) throws {
    try transaction.set(Stored.Sitting.self, id.description, [.ended(transaction.clock.now)])
  }
}

import ExamStore
import GRDB
import Glibc
import Journal

/// One person at one terminal, from signing in to signing out. Every change made there names it.
public struct Sitting: Sendable {
  /// The sitting's key.
  public let id: UUIDBytes
  /// Who sits there.
  public let staff: StaffMember

  /// The author of what is done in this sitting.
  public func author(at clock: ExamClock) -> Author {
    Author(staff: staff.id, sitting: id, examTime: ExamTime(milliseconds: clock.now.milliseconds))
  }

  /// Records that somebody signed in.
  /// - Parameters:
  ///   - timetable: the station session; nil at the invigilator's desk, which belongs to none.
  ///   - place: what is known of the terminal.
  public static func begin(
    _ staff: StaffMember, timetable: Int?, device: UUIDBytes, from place: SittingPlace = .here,
    in transaction: JournalTransaction
  ) throws -> Sitting {
    let sitting = Sitting(id: UUIDBytes.random(), staff: staff)
    transaction.author.staff = staff.id
    transaction.author.sitting = sitting.id
    let now = transaction.clock.now.milliseconds
    var fields: [String: Value] = [
      "device": .text(device.description), "staff": .integer(Int64(staff.id)),
      "process": .integer(Int64(place.process)), "began": .integer(now), "version": .text(place.version),
    ]
    if let timetable { fields["timetable"] = .integer(Int64(timetable)) }
    if let tty = place.tty { fields["tty"] = .text(tty) }
    if let host = place.host { fields["host"] = .text(host) }
    try transaction.create("Sitting", sitting.id.description, fields)
    guard let timetable else { return sitting }
    try transaction.create(
      "StaffSignIn", UUIDBytes.random().description,
      [
        "staff": .integer(Int64(staff.id)), "timetable": .integer(Int64(timetable)), "time": .integer(now),
        "appUUID": .text(device.description),
      ])
    return sitting
  }

  /// Records that the person has gone.
  public func end(in transaction: JournalTransaction) throws {
    try transaction.set("Sitting", id.description, ["ended": .integer(transaction.clock.now.milliseconds)])
  }
}

import Journal
import SystemTesting

@testable import CircuitModel
@testable import ExamStore
@testable import Reports

extension Rehearsed {
  /// Has somebody else hold the store's lock; keys go on without waiting for what they save.
  func holdLock() throws -> HeldLock {
    let lock = try HeldLock(store.location.path + ".lock")
    isHeld = true
    return lock
  }

  /// Another terminal on the same store.
  func elsewhere<T>(_ username: String, _ body: (JournalTransaction) throws -> T) throws -> T {
    let other = try ExamStore(store.location, .existing, system: clocks.system)
    defer { other.close() }
    return try other.write(Author(staff: try member(username).id), body)
  }

  /// Excuses a candidate at a station of the morning, as the lead does it at another terminal.
  func excuse(_ candidate: String, at station: String) throws {
    try elsewhere("psharma") {
      let lead = try ExamLead.authorise(ExamLead.find(username: "cdubois", in: $0.db), by: nil)
      let scope = ExamRuling.Scope(station: station, candidate: candidate)
      try Rulings.make(.excuse, on: scope, reason: "fire alarm", by: lead, $0)
    }
  }

  /// Rules out what the lead assessor has of a candidate at a station of the morning, as the lead does it at another
  /// terminal; it is begun for that where it is not.
  func ruleOut(_ candidate: String, at station: String) throws {
    let timetable = try session(station).timetable
    try elsewhere("psharma") { transaction in
      let entry = try Roster.entries(timetable: timetable, seat: .lead, in: transaction.db)
        .first { $0.candidate?.number == candidate }!
      let keys = try Attendance.passIdentityStep(entry: entry, seat: .lead, in: transaction)
      let lead = try ExamLead.authorise(ExamLead.find(username: "cdubois", in: transaction.db), by: nil)
      for key in keys {
        try Rulings.make(.exclusion, on: ExamRuling.Scope(sheet: key), reason: "taken ill", by: lead, transaction)
      }
    }
  }

  /// Signs the open sheet from another terminal, before this one has heard of it.
  func signElsewhere() throws {
    let sheet = sheet
    try elsewhere("nokafor") { try Signing.sign(sheet, in: $0) }
  }
}

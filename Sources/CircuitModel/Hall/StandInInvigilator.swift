import ExamStore
import GRDB
import Journal
import Timer

/// Answers help calls where nobody sits at the desk: the invigilator of a demonstration.
public enum StandInInvigilator {
  /// How long a call waits for an answer, and how long the way takes, in milliseconds.
  private static let wait: Int64 = 6000, way: Int64 = 20_000

  /// Sets out to calls that have waited, and resolves those that were gone to. Leaves all to the desk while anybody
  /// sits there.
  /// - Returns: how many calls were answered or resolved.
  @discardableResult public static func attend(_ store: ExamStore) throws -> Int {
    let now = store.clock.now
    let (calls, person) = try store.read { db -> ([HelpCall], StaffMember?) in
      if try OpenTerminal.all(in: db).contains(where: { $0.timetable == nil }) { return ([], nil) }
      return (try HelpCalls.open(in: db), try StaffMember.ofTheHall(db).first ?? StaffMember.active(db).last)
    }
    guard let person else { return 0 }
    let due = calls.filter { call in
      switch call.status {
      case .requested: call.requestedAt.map { now - $0 >= wait } ?? true
      case .responding: call.responderID == person.id && call.respondedAt.map { now - $0 >= way } ?? true
      case .resolved: false
      }
    }
    for call in due {
      try store.write(Author(staff: person.id)) { transaction in
        if call.status == .requested {
          try HelpCalls.respond(call, transaction)
        } else {
          try HelpCalls.resolve(call, transaction)
        }
      }
    }
    return due.count
  }
}

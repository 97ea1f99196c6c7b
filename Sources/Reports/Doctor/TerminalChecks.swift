import CircuitModel
import ExamStore
import GRDB
import Timer

/// Looks who sits where: at each station that is marked a terminal, of this version, and each assessor signed in.
struct TerminalChecks {
  let db: Database
  let program: String
  let surroundings: MachineSurroundings
  let expected: ExpectedSessions
  let now: Instant

  /// A terminal at which somebody sits now.
  private struct Seen {
    let timetable: Int
    let staff: Int?
    let version: String?
    let process: Int32
  }

  func run(_ diagnosis: inout Diagnosis) throws {
    let places = try expected.inOrder.flatMap { try StationSession.all(of: $0, in: db) }.filter { !$0.isRest }
    guard let first = places.first else {
      diagnosis.add("terminals", .ok, "no session is to come")
      return
    }
    let bad: Diagnosis.Result = expected.isUrgent(at: now) ? .failed : .warning
    let seen = Dictionary(grouping: try seen(), by: \.timetable)
    var terminals = Problems()
    var versions = Problems()
    var signedIn = Problems()
    var people = 0
    for place in places {
      let name = "\(place.circuit.name) \(place.stationCode)"
      let here = seen[place.timetable] ?? []
      if here.isEmpty { terminals.add("\(name): no terminal") }
      for terminal in here where terminal.version != program {
        versions.add("\(name): process \(terminal.process) is osce \(terminal.version ?? "of an unknown version")")
      }
      if place.assessors.isEmpty { signedIn.add("\(name): no assessor is planned") }
      for assessor in place.assessors {
        people += 1
        if !here.contains(where: { $0.staff == assessor.staff }) {
          signedIn.add("\(name): \(assessor.name) is not signed in")
        }
      }
    }
    let session = first.session.name
    let count = places.reduce(0) { $0 + (seen[$1.timetable]?.count ?? 0) }
    diagnosis.add(
      "terminals", problems: terminals, otherwise: bad, sound: "one at each of \(places.count) stations, \(session)")
    diagnosis.add(
      "terminal versions", problems: versions, sound: "\(count) seen, none of another version than \(program)")
    diagnosis.add("signed in", problems: signedIn, otherwise: bad, sound: "all \(people) assessors, \(session)")
  }

  /// The open sittings of this machine whose process lives. One from before the machine was started is not alive,
  /// whatever process has its number now.
  private func seen() throws -> [Seen] {
    let began = try MachineChecks.offset(db, surroundings) ?? 0
    return try ReadRow.fetchAll(
      db,
      sql: """
        SELECT timetableID, staffID, version, process, processStart FROM sitting
        WHERE ended IS NULL AND timetableID IS NOT NULL AND process IS NOT NULL AND began >= ?
          AND deviceID = (SELECT value FROM storeInfo WHERE key = 'device')
        """, arguments: [began]
    ).compactMap { row in
      guard let process = Int32(exactly: row["process"] as Int64), process > 0,
        surroundings.isAlive(process, row["processStart"])
      else { return nil }
      return Seen(timetable: row["timetableID"], staff: row["staffID"], version: row["version"], process: process)
    }
  }
}

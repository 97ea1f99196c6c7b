import ExamStore
import GRDB

extension WrongCandidate {
  /// A roster entry with what its sheets hold.
  struct Place {
    let entry: RosterEntry
    let timetable: Int
    /// The keys of its sheets at the seat.
    let sheets: [String]
    let isMarked: Bool
    let isSigned: Bool

    var number: String { entry.isPractice ? "the practice sheet" : entry.candidate?.number ?? "nobody" }
  }

  /// The places of two entries of one station session.
  static func pair(_ first: String, _ second: String, _ seat: Seat, _ db: Database) throws -> [Place] {
    if first == second { throw SheetMoveRefusal.sameCandidate }
    let places = try [first, second].map { key in
      guard let entry = try Roster.entry(key, seat: seat, in: db) else {
        throw SheetMoveRefusal.unknownEntry(key)
      }
      return try place(entry, seat, db)
    }
    if places[0].timetable != places[1].timetable {
      throw SheetMoveRefusal.anotherStation
    }
    if places[1].entry.isPractice { throw SheetMoveRefusal.toPractice }
    return places
  }

  /// The places of a shift in the order in which their sheets go on, the blank one last.
  static func chain(
    _ timetable: Int, from round: Int, _ direction: Direction, _ seat: Seat, _ db: Database
  ) throws -> [Place] {
    let roster = try Roster.entries(timetable: timetable, seat: seat, in: db).filter { $0.round != nil }
      .map { try place($0, seat, db) }
    guard let first = roster.firstIndex(where: { ($0.entry.round ?? 0) >= round }),
      let last = roster.lastIndex(where: \.isMarked), last >= first
    else { throw SheetMoveRefusal.nothingToShift(round: round) }
    switch direction {
    case .later:
      guard last + 1 < roster.count else {
        throw SheetMoveRefusal.noRoundAfter(roster[last].number)
      }
      return Array(roster[first...last + 1])
    case .earlier:
      guard first > 0 else {
        throw SheetMoveRefusal.noRoundBefore(roster[first].number)
      }
      if roster[first - 1].isMarked {
        throw SheetMoveRefusal.inTheWay(roster[first - 1].number)
      }
      return Array(roster[first - 1...last].reversed())
    }
  }

  private static func place(_ entry: RosterEntry, _ seat: Seat, _ db: Database) throws -> Place {
    let forms = try ReadRow.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT f.uuid, f.signedAt IS NOT NULL AS signed, \(MarkedSheet.condition) AS marked
          FROM dataForm f WHERE f.attendanceLogID = ? AND f.seat = ? AND f.dsDeleted = 0 ORDER BY f.typeID, f.uuid
          """), arguments: [entry.key, seat.name])
    let timetable = try Roster.timetable(of: entry.key, in: db)
    let isSigned = forms.contains { $0["signed"] }
    return Place(
      entry: entry, timetable: timetable ?? 0, sheets: forms.map { $0["uuid"] },
      isMarked: isSigned || forms.contains { $0["marked"] }, isSigned: isSigned)
  }

  static func hasNotes(_ place: Place, _ seat: Seat, _ db: Database) throws -> Bool {
    try !CandidateNotes(of: place.entry.key, seat: seat, timetable: place.timetable, in: db).isEmpty
  }

  // MARK: What will happen

  static func handovers(_ places: [Place], _ moves: [Move], _ seat: Seat, _ db: Database) throws -> [Handover] {
    let byKey = Dictionary(places.map { ($0.entry.key, $0) }) { first, _ in first }
    return try moves.compactMap { move in
      guard let from = byKey[move.from], let to = byKey[move.to], move.takesNotes || from.isMarked else { return nil }
      let notes = try CandidateNotes(of: move.from, seat: seat, timetable: from.timetable, in: db)
      return Handover(
        from: party(from), to: party(to), isEmpty: from.sheets.isEmpty && notes.isEmpty,
        marks: from.entry.sheets.map(\.answered).reduce(0, +), comments: notes.comments.count,
        concerns: notes.concerns, jots: notes.jots.count, isSigned: from.isSigned)
    }
  }

  static func attendance(_ places: [Place]) -> [AttendanceChange] {
    if places.contains(where: \.entry.isPractice) { return [] }
    return places.indices.compactMap { index in
      let before = recorded(places[index].entry)
      let after = recorded(places[(index + places.count - 1) % places.count].entry)
      return before == after ? nil : AttendanceChange(number: places[index].number, before: before, after: after)
    }
  }

  private static func recorded(_ entry: RosterEntry) -> Recorded {
    switch entry.isPresent {
    case nil: .nothing
    case true?: entry.lateAt == nil ? .present : .late
    case false?: .absent
    }
  }

  private static func party(_ place: Place) -> Party {
    Party(
      number: place.number, name: place.entry.candidate?.name, round: place.entry.round,
      isAbsent: place.entry.isPresent == false)
  }
}

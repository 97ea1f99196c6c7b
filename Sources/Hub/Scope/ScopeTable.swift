import CircuitModel
import ExamStore
import Journal
import Sync

/// Where the rows of one exam are, and so who gets them: circuit, station, session and seat, which pass from a row to
/// those that name it. A row that is moved is in both places from then on: what a device was given stays right.
final class ScopeTable {
  private let log: ExamLog
  private let operations: OperationStore
  /// What was looked up; only who holds the exam's lock writes.
  private var known: [RowKey: Set<String>] = [:]
  /// Where rows would be whose operations do not count.
  private var uncounted: [RowKey: Set<String>] = [:]

  init(_ log: ExamLog) {
    self.log = log
    operations = OperationStore(log: log)
  }

  /// The parts of an exam in which an operation is: who has one of them gets it.
  /// - Parameter counts: whether it says where its row is; otherwise it is only held against what is known.
  func atoms(for opened: OpenedOperation, at seq: Int64, counts: Bool) throws -> String {
    let row = opened.operation.row
    let kind = RowKind(row.entity)
    if kind == .rest { return "" }
    let fields = opened.body?.fields ?? [:]
    let before = try places(of: row)
    var found = own(row).union(counts ? [] : uncounted[row] ?? [])
    for link in RowKind.links(of: row.entity) {
      guard let source = RowKey(fields[link.name], of: link.destination) else { continue }
      found.formUnion(try places(of: source))
      if !counts { found.formUnion(uncounted[source] ?? []) }
      if counts { note(flow: source, to: row) }
    }
    if kind == .sheet { found.formUnion(try seats(opened, before.union(found))) }
    let all = before.union(found)
    if counts {
      if all != before { try gain(row, all, at: seq) }
      for student in Self.followers(of: row, fields) {
        note(flow: row, to: student)
        try gain(student, all, at: seq)
      }
    } else {
      uncounted[row] = all
    }
    let atoms = kind.atoms(at: all)
    // A message that names no circuit is for all of them.
    if row.entity == Stored.HallMessage.entityName, atoms.isEmpty { return ScopeAtom.exam }
    return atoms.sorted().joined(separator: " ")
  }

  /// The rows that an operation's fields say are where its row is: the candidate of an entry of a roster.
  static func followers(of row: RowKey, _ fields: [String: Value]) -> [RowKey] {
    guard row.entity == Stored.TimetableAttendanceLog.entityName else { return [] }
    return RowKey(fields["student"], of: Stored.Student.entityName).map { [$0] } ?? []
  }

  /// What a row is itself a place of.
  private func own(_ row: RowKey) -> Set<String> {
    switch row.entity {
    case Stored.ClinicGroup.entityName: ["circuit:\(ScopeAtom.key(row.id))"]
    case Stored.ActivityType.entityName: ["post:\(ScopeAtom.key(row.id))"]
    case Stored.Timetable.entityName: ["station:\(ScopeAtom.key(row.id))"]
    default: []
    }
  }

  /// The seat of a sheet, or of who writes a comment.
  private func seats(_ opened: OpenedOperation, _ places: Set<String>) throws -> Set<String> {
    let isSeated = places.contains { $0.hasPrefix("seat:") }
    let row = opened.operation.row
    switch row.entity {
    case Stored.DataForm.entityName:
      if case .text(let seat)? = opened.body?.fields["seat"] { return ["seat:\(ScopeAtom.key(seat))"] }
      return isSeated ? [] : ["seat:\(Seat.lead.name)"]
    case Stored.DataSection.entityName, Stored.DataQuestion.entityName, Stored.RatingQuestion.entityName: return []
    default:
      if isSeated { return [] }
      guard let staff = opened.operation.staff else { return ["seat:\(Seat.lead.name)"] }
      let sessions = places.compactMap { $0.hasPrefix("station:") ? Int64($0.dropFirst(8)) : nil }
      let people = ExamPeople(rows: ExamRows(log))
      let seats = try sessions.map { try people.seat(of: staff, at: $0) }
      return Set((seats.isEmpty ? [Seat.lead.name] : seats).map { "seat:\(ScopeAtom.key($0))" })
    }
  }

  // MARK: Kept

  /// Where a row is, as far as is known.
  private func places(of row: RowKey) throws -> Set<String> {
    if let known = known[row] { return known }
    let text = try log.held.rows(.placesByRow, row.held).first?.row.text(Self.atoms)
    let places = Set((text ?? "").split(separator: " ").map(String.init))
    known[row] = places
    return places
  }

  private static let (atoms, since) = (HeldTable.places.column("atoms"), HeldTable.places.column("since"))
  private static let (target, targetID) = (HeldTable.flows.column("entity"), HeldTable.flows.column("entityID"))

  private func note(flow source: RowKey, to row: RowKey) {
    log.held.insert(source.held + row.held, into: .flows)
  }

  /// Notes that a row, and what is where it is, is at more places from a number of the log on.
  private func gain(_ row: RowKey, _ gained: Set<String>, at seq: Int64) throws {
    var open = [(row, gained)]
    while let (row, gained) = open.popLast() {
      let before = try places(of: row)
      let after = before.union(gained)
      if after == before { continue }
      known[row] = after
      let text = HubValue.text(after.sorted().joined(separator: " "))
      if let held = try log.held.rows(.placesByRow, row.held).first {
        log.held.set(Self.atoms, of: held, in: .places, to: text)
        log.held.set(Self.since, of: held, in: .places, to: .integer(seq))
      } else {
        log.held.insert(row.held + [text, .integer(seq)], into: .places)
      }
      let kind = RowKind(row.entity)
      let atoms = kind.atoms(at: after).subtracting(kind.atoms(at: before))
      if !atoms.isEmpty { try call(row, atoms, from: seq) }
      for target in try log.held.rows(.flowsBySource, row.held) {
        let row = RowKey(entity: try target.row.text(Self.target), id: try target.row.text(Self.targetID))
        open.append((row, after))
      }
    }
  }

  /// Calls the operations that are here of a row by more atoms from a number of the log on.
  private func call(_ row: RowKey, _ atoms: Set<String>, from seq: Int64) throws {
    guard try operations.call(row, atoms, from: seq) else { return }
    log.held.insert([.integer(seq)] + row.held, into: .late)
  }
}

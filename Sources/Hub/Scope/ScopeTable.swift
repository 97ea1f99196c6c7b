import ExamStore
import Journal
import Sync

/// Where the rows of one exam are, and so who gets them: circuit, station, session and seat, which pass from a row to
/// those that name it. A row that is moved is in both places from then on: what a device was given stays right.
final class ScopeTable {
  private let log: ExamLog
  private var connection: any HubConnection { log.connection }
  private var exam: HubValue { HubValue(log.exam) }
  /// What was looked up; only who holds the exam's lock writes.
  private var known: [RowKey: Set<String>] = [:]
  /// Where rows would be whose operations do not count.
  private var uncounted: [RowKey: Set<String>] = [:]

  init(_ log: ExamLog) { self.log = log }

  /// What an operation is called where it is asked who gets it.
  /// - Parameter counts: whether it says where its row is; otherwise it is only held against what is known.
  func words(for opened: OpenedOperation, at seq: Int64, counts: Bool) throws -> String {
    let row = opened.operation.row
    let kind = RowKind(row.entity)
    if kind == .rest { return "" }
    let fields = opened.body?.fields ?? [:]
    let before = try places(of: row)
    var found = own(row).union(counts ? [] : uncounted[row] ?? [])
    for link in RowKind.links(of: row.entity) {
      guard let value = fields[link.name], let source = Self.row(value, link.destination) else { continue }
      found.formUnion(try places(of: source))
      if !counts { found.formUnion(uncounted[source] ?? []) }
      if counts { try note(flow: source, to: row) }
    }
    if kind == .sheet { found.formUnion(try seats(opened, before.union(found))) }
    let all = before.union(found)
    if counts {
      if all != before { try gain(row, all, at: seq) }
      if row.entity == Self.entry, let student = fields["student"].flatMap({ Self.row($0, "Student") }) {
        try note(flow: row, to: student)
        try gain(student, all, at: seq)
      }
    } else {
      uncounted[row] = all
    }
    let words = kind.words(at: all)
    // A message that names no circuit is for all of them.
    if row.entity == "HallMessage", words.isEmpty { return ScopeAtom.exam }
    return words.sorted().joined(separator: " ")
  }

  private static let entry = "TimetableAttendanceLog"

  private static func row(_ value: Value, _ entity: String) -> RowKey? {
    switch value {
    case .integer(let key): RowKey(entity: entity, id: String(key))
    case .text(let key): RowKey(entity: entity, id: key)
    default: nil
    }
  }

  /// What a row is itself a place of.
  private func own(_ row: RowKey) -> Set<String> {
    switch row.entity {
    case "ClinicGroup": ["circuit:\(ScopeAtom.key(row.id))"]
    case "ActivityType": ["post:\(ScopeAtom.key(row.id))"]
    case "Timetable": ["station:\(ScopeAtom.key(row.id))"]
    default: []
    }
  }

  /// The seat of a sheet, or of who writes a comment.
  private func seats(_ opened: OpenedOperation, _ places: Set<String>) throws -> Set<String> {
    let isSeated = places.contains { $0.hasPrefix("seat:") }
    let row = opened.operation.row
    switch row.entity {
    case "DataForm":
      if case .text(let seat)? = opened.body?.fields["seat"] { return ["seat:\(ScopeAtom.key(seat))"] }
      return isSeated ? [] : ["seat:\(ExamPeople.leadSeat)"]
    case "DataSection", "DataQuestion", "RatingQuestion": return []
    default:
      if isSeated { return [] }
      guard let staff = opened.operation.staff else { return ["seat:\(ExamPeople.leadSeat)"] }
      let sessions = places.compactMap { $0.hasPrefix("station:") ? Int64($0.dropFirst(8)) : nil }
      let people = ExamPeople(rows: ExamRows(log))
      let seats = try sessions.map { try people.seat(of: staff, at: $0) }
      return Set((seats.isEmpty ? [ExamPeople.leadSeat] : seats).map { "seat:\(ScopeAtom.key($0))" })
    }
  }

  // MARK: Kept

  /// Where a row is, as far as is known.
  private func places(of row: RowKey) throws -> Set<String> {
    if let known = known[row] { return known }
    let text = try connection.row(
      "SELECT atoms FROM row_atom WHERE exam = ? AND entity = ? AND entityID = ?",
      [exam, HubValue(key: row.entity), HubValue(key: row.id)])?.text(0)
    let places = Set((text ?? "").split(separator: " ").map(String.init))
    known[row] = places
    return places
  }

  private func note(flow source: RowKey, to row: RowKey) throws {
    try connection.run(
      """
      INSERT INTO flow (exam, source, sourceID, entity, entityID) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
      """,
      [exam, HubValue(key: source.entity), HubValue(key: source.id), HubValue(key: row.entity), HubValue(key: row.id)])
  }

  /// Notes that a row, and what is where it is, is at more places from a number of the log on.
  private func gain(_ row: RowKey, _ gained: Set<String>, at seq: Int64) throws {
    var open = [(row, gained)]
    while let (row, gained) = open.popLast() {
      let before = try places(of: row)
      let after = before.union(gained)
      if after == before { continue }
      known[row] = after
      try connection.run(
        """
        INSERT INTO row_atom (exam, entity, entityID, atoms, since) VALUES (?, ?, ?, ?, ?)
        ON CONFLICT (exam, entity, entityID) DO UPDATE SET atoms = excluded.atoms, since = excluded.since
        """,
        [
          exam, HubValue(key: row.entity), HubValue(key: row.id), .text(after.sorted().joined(separator: " ")),
          .integer(seq),
        ])
      let kind = RowKind(row.entity)
      let words = kind.words(at: after).subtracting(kind.words(at: before))
      if !words.isEmpty { try call(row, words, from: seq) }
      let targets = try connection.rows(
        "SELECT entity, entityID FROM flow WHERE exam = ? AND source = ? AND sourceID = ?",
        [exam, HubValue(key: row.entity), HubValue(key: row.id)])
      for target in targets { open.append((RowKey(entity: try target.text(0), id: try target.text(1)), after)) }
    }
  }

  /// Calls the operations that are here of a row by more words from a number of the log on.
  private func call(_ row: RowKey, _ words: Set<String>, from seq: Int64) throws {
    let earlier = try connection.rows(
      "SELECT id, hash, atoms FROM op WHERE exam = ? AND entityID = ? AND entity = ? AND seq < ?",
      [exam, HubValue(key: row.id), HubValue(key: row.entity), .integer(seq)])
    if earlier.isEmpty { return }
    for operation in earlier {
      let called = try operation.text(2)
      let names = Set(called.split(separator: " ").compactMap { $0.split(separator: "@").first.map(String.init) })
      let more = words.subtracting(names).sorted().map { "\($0)@\(seq)" }
      if more.isEmpty { continue }
      try connection.run(
        "UPDATE op SET atoms = ? WHERE exam = ? AND id = ? AND hash = ?",
        [
          .text(([called] + more).filter { !$0.isEmpty }.joined(separator: " ")), exam, .text(try operation.text(0)),
          .bytes(try operation.bytes(1)),
        ])
    }
    try connection.run(
      "INSERT INTO late (exam, since, entity, entityID) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
      [exam, .integer(seq), HubValue(key: row.entity), HubValue(key: row.id)])
  }
}

import ExamStore
import GRDB
import Timer

/// A circuit as it is chosen and shown.
public struct Circuit: Hashable, Sendable {
  /// Its key in `ClinicGroup`.
  public let id: Int
  /// Its name.
  public let name: String

  /// Every circuit, by key: those that are planned, and those that were deleted while a clock of theirs is open, or is
  /// going to begin by itself.
  public static func all(at instant: Instant, _ db: Database) throws -> [Circuit] {
    try every(db).filter { try !$0.isDeleted || $0.circuit.hasClock(at: instant, in: db) }.map(\.circuit)
  }

  /// The name of a circuit, one that was deleted among them; nil where there is none.
  static func name(of id: Int, in db: Database) throws -> String? {
    try String.fetchOne(db.cachedStatement(sql: "SELECT name FROM clinicGroup WHERE dsid = ?"), arguments: [id])
  }

  /// The circuit with the name that it has now.
  public func renamed(in db: Database) throws -> Circuit {
    Circuit(id: id, name: try Circuit.name(of: id, in: db) ?? name)
  }

  private func hasClock(at instant: Instant, in db: Database) throws -> Bool {
    try Session.withRuns(of: id, in: db).contains { session in
      try Run.all(of: session, in: db).contains { $0.isOpen(at: instant) }
        || !ClockLog.scheduled(of: session, at: instant, in: db).isEmpty
    }
  }

  /// Every circuit that was ever imported, by key, and whether it was deleted since.
  static func every(_ db: Database) throws -> [(circuit: Circuit, isDeleted: Bool)] {
    try ReadRow.fetchAll(db, sql: "SELECT dsid, name, dsDeleted FROM clinicGroup ORDER BY dsid").map {
      (Circuit(id: $0[0], name: $0[1]), $0[2])
    }
  }

  /// The circuit that a person names by key, code or name; names match whatever their case. One that was deleted is
  /// found while a clock of it is open, and afterwards by its key, so that its clock can still be read and set right.
  /// - Throws: `SessionRefusal` that lists the circuits there are, if none or more than one fits.
  public static func find(_ text: String, at instant: Instant, in db: Database) throws -> Circuit {
    let circuits = try all(at: instant, db)
    if let id = Int(text) {
      let held = try every(db).map(\.circuit).first { try $0.id == id && !Session.withRuns(of: id, in: db).isEmpty }
      if let circuit = circuits.first(where: { $0.id == id }) ?? held { return circuit }
    }
    let codes = try Int.fetchAll(
      db, sql: "SELECT dsid FROM clinicGroup WHERE lower(code) = lower(?)", arguments: [text])
    let exact = circuits.filter { $0.name == text }
    let wanted = text.lowercased()
    let loose = circuits.filter { $0.name.lowercased() == wanted || codes.contains($0.id) }
    let found = exact.isEmpty ? loose : exact
    if found.count == 1 { return found[0] }
    if found.count > 1 { throw SessionRefusal.ambiguousCircuit(text, among: circuits) }
    throw SessionRefusal.unknownCircuit(text, among: circuits)
  }

  /// The name of the circuit that a person names, for what keeps circuits by their names; nil where none is named.
  /// - Throws: as `find`.
  public static func name(of text: String?, at instant: Instant, in db: Database) throws -> String? {
    try text.map { try find($0, at: instant, in: db).name }
  }
}

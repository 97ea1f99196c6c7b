import Catalogue
import GRDB
import Journal

/// What a file may bring of what only the office decides and of what two people have locked: anybody can write one, and
/// nothing in it proves who did. What is refused is kept as it came, and has no place in its device's chain, so that
/// the same change can still come from a hub.
struct FileRules {
  private let knowledge: ExamKnowledge
  private let isEnrolled: Bool
  private let db: Database

  init(knowing knowledge: ExamKnowledge, in db: Database) throws {
    (self.knowledge, self.db) = (knowledge, db)
    isEnrolled = try Enrolment.exists(db)
  }

  /// Why an operation that is not here yet stays out; nil: it is taken.
  /// - Parameters:
  ///   - result: what a hub says of it, by the file. Where there is none here, nobody could ever hold that against one.
  ///   - others: what is here under its identifier: a second version would void both.
  func refusal(
    of operation: Journal.Operation, _ result: HubResult?, beside others: [Journal.Operation]
  ) throws -> RefusedEntry.Why? {
    if let why = others.lazy.compactMap(reason(against:)).first { return why }
    if isEnrolled, result?.counts == true { return nil }
    guard operation.sealedBody != nil, let why = reason(against: operation) else { return nil }
    return try why == .lock && isLawful(operation) ? nil : why
  }

  /// Whether what is here under an identifier stays as it is, whatever a file says against it.
  func shields(_ copies: [Journal.Operation]) -> Bool { copies.contains { reason(against: $0) != nil } }

  /// Why a ruling on what stays as it is is kept aside; nil where the hub itself will say it.
  var refusalOfRuling: RefusedEntry.Why? { isEnrolled ? nil : .noHub }

  /// What speaks against an operation by what it is on; nil where any terminal may send it.
  private func reason(against operation: Journal.Operation) -> RefusedEntry.Why? {
    if operation.row.entity == knowledge.lockEntity { return .lock }
    return SendRule(role: nil).sends(operation) == false ? .plan : nil
  }

  private func isLawful(_ operation: Journal.Operation) throws -> Bool {
    let isHere = try RowTable.of(operation.row.entity).heads(of: operation.row.id, in: db) != nil
    return try knowledge.isLawfulLock(OpenedOperation(operation), isHere, db)
  }
}

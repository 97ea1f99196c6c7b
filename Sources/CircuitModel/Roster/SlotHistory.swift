import ExamStore
import GRDB
import Journal

import struct Foundation.Data
import class Foundation.JSONDecoder

/// A change of a session's slot table as it concerns one candidate: a swap, or the undoing of one.
package struct SlotStep: Sendable {
  /// The operation that made it.
  package let operation: Operation
  /// From which round on.
  package let round: Int
  /// Who comes since then where the candidate would have come: a key in `Student`.
  package let other: Int
  /// Whether it undid an earlier change.
  package let isUndo: Bool
}

extension SlotChanges {
  /// The changes of a session's slot table that concern a candidate, oldest first, as the journal has them.
  package static func steps(of student: Int, in session: Session, _ db: Database) throws -> [SlotStep] {
    let key = DerivedKeys.slotTable(circuit: session.circuit, date: session.date, startTime: session.startTime)
    var table: [SlotChange] = []
    var steps: [SlotStep] = []
    let history = try OperationTable.history(of: Stored.SlotTable.row(key), in: db)
      .sorted { ($0.hlc, $0.id) < ($1.hlc, $1.id) }
    for operation in history {
      guard case .text(let places)? = OpenedOperation(operation).body?.fields[Stored.SlotTable.Field.places] else {
        continue
      }
      let next = (try? JSONDecoder().decode([SlotChange].self, from: Data(places.utf8))) ?? []
      if let (round, other) = difference(table, next, for: student) {
        let isUndo = try OperationTable.isUndo(operation.id, in: db)
        steps.append(SlotStep(operation: operation, round: round, other: other, isUndo: isUndo))
      }
      table = next
    }
    return steps
  }

  /// The first round in which another comes after a change where the candidate came before it; nil for none.
  private static func difference(
    _ before: [SlotChange], _ after: [SlotChange], for student: Int
  ) -> (round: Int, other: Int)? {
    let changes = before + after
    let everybody = Set(changes.map(\.planned)).union([student]).sorted()
    for round in Set(changes.map(\.round)).sorted() {
      for planned in everybody where SlotChange.candidate(planned: planned, round: round, before) == student {
        let comes = SlotChange.candidate(planned: planned, round: round, after)
        if comes != student { return (round, comes) }
      }
    }
    return nil
  }
}

import Journal
import Testing

@Suite("Undo")
struct UndoTests {
  private func undo(_ operation: Operation, in operations: [Operation]) -> Undo {
    let shown = replica(operations).rows[operation.row] ?? RowState()
    return Undo.inverse(of: OpenedOperation(operation), shown: shown) { id, field in
      operations.first { $0.id == id }.flatMap { named in
        OpenedOperation(named).body?.fields[field].map { Head(op: id, hlc: named.hlc, value: $0) }
      }
    }
  }

  @Test("each field goes back to the value before, or to none")
  func inverse() {
    var author = Author(seed: 1)
    let first = author.set("value", of: item, to: .integer(1))
    let both = author.write([
      Author.Draft(
        row: item,
        body: OperationBody(
          fields: ["value": .integer(2), "feedback": .text("x")], replaces: ["value": [first.id], "feedback": []]))
    ])[0]
    #expect(
      undo(both, in: [first, both])
        == .set(
          fields: ["value": .integer(1), "feedback": .null], replaces: ["value": [both.id], "feedback": [both.id]]))
    #expect(undo(first, in: [first]) == .set(fields: ["value": .null], replaces: ["value": [first.id]]))
  }

  @Test("a ruling goes back to the value that stood among those it ended")
  func ruling() {
    var author = Author(seed: 1)
    let low = author.set("value", of: item, to: .integer(1))
    let high = author.set("value", of: item, to: .integer(2))
    let ruling = author.set("value", of: item, to: .integer(1), replacing: [low.id, high.id])
    #expect(
      undo(ruling, in: [low, high, ruling]) == .set(fields: ["value": .integer(2)], replaces: ["value": [ruling.id]]))
  }

  @Test("what somebody has changed since is not undone, and it says who")
  func superseded() throws {
    var author = Author(seed: 1)
    let first = author.set("value", of: item, to: .integer(1))
    let second = author.set("value", of: item, to: .integer(2), replacing: [first.id])
    let head = try #require(replica([first, second]).rows[item]?.fields["value"]?.standing)
    #expect(undo(first, in: [first, second]) == .superseded(by: ["value": head]))
    #expect(head.op == second.id)
  }

  @Test("creates, deletes, destroyed and unapplied operations have no inverse")
  func notAnEdit() {
    var author = Author(seed: 1)
    let create = author.create(item, ["value": .null])
    let delete = author.delete(item, covers: [item: ["value": [create.id]]])
    let edit = author.set("value", of: item, to: .integer(1), replacing: [create.id])
    #expect(undo(create, in: [create]) == .notAnEdit)
    #expect(undo(delete, in: [create, delete]) == .notAnEdit)
    #expect(undo(edit.withoutBody(), in: [create, edit]) == .notAnEdit)
    #expect(undo(edit, in: []) == .notAnEdit)
  }
}

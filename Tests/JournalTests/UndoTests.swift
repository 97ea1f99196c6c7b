import Journal
import Testing

@Suite("Undo")
struct UndoTests {
  private func undo(_ operation: Operation..., in operations: [Operation]) -> Undo {
    let shown = replica(operations).rows[operation[0].row]?.fields ?? [:]
    return Undo.inverse(of: operation.map(OpenedOperation.init), shown: shown, initial: { _ in .null }) { id in
      operations.first { $0.id == id }.map(OpenedOperation.init)
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

  @Test("edits of one row are undone as one, to what stood before the first of them")
  func several() {
    var author = Author(seed: 1)
    let first = author.set("value", of: item, to: .integer(1))
    let second = author.set("value", of: item, to: .integer(2), replacing: [first.id])
    let third = author.set("value", of: item, to: .integer(3), replacing: [second.id])
    #expect(
      undo(third, second, in: [first, second, third])
        == .set(fields: ["value": .integer(1)], replaces: ["value": [third.id]]))
  }

  @Test("an edit that the same person's later edits, undone since, have brought back can be undone")
  func broughtBack() {
    var author = Author(seed: 1)
    let first = author.set("value", of: item, to: .integer(1))
    let second = author.set("value", of: item, to: .integer(2), replacing: [first.id])
    let back = author.set("value", of: item, to: .integer(1), replacing: [second.id])
    #expect(
      undo(first, in: [first, second, back]) == .set(fields: ["value": .null], replaces: ["value": [back.id]]))
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

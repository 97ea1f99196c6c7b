import Journal
import Testing

/// Every order of a few operations.
private func orders(_ operations: [Operation]) -> [[Operation]] {
  guard let first = operations.first else { return [[]] }
  return orders(Array(operations.dropFirst())).flatMap { rest in
    (0...rest.count).map { place in rest[..<place] + [first] + rest[place...] }
  }
}

@Suite("Which value stands")
struct MergeTests {
  @Test("an edit that names the value shown takes its place, and the one before is kept in the history")
  func edit() throws {
    var author = Author(seed: 1)
    let first = author.set("value", of: item, to: .integer(1))
    let second = author.set("value", of: item, to: .integer(2), replacing: [first.id])
    for order in orders([first, second]) {
      let replica = replica(order)
      #expect(replica.value(of: "value", in: item) == .integer(2))
      #expect(replica.forks.isEmpty)
      let history = replica.history(of: item)
      #expect(history.map(\.value) == [.integer(1), .integer(2)])
      #expect(history.map(\.supersededBy) == [[second.id], []])
    }
  }

  @Test("two edits that did not know of each other fork, and only a ruling that names both ends it")
  func fork() throws {
    var here = Author(seed: 1)
    var there = Author(seed: 2)
    let base = here.set("value", of: item, to: .integer(0))
    let left = here.set("value", of: item, to: .integer(1), replacing: [base.id])
    let right = there.set(
      "value", of: item, to: .integer(2), replacing: [base.id], hlc: HybridTime(raw: left.hlc.raw + 5))
    let edit = there.set("value", of: item, to: .integer(3), replacing: [right.id])
    let ruling = there.set("value", of: item, to: .integer(4), replacing: [left.id, edit.id])
    for order in orders([base, left, right]) {
      let replica = replica(order)
      #expect(replica.value(of: "value", in: item) == .integer(2))
      #expect(replica.forks == [Fork(row: item, field: "value", heads: replica.rows[item]!.fields["value"]!.heads)])
      #expect(replica.rows[item]?.fields["value"]?.shown == [right.id])
      #expect(replica.rows[item]?.fields["value"]?.all == [left.id, right.id].sorted())
    }
    #expect(replica([base, left, right, edit]).forks.first?.heads.map(\.op) == [left.id, edit.id])
    for order in orders([base, left, right, edit, ruling]) {
      #expect(replica(order).forks.isEmpty)
      #expect(replica(order).value(of: "value", in: item) == .integer(4))
    }
  }

  @Test("the same value from two terminals never forks, and one edit replaces both")
  func equalValues() {
    var here = Author(seed: 1)
    var there = Author(seed: 2)
    let left = here.create(item, ["owner": .text("DataSection/b"), "order": .integer(1)])
    let right = there.create(item, ["owner": .text("DataSection/b"), "order": .integer(1)])
    var both = replica([left, right])
    #expect(both.forks.isEmpty)
    #expect(both.rows[item]?.fields["order"]?.shown == [left.id, right.id].sorted())
    both.receive(
      here.set(
        "order", of: item, to: .integer(2), replacing: [left.id, right.id], hlc: HybridTime(raw: right.hlc.raw + 9)))
    #expect(both.forks.isEmpty)
    #expect(both.rows[item]?.isCreated == true)
  }

  @Test("of two heads with one time the larger identifier stands")
  func tie() {
    var here = Author(seed: 1)
    var there = Author(seed: 2)
    let time = HybridTime(raw: 99)
    let left = here.set("value", of: item, to: .integer(1), hlc: time)
    let right = there.set("value", of: item, to: .integer(2), hlc: time)
    for order in orders([left, right]) {
      #expect(replica(order).rows[item]?.fields["value"]?.standing?.op == max(left.id, right.id))
    }
  }

  @Test("an operation waits, and is listed, until all that it names is here")
  func parked() {
    var author = Author(seed: 1)
    let first = author.set("value", of: item, to: .integer(1))
    let second = author.set("value", of: item, to: .integer(2), replacing: [first.id])
    let third = author.set("value", of: item, to: .integer(3), replacing: [second.id])
    var replica = replica([third, second])
    #expect(replica.rows.isEmpty)
    #expect(Set(replica.parked.map(\.causes)) == [[first.id], [second.id]])
    replica.receive(first)
    #expect(replica.parked.isEmpty)
    #expect(replica.value(of: "value", in: item) == .integer(3))
  }

  @Test("an operation that is not later than what it names is refused, and those that name it go on without it")
  func damaged() {
    var author = Author(seed: 1)
    let first = author.set("value", of: item, to: .integer(1))
    let bad = author.set("value", of: item, to: .integer(2), replacing: [first.id], hlc: first.hlc)
    let after = author.set("value", of: item, to: .integer(3), replacing: [bad.id])
    for order in orders([first, bad, after]) {
      let replica = replica(order + order)
      #expect(replica.refused == [bad.id: .notAfter(first.id)])
      #expect(replica.parked.isEmpty)
      #expect(replica.rows[item]?.fields["value"]?.heads.map(\.op) == [first.id, after.id])
    }
  }

  @Test("operations of one transaction apply together, park together and are refused together")
  func transactions() {
    var author = Author(seed: 1)
    let base = author.set("value", of: item, to: .integer(1))
    let drafts = [
      Author.Draft(row: section, body: OperationBody(fields: ["order": .integer(1)])),
      Author.Draft(row: item, body: OperationBody(fields: ["value": .integer(2)], replaces: ["value": [base.id]])),
    ]
    let pair = author.write(drafts)
    var incomplete = replica([base, pair[0]])
    #expect(incomplete.parked.map(\.missing) == [1])
    #expect(incomplete.rows[section] == nil)
    #expect(replica(pair).parked.map(\.causes) == [[base.id]])
    incomplete.receive(pair[1])
    #expect(incomplete.value(of: "order", in: section) == .integer(1))
    #expect(incomplete.value(of: "value", in: item) == .integer(2))

    var late = drafts
    late[1].hlc = base.hlc
    let refused = author.write(late)
    for order in orders([base] + refused) {
      #expect(
        replica(order).refused == [
          refused[0].id: .withTransaction(refused[1].id), refused[1].id: .notAfter(base.id),
        ])
      #expect(replica(order).rows[section] == nil)
    }
  }

  @Test("what the hub rejected counts for nothing, before and after it was applied, with its whole transaction")
  func rejected() {
    var author = Author(seed: 1)
    let first = author.set("value", of: item, to: .integer(1))
    let pair = author.write([
      Author.Draft(row: item, body: OperationBody(fields: ["value": .integer(2)], replaces: ["value": [first.id]])),
      Author.Draft(row: section, body: OperationBody(fields: ["order": .integer(2)])),
    ])
    let after = author.set("value", of: item, to: .integer(3), replacing: [pair[0].id])
    for order in orders([first] + pair + [after]) {
      for moment in 0...order.count {
        var replica = replica(Array(order[..<moment]))
        replica.reject([pair[0].id])
        for operation in order[moment...] { replica.receive(operation) }
        #expect(replica.refused == [pair[0].id: .rejected, pair[1].id: .withTransaction(pair[0].id)])
        #expect(replica.rows[section] == nil)
        #expect(replica.rows[item]?.fields["value"]?.heads.map(\.op) == [first.id, after.id])
      }
    }
    // Of a transaction of which the rest is never sent nothing waits.
    var part = replica([first, pair[0]])
    part.reject([pair[0].id])
    #expect(part.parked.isEmpty)
    part.receive(pair[1])
    #expect(part.refused == [pair[0].id: .rejected, pair[1].id: .withTransaction(pair[0].id)])
    var absent = replica([after])
    absent.reject([pair[0].id])
    #expect(absent.parked.isEmpty)
    #expect(absent.value(of: "value", in: item) == .integer(3))
  }

  @Test("an operation whose body is destroyed counts as here and sets nothing, whichever copy comes first")
  func destroyed() {
    var author = Author(seed: 1)
    let first = author.set("name", of: item, to: .text("a"))
    let second = author.set("name", of: item, to: .null, replacing: [first.id])
    for order in orders([first, first.withoutBody(), second]) {
      let replica = replica(order)
      #expect(replica.parked.isEmpty)
      #expect(replica.refused.isEmpty)
      #expect(replica.rows[item]?.fields["name"]?.heads.map(\.value) == [.null])
    }
  }

  @Test("two different operations with one identifier are refused, and so is a transaction that contradicts itself")
  func contradictions() {
    var author = Author(seed: 1)
    var twin = Author(seed: 1)
    let one = author.set("value", of: item, to: .integer(1))
    let other = twin.set("value", of: item, to: .integer(2))
    let after = author.set("value", of: item, to: .integer(3), replacing: [one.id])
    #expect(one.id == other.id)
    for order in orders([one, other, after]) {
      #expect(replica(order).refused == [one.id: .twoVersions])
      #expect(replica(order).value(of: "value", in: item) == .integer(3))
    }
    let mixed = author.write([
      Author.Draft(kind: .delete, row: item, body: OperationBody(fields: ["value": .integer(1)])),
      Author.Draft(row: item, body: OperationBody(fields: ["value": .integer(1)])),
    ])
    #expect(
      replica(mixed).refused == [mixed[0].id: .deleteSetsFields, mixed[1].id: .withTransaction(mixed[0].id)])
  }
}

@Suite("Deleting")
struct DeletionTests {
  private func exam() -> (author: Author, operations: [Operation]) {
    var author = Author(seed: 1)
    let operations = [
      author.create(sheet, ["owner": .null]), author.create(section, ["owner": .text("DataForm/a")]),
      author.create(item, ["owner": .text("DataSection/b"), "value": .null]),
    ]
    return (author, operations)
  }

  @Test("a delete takes the row and every row below it")
  func below() {
    var (author, operations) = exam()
    operations.append(author.delete(section, covers: replica(operations).covers(of: section)))
    for order in orders(operations) {
      #expect(replica(order).deletions.rows == [section, item])
      #expect(replica(order).deletions.inForce == [operations[3].id])
    }
  }

  @Test("rows two levels below are taken too, and a mark there is enough to void")
  func twoLevels() {
    var (author, operations) = exam()
    operations.append(author.delete(sheet, covers: replica(operations).covers(of: sheet)))
    #expect(replica(operations).deletions.rows == [sheet, section, item])
    let mark = author.set("value", of: item, to: .integer(1), replacing: [operations[2].id])
    #expect(replica(operations + [mark]).deletions.rows.isEmpty)
  }

  @Test("a mark given meanwhile in a removed section brings it back, in any order")
  func voided() {
    var (author, operations) = exam()
    var other = Author(seed: 2)
    let covers = replica(operations).covers(of: section)
    let mark = other.set(
      "value", of: item, to: .integer(4), replacing: [operations[2].id],
      hlc: HybridTime(raw: operations[2].hlc.raw + 1))
    operations.append(author.delete(section, covers: covers))
    operations.append(mark)
    for order in orders(operations) {
      let deletions = replica(order).deletions
      #expect(deletions.rows.isEmpty)
      #expect(deletions.void == [operations[3].id: [UnnamedHead(row: item, field: "value", op: mark.id)]])
      #expect(replica(order).value(of: "value", in: item) == .integer(4))
    }
    author.hlc = max(author.hlc!, mark.hlc)
    operations.append(author.delete(section, covers: replica(operations).covers(of: section)))
    #expect(replica(operations).deletions.rows == [section, item])
  }

  @Test("a row moved away is not deleted with its old place, a row moved in voids the delete")
  func moved() {
    var (author, operations) = exam()
    let elsewhere = RowKey(entity: "DataSection", id: "z")
    operations.append(author.create(elsewhere, ["owner": .text("DataForm/a")]))
    var other = Author(seed: 2)
    let away = other.set(
      "owner", of: item, to: .text("DataSection/z"), replacing: [operations[2].id],
      hlc: HybridTime(raw: operations[3].hlc.raw + 1))
    let covers = replica(operations)
    let leaving = author.delete(section, covers: covers.covers(of: section))
    let arriving = author.delete(elsewhere, covers: covers.covers(of: elsewhere))
    for order in orders([away, leaving, arriving]) {
      let deletions = replica(operations + order).deletions
      #expect(deletions.inForce == [leaving.id])
      #expect(deletions.rows == [section])
      #expect(deletions.void.keys.elementsEqual([arriving.id]))
    }
  }

  @Test("rows that own each other in a ring do not hang the count")
  func ring() {
    var author = Author(seed: 1)
    var operations = [
      author.create(sheet, ["owner": .text("DataSection/b")]), author.create(section, ["owner": .text("DataForm/a")]),
    ]
    operations.append(author.delete(sheet, covers: replica(operations).covers(of: sheet)))
    #expect(replica(operations).deletions.rows == [sheet, section])
  }
}

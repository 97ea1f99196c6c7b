import Journal
import SeededNumbers

/// What may reach a replica.
enum Arrival {
  case operation(Operation)
  case rejection(OperationID)
}

/// A random exam of several terminals that see each other's work late, out of order, or not at all.
struct RandomHistory {
  private(set) var arrivals: [Arrival] = []
  private var generator: Seeded
  private var authors: [Author]
  private var replicas: [Replica]
  private var unseen: [[Operation]]
  private let skews: [Int64]
  private var wall: Int64 = 1_700_000_000_000
  private let pool: [RowKey]

  init(seed: UInt64, steps: Int = 40) {
    var generator = Seeded(seed: seed)
    authors = (0..<3).map { Author(seed: seed &+ 1 &+ $0) }
    replicas = authors.map { _ in Replica(owners: ownersInField) }
    unseen = authors.map { _ in [] }
    skews = authors.map { _ in .random(in: -5_000...5_000, using: &generator) }
    pool =
      [sheet] + ["b", "c"].map { RowKey(entity: "DataSection", id: $0) }
      + ["d", "e", "f"].map { RowKey(entity: "RatingQuestion", id: $0) }
    self.generator = generator
    for _ in 0..<steps { step() }
    if self.generator.chance(70) { deleteKnowingAll() }
    if self.generator.chance(50) { addMisfortunes() }
  }

  var operations: [Operation] {
    arrivals.compactMap { if case .operation(let operation) = $0 { operation } else { nil } }
  }

  private mutating func step() {
    wall += .random(in: 0...900, using: &generator)
    let place = Int.random(in: 0..<authors.count, using: &generator)
    if generator.chance(40), !unseen[place].isEmpty {
      for _ in 0...Int.random(in: 0...3, using: &generator) where !unseen[place].isEmpty {
        let operation = unseen[place].remove(at: Int.random(in: 0..<unseen[place].count, using: &generator))
        replicas[place].receive(operation)
        authors[place].hlc = max(authors[place].hlc ?? operation.hlc, operation.hlc)
      }
      return
    }
    var drafts = [draft(place)]
    while generator.chance(25) { drafts.append(draft(place)) }
    for operation in authors[place].write(drafts, wall: wall + skews[place]) {
      arrivals.append(.operation(operation))
      replicas[place].receive(operation)
      for other in authors.indices where other != place { unseen[other].append(operation) }
    }
  }

  /// One terminal catches up and then removes a row, so that nothing voids the delete.
  private mutating func deleteKnowingAll() {
    for operation in unseen[0] {
      replicas[0].receive(operation)
      authors[0].hlc = max(authors[0].hlc ?? operation.hlc, operation.hlc)
    }
    unseen[0] = []
    let row = generator.chance(50) ? sheet : pool.randomElement(using: &generator)!
    arrivals.append(.operation(authors[0].delete(row, covers: replicas[0].covers(of: row))))
  }

  private mutating func draft(_ place: Int) -> Author.Draft {
    let row = pick(place)
    guard let state = replicas[place].rows[row], !state.values.isEmpty else {
      return Author.Draft(
        kind: .create, row: row,
        body: OperationBody(fields: ["owner": owner(of: row), "value": value()]))
    }
    if generator.chance(15) {
      return Author.Draft(kind: .delete, row: row, body: OperationBody(covers: replicas[place].covers(of: row)))
    }
    let field = ["value", "value", "feedback", "owner"].randomElement(using: &generator)!
    let shown = state.fields[field] ?? FieldState()
    let isRuling = generator.chance(20)
    let named = isRuling ? shown.all : generator.chance(10) ? [] : shown.shown
    var draft = Author.Draft(
      kind: isRuling ? .ruling : .set, row: row,
      body: OperationBody(fields: [field: field == "owner" ? owner(of: row) : value()], replaces: [field: named]))
    if generator.chance(6), let standing = shown.standing { draft.hlc = standing.hlc }
    return draft
  }

  /// A row to write on; seldom one that is deleted, since any edit voids the delete.
  private mutating func pick(_ place: Int) -> RowKey {
    let deleted = generator.chance(90) ? replicas[place].deletions.rows : []
    return pool.filter { !deleted.contains($0) }.randomElement(using: &generator) ?? sheet
  }

  private mutating func value() -> Value { .integer(.random(in: 0...2, using: &generator)) }

  private mutating func owner(of row: RowKey) -> Value {
    let above = pool.filter { $0.entity < row.entity }
    return above.randomElement(using: &generator).map { .text($0.description) } ?? .null
  }

  /// Rejections, erasures, false copies and transactions that contradict themselves.
  private mutating func addMisfortunes() {
    let operations = operations
    for operation in operations {
      if generator.chance(3) { arrivals.append(.rejection(operation.id)) }
      if generator.chance(3) { arrivals.append(.operation(operation.withoutBody())) }
      if generator.chance(3) {
        let isFalseCopy = generator.chance(50)
        arrivals.append(
          .operation(
            .seal(
              id: isFalseCopy ? operation.id : .v7(milliseconds: wall, using: &generator), device: operation.device,
              deviceSeq: operation.deviceSeq, tx: generator.chance(50) ? operation.tx : .random(using: &generator),
              txIndex: operation.txIndex, txSize: [.min, 0, 1, 2, 3, .max].randomElement(using: &generator)!,
              kind: .set,
              row: operation.row, body: OperationBody(fields: ["value": value()]), hlc: operation.hlc, wallTime: wall,
              schema: operation.schema, prevHash: operation.prevHash, salt: .drawn(using: &generator))))
      }
    }
    if generator.chance(30) { arrivals.append(.rejection(.random(using: &generator))) }
  }
}

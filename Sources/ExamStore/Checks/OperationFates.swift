import Journal

/// What became of each operation of a journal, in a few bytes for each: there are as many as there ever were changes.
struct OperationFates {
  /// The operations in the order in which they were met.
  private(set) var ids: [OperationID] = []
  /// Whether an operation was met twice: what is kept of each by its identifier alone then says nothing sure.
  private(set) var hasRepeats = false

  private var times: [Int64] = []
  private var states: [State] = []
  /// Places in the lists above plus one, by the hash of the identifier; 0 where there is none.
  private var table = [UInt32](repeating: 0, count: 1 << 10)

  private let spread = Spread()

  private struct State: OptionSet {
    let rawValue: UInt8
    static let isMet = State(rawValue: 1)
    static let isApplied = State(rawValue: 2)
    static let isVoid = State(rawValue: 4)
  }

  /// Makes room for so many.
  mutating func reserve(_ count: Int) {
    ids.reserveCapacity(count)
    times.reserveCapacity(count)
    states.reserveCapacity(count)
    while table.count < 2 * count { grow() }
  }

  /// Notes what became of an operation.
  /// - Returns: its place in `ids`.
  mutating func note(_ id: OperationID, _ fate: AdmissionResult) -> Int {
    let place = place(adding: id)
    states[place].remove([.isApplied, .isVoid])
    switch fate {
    case .void: states[place].insert(.isVoid)
    case .applied(let time):
      states[place].insert(.isApplied)
      times[place] = time.raw
    }
    return place
  }

  /// Notes that an operation is here.
  mutating func meet(_ id: OperationID) {
    let place = place(adding: id)
    if states[place].contains(.isMet) { hasRepeats = true }
    states[place].insert(.isMet)
  }

  /// The place of an operation in `ids`; nil if it was neither met nor given a fate.
  func place(of id: OperationID) -> Int? {
    let slot = slot(of: id)
    return table[slot] == 0 ? nil : Int(table[slot]) - 1
  }

  subscript(id: OperationID) -> AdmissionResult? {
    guard let place = place(of: id) else { return nil }
    if states[place].contains(.isVoid) { return .void }
    return states[place].contains(.isApplied) ? .applied(HybridTime(raw: times[place])) : nil
  }

  private mutating func place(adding id: OperationID) -> Int {
    var slot = slot(of: id)
    if table[slot] != 0 { return Int(table[slot]) - 1 }
    if 2 * (ids.count + 1) > table.count {
      grow()
      slot = self.slot(of: id)
    }
    ids.append(id)
    times.append(0)
    states.append([])
    table[slot] = UInt32(ids.count)
    return ids.count - 1
  }

  /// Where an identifier lies in the table, or would.
  private func slot(of id: OperationID) -> Int {
    let mask = table.count - 1
    var slot = spread.hash(id.high, id.low) & mask
    while table[slot] != 0, ids[Int(table[slot]) - 1] != id { slot = (slot + 1) & mask }
    return slot
  }

  private mutating func grow() {
    table = [UInt32](repeating: 0, count: 2 * table.count)
    for (place, id) in ids.enumerated() { table[slot(of: id)] = UInt32(place + 1) }
  }
}

/// Spreads identifiers over a table, in every process otherwise: nobody can choose some that fall on one place.
struct Spread {
  private let first = UInt64.random(in: 0...UInt64.max) | 1
  private let second = UInt64.random(in: 0...UInt64.max) | 1

  func hash(_ high: UInt64, _ low: UInt64) -> Int {
    let mixed = (high ^ second).multipliedFullWidth(by: low ^ first)
    let whole = (mixed.high ^ mixed.low).multipliedFullWidth(by: second)
    return Int(truncatingIfNeeded: whole.high ^ whole.low)
  }
}

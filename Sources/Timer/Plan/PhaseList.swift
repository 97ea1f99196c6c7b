/// The phases of a run in order: a list repeated until it has the length wanted.
///
/// Repeats are worked out, not stored, so a run of ten thousand rounds costs no more than its list. As a collection it
/// counts from 0; `phase(_:)`, `round(ofPhase:)` and the rest count from 1 as a person does.
public struct PhaseList: RandomAccessCollection, Sendable {
  /// The number of phases.
  public let count: Int
  private let cycle: [PlannedPhase]
  private let rotationsBefore: [Int]
  private let lengthBefore: [Int64]

  /// The first `count` phases of `cycle` repeated; all of it, once, if no count is given.
  init(cycle: [PlannedPhase], count: Int? = nil) {
    self.cycle = cycle
    self.count = cycle.isEmpty ? 0 : (count ?? cycle.count)
    var rotations = [0]
    var lengths: [Int64] = [0]
    rotations.reserveCapacity(cycle.count + 1)
    lengths.reserveCapacity(cycle.count + 1)
    for phase in cycle {
      rotations.append(rotations[rotations.count - 1] + (phase.type == .rotation ? 1 : 0))
      lengths.append(lengths[lengths.count - 1].addingSaturated(Swift.max(phase.plannedMs, 0)))
    }
    rotationsBefore = rotations
    lengthBefore = lengths
  }

  /// Always 0.
  public var startIndex: Int { 0 }

  /// The number of phases.
  public var endIndex: Int { count }

  /// The phase at a position that counts from 0.
  public subscript(position: Int) -> PlannedPhase {
    precondition(position >= 0 && position < count, "a phase outside the list")
    return cycle[position % cycle.count]
  }

  /// The phase with that number, from 1; nil outside the list.
  public func phase(_ number: Int) -> PlannedPhase? {
    number >= 1 && number <= count ? cycle[(number - 1) % cycle.count] : nil
  }

  /// The number of rotations in the list.
  public var rotations: Int { rotations(inFirst: count) }

  /// The round that a phase belongs to: a rotation's own number; for reading, that of the next rotation, or of the last
  /// if none follows; otherwise that of the last rotation, 0 before the first. Nil outside the list.
  public func round(ofPhase number: Int) -> Int? {
    guard let phase = phase(number) else { return nil }
    let before = rotations(inFirst: number - 1)
    switch phase.type {
    case .rotation: return before + 1
    case .reading: return Swift.min(before + 1, rotations)
    default: return before
    }
  }

  /// Milliseconds planned before a phase begins, counted from the start of the run.
  public func plannedOffsetMs(ofPhase number: Int) -> Int64 {
    guard !cycle.isEmpty, number > 1 else { return 0 }
    let passed = Swift.min(number - 1, count)
    let copies = Int64(passed / cycle.count).multipliedSaturated(by: lengthBefore[cycle.count])
    return copies.addingSaturated(lengthBefore[passed % cycle.count])
  }

  /// How long all of it is planned to take, in milliseconds.
  public var plannedMs: Int64 { plannedOffsetMs(ofPhase: count + 1) }

  /// When each rotation is to begin and to end, in milliseconds from the start of the run.
  public var plannedRotations: [ClosedRange<Int64>] {
    indices.filter { self[$0].type == .rotation }.map { index in
      plannedOffsetMs(ofPhase: index + 1)...plannedOffsetMs(ofPhase: index + 2)
    }
  }

  private func rotations(inFirst number: Int) -> Int {
    guard !cycle.isEmpty else { return 0 }
    return number / cycle.count * rotationsBefore[cycle.count] + rotationsBefore[number % cycle.count]
  }
}

extension PhaseList: Hashable {
  /// Whether both hold equal phases in the same order.
  public static func == (left: PhaseList, right: PhaseList) -> Bool {
    left.count == right.count && (left.cycle == right.cycle || left.elementsEqual(right))
  }

  /// Feeds what any two equal lists share.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(count)
    hasher.combine(first)
  }
}

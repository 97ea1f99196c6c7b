import CircuitModel
import Journal

/// What can be undone on the open sheet, step by step.
struct MarkHistory {
  private var undoSteps: [[OperationID]] = []
  private var redoSteps: [[OperationID]] = []

  /// Notes a change; one of a burst joins the step before.
  mutating func add(_ operation: OperationID, joining: Bool) {
    redoSteps = []
    if joining, !undoSteps.isEmpty {
      undoSteps[undoSteps.count - 1].append(operation)
    } else {
      undoSteps.append([operation])
    }
  }

  /// Notes changes that are one step.
  mutating func add(_ operations: [OperationID]) {
    redoSteps = []
    undoSteps.append(operations)
  }

  mutating func takeUndo() -> [OperationID]? { undoSteps.popLast() }
  mutating func takeRedo() -> [OperationID]? { redoSteps.popLast() }
  /// A step was undone by these operations, which can be undone in turn.
  mutating func undone(_ operations: [OperationID]) { redoSteps.append(operations) }
  mutating func redone(_ operations: [OperationID]) { undoSteps.append(operations) }
}

/// Recognises mark keys that come faster than a person presses them: a held key, a line that stalled.
struct Burst {
  private var last: Int64 = .min
  private var length = 0
  /// Milliseconds that part two keys of a person.
  private static let gap: Int64 = 50

  /// Notes a mark key.
  /// - Returns: whether it is the third or a later one without a gap.
  mutating func add(_ time: Int64) -> Bool {
    length = last != .min && time - last < Burst.gap ? length + 1 : 1
    last = time
    return length >= 3
  }
}

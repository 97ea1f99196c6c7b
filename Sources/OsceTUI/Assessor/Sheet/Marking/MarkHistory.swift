import CircuitModel
import ExamStore
import Journal
import Reports

/// What can be undone on the open sheet, step by step; what is older than its last steps is read from the journal.
struct MarkHistory {
  /// The most steps that are kept: far more than the items of a sheet.
  static let limit = 100

  /// Changes that are undone together, in the order of their making.
  private struct Step {
    var operations: [OperationID]
    /// The run of keys, or the sitting at an editor, that they came from.
    let run: Int
  }

  private var undoSteps: [Step] = []
  private var redoSteps: [Step] = []
  private var runs = 0
  /// What could not be undone or done again.
  private(set) var failed: Set<OperationID> = []

  /// A number for a new run of keys.
  mutating func newRun() -> Int {
    runs += 1
    return runs
  }

  /// Notes changes.
  /// - Parameter joining: whether all of their run is one step.
  mutating func add(_ operations: [OperationID], run: Int, joining: Bool) {
    redoSteps = []
    var step = Step(operations: operations, run: run)
    while joining, let last = undoSteps.last, last.run == run {
      step.operations.insert(contentsOf: last.operations, at: 0)
      undoSteps.removeLast()
    }
    push(step)
  }

  private mutating func push(_ step: Step) {
    undoSteps.append(step)
    if undoSteps.count > MarkHistory.limit { undoSteps.removeFirst() }
  }

  /// Notes changes that are a step of their own.
  mutating func add(_ operations: [OperationID]) { add(operations, run: newRun(), joining: false) }

  /// The step that is undone next.
  var undoStep: [OperationID]? { undoSteps.last?.operations }
  /// The step that is done again next.
  var redoStep: [OperationID]? { redoSteps.last?.operations }

  /// A step was undone by these operations, which can be undone in turn.
  mutating func undone(_ step: [OperationID], by operations: [OperationID]) {
    // A step that was read from the journal is none of those noted here.
    let run = undoSteps.last?.operations == step ? undoSteps.removeLast().run : newRun()
    redoSteps.append(Step(operations: operations, run: run))
    if redoSteps.count > MarkHistory.limit { redoSteps.removeFirst() }
  }

  /// The last step that was undone was done again by these operations.
  mutating func redone(_ operations: [OperationID]) {
    if !redoSteps.isEmpty { push(Step(operations: operations, run: redoSteps.removeLast().run)) }
  }

  /// A step could not be undone or done again, and never will be.
  mutating func dropFailed(_ operations: [OperationID]) {
    failed.formUnion(operations)
    undoSteps.removeAll { $0.operations == operations }
    redoSteps.removeAll { $0.operations == operations }
  }
}

/// Recognises a key that is held: only its first press acts.
struct HeldKey {
  private var last: Int64?
  /// How many presses without a gap were dropped.
  private(set) var dropped = 0

  /// Whether a press comes too soon after the one before to be a person's.
  mutating func isHeld(at time: Int64) -> Bool {
    let isHeld = last.map { time - $0 < Burst.gap } ?? false
    last = time
    dropped = isHeld ? dropped + 1 : 0
    return isHeld
  }
}

/// Recognises mark keys that come faster than a person presses them: a held key, a line that stalled.
struct Burst {
  private var last: Int64?
  private var length = 0
  private var run = 0
  private var isSwallowing = false
  /// How many keys that came without a gap after the run's marks were not done.
  private(set) var dropped = 0
  /// Milliseconds that part two keys of a person.
  static let gap: Int64 = 50

  /// Whether the last mark key was the third or a later one without a gap.
  var isBurst: Bool { length >= 3 }

  /// Notes a mark key.
  /// - Parameter new: the run's number, if the key begins one.
  /// - Returns: the run that the key belongs to.
  mutating func add(_ time: Int64, _ new: @autoclosure () -> Int) -> Int {
    if isNear(time) {
      length += 1
    } else {
      length = 1
      dropped = 0
      run = new()
    }
    last = time
    return run
  }

  /// Whether a key at this time comes without a gap after a burst.
  func isOn(at time: Int64) -> Bool { isBurst && isNear(time) }

  /// Drops what follows without a gap: it was typed at a screen that nobody has seen.
  mutating func swallow() {
    isSwallowing = true
    dropped += 1
  }

  /// Whether a key is dropped.
  mutating func swallows(_ time: Int64) -> Bool {
    guard isSwallowing, isNear(time) else {
      isSwallowing = false
      return false
    }
    last = time
    dropped += 1
    return true
  }

  private func isNear(_ time: Int64) -> Bool { last.map { time - $0 < Burst.gap } ?? false }
}

extension Result where Failure == any Error {
  /// Whether a step can be undone neither now nor later. After any other failure, such as a full disk or a sheet that is
  /// signed, the next key undoes the same step.
  var isUndoRefused: Bool { if case .failure(is UndoRefusal) = self { true } else { false } }
}

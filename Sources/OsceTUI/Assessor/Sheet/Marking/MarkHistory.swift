import CircuitModel
import ExamStore
import Journal
import Reports

/// What can be undone on the open sheet, step by step; what is older than its last steps is read from the journal.
struct MarkHistory {
  /// The most steps that are kept: far more than the items of a sheet.
  static let limit = 100

  /// Which way a step is taken.
  enum Turn {
    case undo, redo

    /// What is said of it afterwards.
    var word: String {
      switch self {
      case .undo: "undone"
      case .redo: "done again"
      }
    }
  }

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

  /// A step was taken by these operations.
  mutating func take(_ turn: Turn, of step: [OperationID], by operations: [OperationID]) {
    switch turn {
    case .undo: undone(step, by: operations)
    case .redo: redone(operations)
    }
  }

  /// A step could not be undone or done again, and never will be.
  mutating func dropFailed(_ operations: [OperationID]) {
    failed.formUnion(operations)
    undoSteps.removeAll { $0.operations == operations }
    redoSteps.removeAll { $0.operations == operations }
  }
}

extension Result where Failure == any Error {
  /// Whether a step can be undone neither now nor later. After any other failure, such as a full disk or a sheet that is
  /// signed, the next key undoes the same step.
  var isUndoRefused: Bool { if case .failure(is UndoRefusal) = self { true } else { false } }
}

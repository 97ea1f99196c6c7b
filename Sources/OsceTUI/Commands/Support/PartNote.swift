import CircuitModel
import Console
import ExamStore

/// What is said beside counts of a store that holds less than the exam.
enum PartNote {
  /// Says on standard error that the hub gives this store only part of the exam; nothing where it holds all of it.
  static func say(of store: ExamStore) throws {
    guard try store.read({ try Enrolment.isPartial($0) }) else { return }
    Output.failure.text(
      "osce: the hub gives this terminal only part of the exam; what others hold of the rest is not counted\n")
  }
}

import ExamStore
import Journal

/// The entities whose rows the journal changes, as types: `Stored.Sitting` is the stored row of a `Sitting`. What they
/// are and which fields they have follows from the catalogue; see `Entities`.
package enum Stored {}

extension MarkValue: FieldContent {
  /// The mark in millionths.
  package var journalled: Value { .integer(scaled) }
}

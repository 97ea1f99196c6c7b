import ExamStore
import GRDB

/// Whether a sheet holds anything that a person gave it: an answer, a written word, a note, a tag or what a section
/// records.
package enum MarkedSheet {
  /// The same as a condition on `dataForm f`.
  package static let condition = """
    EXISTS (
      SELECT 1 FROM dataSection s LEFT JOIN dataQuestion q ON q.dataSectionID = s.uuid AND q.dsDeleted = 0
      WHERE s.dataFormID = f.uuid AND s.dsDeleted = 0 AND (
        q.rating IS NOT NULL OR q.unable = 1 OR coalesce(q.feedback, '') <> '' OR q.completedCase = 1
        OR q.recommended = 1 OR coalesce(q.tags, '[]') <> '[]' OR q.times IS NOT NULL
        OR q.difficulty IS NOT NULL OR coalesce(q.note, '') <> '' OR s.quad IS NOT NULL OR s.tooth IS NOT NULL
        OR s.quantity IS NOT NULL OR s.difficulty IS NOT NULL))
    """
}

import ExamStore
import GRDB

/// Whether a sheet holds anything that a person gave it. The one rule for what must never come under another
/// candidate's name, vanish from the counts, or be replaced: every question of the kind asks it here.
package enum MarkedSheet {
  /// Whether a sheet `dataForm f` holds something: it is signed, or `content` is so.
  package static let condition = "(f.signedAt IS NOT NULL OR \(content))"

  /// Whether anything is written on a sheet `dataForm f`: an answer, a written word, a note, a tag, what a section
  /// records, or a section that was copied.
  package static let content = """
    EXISTS (
      SELECT 1 FROM dataSection s LEFT JOIN dataQuestion q ON q.dataSectionID = s.uuid AND q.dsDeleted = 0
      WHERE s.dataFormID = f.uuid AND s.dsDeleted = 0 AND (
        q.rating IS NOT NULL OR q.unable = 1 OR coalesce(q.feedback, '') <> '' OR q.completedCase = 1
        OR q.recommended = 1 OR coalesce(q.tags, '[]') <> '[]' OR q.times IS NOT NULL
        OR q.difficulty IS NOT NULL OR coalesce(q.note, '') <> '' OR s.quad IS NOT NULL OR s.tooth IS NOT NULL
        OR s.quantity IS NOT NULL OR s.difficulty IS NOT NULL OR s.copy > 1))
    """

  /// Whether a sheet holds something.
  /// - Parameter key: the key in `DataForm`.
  package static func holdsSomething(_ key: String, in db: Database) throws -> Bool {
    let sql = "SELECT \(condition) FROM dataForm f WHERE f.uuid = ? AND f.dsDeleted = 0"
    return try Bool.fetchOne(db.cachedStatement(sql: sql), arguments: [key]) ?? false
  }
}

/// Whether an item has an answer, in SQL: what `ItemKind.isBlank` says of one whose template is read. Every count of
/// answers that reads no template asks it here.
package enum AnsweredItem {
  /// 1 if an item `dataQuestion q` has an answer, else 0. Written items are stored as `DataQuestion`, all others as
  /// `RatingQuestion`. One of a kind that this version does not know is answered by words or work as well, so where
  /// nothing else is held the kind is looked up in what the sheet was made from.
  package static let condition = """
    (CASE
      WHEN q.entity = 'DataQuestion' AND coalesce(q.feedback, '') <> '' THEN 1
      WHEN q.entity <> 'DataQuestion' AND (q.rating IS NOT NULL OR coalesce(q.unable, 0) <> 0) THEN 1
      WHEN q.rating IS NULL AND coalesce(q.unable, 0) = 0 AND coalesce(q.feedback, '') = '' AND q.times IS NULL
        AND q.difficulty IS NULL AND coalesce(q.note, '') = '' THEN 0
      ELSE \(isOfUnknownKind) END)
    """

  // A section or an item that is no object has none of these members.
  private static let section = "CASE part.type WHEN 'object' THEN part.value ELSE '{}' END"
  private static let item = "CASE item.type WHEN 'object' THEN item.value ELSE '{}' END"
  private static let isOfUnknownKind = """
    EXISTS (
      SELECT 1 FROM dataSection ks JOIN dataForm kf ON kf.uuid = ks.dataFormID
        JOIN formVersion kv ON kv.uuid = kf.versionID
        JOIN json_each(CASE WHEN json_valid(kv.content) THEN kv.content ELSE '{}' END, '$.sections') part
        JOIN json_each(\(section), '$.items') item
      WHERE ks.uuid = q.dataSectionID AND json_extract(\(item), '$.link') = q.itemLinkID
        AND json_extract(\(item), '$.kind') NOT IN (\(known)))
    """
  private static let known = ItemKind.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")
}

/// Whether something is recorded of a roster entry.
package enum UsedEntry {
  /// Whether a roster entry `timetableAttendanceLog e` has a sheet, at any seat, that holds something.
  package static let isMarked = """
    EXISTS (
      SELECT 1 FROM dataForm f WHERE f.attendanceLogID = e.uuid AND f.dsDeleted = 0 AND \(MarkedSheet.condition))
    """

  /// Whether a roster entry has a sheet, at any seat, that holds something.
  static func isMarked(_ key: String, in db: Database) throws -> Bool {
    try Bool.fetchOne(
      db.cachedStatement(sql: "SELECT \(isMarked) FROM timetableAttendanceLog e WHERE e.uuid = ?"), arguments: [key])
      ?? false
  }

  /// Whether anything was written about the candidate of a roster entry `timetableAttendanceLog e`: a comment, or an
  /// assessor's private note.
  package static let hasNotes = """
    (EXISTS (
        SELECT 1 FROM commentMetaStationCandidate m
        WHERE m.attendanceLogID = e.uuid AND m.dsDeleted = 0 AND \(Comments.saysSomething))
      OR EXISTS (SELECT 1 FROM jot j WHERE j.attendanceLogID = e.uuid AND j.dsDeleted = 0))
    """

  /// Whether anything at all is recorded of a roster entry `timetableAttendanceLog e`: marks, notes, attendance,
  /// identity, feedback, or a place in the re-run queue.
  package static let condition = """
    (e.present IS NOT NULL OR e.identityCheckedAt IS NOT NULL OR e.lateAt IS NOT NULL
      OR coalesce(e.identityNote, '') <> '' OR e.feedbackReceivedAt IS NOT NULL OR coalesce(e.feedbackAgreed, 0)
      OR coalesce(e.staffSignout, 0)
      OR EXISTS (SELECT 1 FROM rerunEntry r WHERE r.attendanceLogID = e.uuid AND r.dsDeleted = 0)
      OR \(hasNotes) OR \(isMarked))
    """
}

import ExamStore
import GRDB
import Journal

/// What was written about the candidate of a roster entry from one seat: by people who sit at no other seat there.
struct CandidateNotes {
  let comments: [String]
  let jots: [String]
  /// How many of the comments are concerns.
  let concerns: Int

  var isEmpty: Bool { comments.isEmpty && jots.isEmpty }

  init(of entry: String, seat: Seat, timetable: Int, in db: Database) throws {
    let session = try StationSession.find(timetable, in: db)
    func isHere(_ row: ReadRow, _ entity: String) throws -> Bool {
      let key = RowKey(entity: entity, id: row["uuid"])
      let own = try WriterSeat.of(key, by: row["authorID"], at: session, in: db)
      return own == nil || own == seat
    }
    let comments = try ReadRow.fetchAll(
      db,
      sql: """
        SELECT uuid, authorID, concern FROM commentMetaStationCandidate m
        WHERE attendanceLogID = ? AND dsDeleted = 0 AND \(Comments.saysSomething) ORDER BY time, uuid
        """, arguments: [entry]
    ).filter { try isHere($0, CommentLevel.candidate(entry).entity) }
    self.comments = comments.map { $0["uuid"] }
    concerns = comments.count { $0["concern"] }
    jots = try ReadRow.fetchAll(
      db, sql: "SELECT uuid, authorID FROM jot WHERE attendanceLogID = ? AND dsDeleted = 0 ORDER BY time, uuid",
      arguments: [entry]
    ).filter { try isHere($0, Stored.Jot.entityName) }.map { $0["uuid"] }
  }
}

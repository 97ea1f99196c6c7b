import CircuitModel
import ExamStore
import GRDB
import Timer

/// Writes exports, row by row, so that a large exam needs no more memory than a small one.
public struct Export: Sendable {
  /// What is exported.
  public let kind: ExportKind
  /// How it is written.
  public let format: ExportFormat

  /// - Parameter kind: what is exported.
  public init(_ kind: ExportKind, format: ExportFormat) {
    self.kind = kind
    self.format = format
  }

  /// The names of the columns, in order.
  public var columns: [String] {
    switch kind {
    case .marks: MarksExport.columns
    case .attendance: AttendanceExport.columns
    case .comments: CommentsExport.columns
    case .signins: SignInsExport.columns
    case .clock: PhaseExport.columns
    case .events: EventsExport.columns
    case .journal: JournalExport.columns
    case .rulings: RulingsExport.columns
    case .help: HelpExport.columns
    case .incidents: IncidentsExport.columns
    case .changes: ChangesExport.columns
    }
  }

  /// Calls `body` with each row; its cells are in the order of `columns`.
  /// - Parameter now: as of when the clocks are read.
  public func forEachRow(in db: Database, at now: Instant, _ body: ([ExportCell]) throws -> Void) throws {
    switch kind {
    case .marks: try MarksExport.forEachRow(in: db, at: now, body)
    case .attendance: try AttendanceExport.forEachRow(in: db, body)
    case .comments: try CommentsExport.forEachRow(in: db, body)
    case .signins: try SignInsExport.forEachRow(in: db, body)
    case .clock: try PhaseExport.forEachRow(in: db, at: now, body)
    case .events: try EventsExport.forEachRow(in: db, body)
    case .journal: try JournalExport.forEachRow(in: db, body)
    case .rulings: try RulingsExport.forEachRow(in: db, body)
    case .help: try HelpExport.forEachRow(in: db, at: now, body)
    case .incidents: try IncidentsExport.forEachRow(in: db, at: now, body)
    case .changes: try ChangesExport.forEachRow(in: db, at: now, body)
    }
  }
}

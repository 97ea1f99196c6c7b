import ExamStore
import GRDB

/// What assessor and candidate are told at a station.
public enum StationInstructions {
  /// The instructions of every template of a station, in words for the assessor's screen.
  public static func text(station: Int, in db: Database) throws -> String {
    let forms = try Int.fetchAll(
      db,
      sql: "SELECT typeFormID FROM availableForm WHERE activityTypeID = ? AND dsDeleted = 0 ORDER BY \"order\", dsid",
      arguments: [station])
    let texts = try forms.compactMap { try TemplateReader.read(form: $0, in: db) }.map { template in
      [
        template.name, "", "FOR THE ASSESSOR", template.assessorInstructions ?? "No instructions.", "",
        "FOR THE CANDIDATE", template.candidateInstructions ?? "No instructions.",
      ].joined(separator: "\n")
    }
    return texts.isEmpty ? "This station has no mark sheet." : texts.joined(separator: "\n\n")
  }
}

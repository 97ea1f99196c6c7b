import CircuitModel
import GRDB

/// What assessor and candidate are told at a station.
public enum StationInstructions {
  /// The instructions of every template of a station, in words for the assessor's screen.
  public static func text(station: Int, in db: Database) throws -> String {
    let forms = try StationForms.read(station: station, in: db)
    let texts = try forms.ids.compactMap { try TemplateReader.read(form: $0, in: db) }.map { template in
      [
        template.name, "", "FOR THE ASSESSOR", template.assessorInstructions ?? "No instructions.", "",
        "FOR THE CANDIDATE", template.candidateInstructions ?? "No instructions.",
      ].joined(separator: "\n")
    }
    return texts.isEmpty ? "This station has no mark sheet." : texts.joined(separator: "\n\n")
  }
}

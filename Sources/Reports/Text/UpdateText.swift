import Catalogue
import CircuitModel
import ExamStore
import Timer

/// What of the exam last came from the hub at which time, for people.
extension LastUpdates {
  /// The parts of an exam, in the order in which they are shown.
  private enum Part: String, CaseIterable {
    case plan, people, attendance, marks, comments, clock, hall, rulings

    /// The part that an entity belongs to; nil: nobody looks for it here.
    init?(_ entity: Entity) {
      switch entity.name {
      case "TimetableAttendanceLog": self = .attendance
      case "DataForm", "DataSection", "DataQuestion", "RatingQuestion": self = .marks
      case "HallMessage", "AssistanceRequested", "StationIncident": self = .hall
      case "ExamRuling", "ExamLock", "Operation": self = .rulings
      default:
        switch entity.category {
        case .assessment, .configuration: self = .plan
        case .users: self = .people
        case .comments: self = entity.sync == .down ? .plan : .comments
        case .clock: self = .clock
        case .syncState, .journal: return nil
        }
      }
    }

    var text: String { self == .hall ? "messages and help calls" : rawValue }
  }

  /// How many parts are on a line of 80 columns.
  private static let partsPerLine = 4

  /// Lines with the parts and the local times; none where nothing came.
  var lines: [String] {
    var latest: [Part: Instant] = [:]
    for (name, time) in times {
      guard let part = Catalogue.standard[name].flatMap({ Part($0) }) else { continue }
      latest[part] = max(latest[part] ?? time, time)
    }
    let texts = Part.allCases.compactMap { part in
      latest[part].map { "\(part.text) \(LocalTime.reading(of: $0).minute)" }
    }
    guard !texts.isEmpty else { return [] }
    let lines = stride(from: 0, to: texts.count, by: Self.partsPerLine).map {
      "  " + texts[$0..<min($0 + Self.partsPerLine, texts.count)].joined(separator: ", ")
    }
    return ["last changes from the hub:"] + lines
  }

  /// `[{"entity","at"}]`, by name.
  var json: JSONDocument {
    .array(
      times.sorted { $0.key < $1.key }.map { .object([("entity", .text($0.key)), ("at", .time($0.value))]) })
  }
}

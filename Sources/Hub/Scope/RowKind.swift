import Catalogue
import CircuitModel
import ExamStore

/// What rows of an entity are to those who are given a part of an exam. It follows from the catalogue where the
/// catalogue says enough, and is named here where it does not.
enum RowKind {
  /// Circuits, stations, templates, staff, settings: everybody gets it.
  case plan
  /// Runs, clock, messages, slots, station sessions: who has the circuit gets it.
  case hall
  /// Rosters, candidates, help calls, incidents: who has the station, or the circuit's rosters.
  case roster
  /// Sheets, comments, jots: who has the station at the same seat, or the circuit whole.
  case sheet
  /// What the lead decided and locked.
  case closing
  /// Devices, sittings, sign-ins, and what is not known here: who gets all.
  case rest

  init(_ entity: String) { self = Self.kinds[entity] ?? .rest }

  private static let kinds: [String: RowKind] = {
    var kinds: [String: RowKind] = [:]
    for entity in Catalogue.standard.entities where entity.sync == .down { kinds[entity.name] = .plan }
    func note(_ kind: RowKind, _ entities: [any StoredEntity.Type]) {
      for entity in entities { kinds[entity.entityName] = kind }
    }
    note(.plan, [Stored.FormVersion.self])
    note(
      .rest,
      [
        Stored.StudentGroup.self, Stored.StudentMajor.self, Stored.StudentForGroup.self, Stored.StudentForMajor.self,
        Stored.User.self,
      ])
    note(
      .hall,
      [
        Stored.Timetable.self, Stored.AdditionalStaff.self, Stored.CircuitRun.self, Stored.ClockEvent.self,
        Stored.HallMessage.self, Stored.SlotTable.self,
      ])
    note(
      .roster,
      [
        Stored.TimetableAttendanceLog.self, Stored.Student.self, Stored.RerunEntry.self,
        Stored.AssistanceRequested.self, Stored.StationIncident.self,
      ])
    note(
      .sheet,
      [
        Stored.DataForm.self, Stored.DataSection.self, Stored.DataQuestion.self, Stored.RatingQuestion.self,
        Stored.Jot.self, Stored.CommentMetaCircuit.self, Stored.CommentMetaStation.self,
        Stored.CommentMetaStationCandidate.self,
      ])
    note(.closing, [Stored.ExamRuling.self, Stored.ExamLock.self])
    return kinds
  }()

  /// The entities whose places pass on to rows that name them.
  private static let sources: Set<String> = {
    let entities: [any StoredEntity.Type] = [
      Stored.ClinicGroup.self, Stored.ActivityType.self, Stored.Timetable.self, Stored.TimetableAttendanceLog.self,
      Stored.DataForm.self, Stored.DataSection.self, Stored.DataQuestion.self, Stored.CircuitRun.self,
    ]
    return Set(entities.map { $0.entityName })
  }()

  /// The relationships by which rows of an entity are where the rows that they name are.
  static func links(of entity: String) -> [Relationship] { knownLinks[entity] ?? [] }

  private static let knownLinks: [String: [Relationship]] = Dictionary(
    uniqueKeysWithValues: Catalogue.standard.entities.map { entity in
      let isPlaced =
        switch RowKind(entity.name) {
        case .hall, .roster, .sheet: true
        case .plan: entity.name == Stored.ActivityType.entityName
        case .closing, .rest: false
        }
      let links = Catalogue.standard.storedRelationships(of: entity).filter { sources.contains($0.destination) }
      return (entity.name, isPlaced ? links : [])
    })

  /// The parts of an exam in which a row at some places is.
  func atoms(at places: Set<String>) -> Set<String> {
    func keys(_ kind: String) -> [String] {
      places.compactMap { $0.hasPrefix(kind + ":") ? String($0.dropFirst(kind.count + 1)) : nil }
    }
    switch self {
    case .plan: return [ScopeAtom.exam]
    case .closing: return [ScopeAtom.closing]
    case .rest: return []
    case .hall: return Set(keys("circuit").map { "circuit:\($0)" })
    case .roster:
      return Set(
        keys("circuit").map { "roster:\($0)" } + keys("post").map { "post:\($0)" }
          + keys("station").map { "station:\($0)" })
    case .sheet:
      let seats = keys("seat")
      return Set(
        keys("circuit").map { "sheets:\($0)" }
          + seats.flatMap { seat in
            keys("post").map { "post:\($0)/\(seat)" } + keys("station").map { "station:\($0)/\(seat)" }
          })
    }
  }
}

import Catalogue
import ExamStore
import Journal

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
    kinds["FormVersion"] = .plan
    for name in ["StudentGroup", "StudentMajor", "StudentForGroup", "StudentForMajor", "User"] { kinds[name] = .rest }
    for name in ["Timetable", "AdditionalStaff", "CircuitRun", "ClockEvent", "HallMessage", "SlotTable"] {
      kinds[name] = .hall
    }
    for name in ["TimetableAttendanceLog", "Student", "RerunEntry", "AssistanceRequested", "StationIncident"] {
      kinds[name] = .roster
    }
    for name in [
      "DataForm", "DataSection", "DataQuestion", "RatingQuestion", "Jot", "CommentMetaCircuit", "CommentMetaStation",
      "CommentMetaStationCandidate",
    ] { kinds[name] = .sheet }
    for name in ["ExamRuling", "ExamLock"] { kinds[name] = .closing }
    return kinds
  }()

  /// The entities whose places pass on to rows that name them.
  private static let sources: Set<String> = [
    "ClinicGroup", "ActivityType", "Timetable", "TimetableAttendanceLog", "DataForm", "DataSection", "DataQuestion",
    "CircuitRun",
  ]

  /// The relationships by which rows of an entity are where the rows that they name are.
  static func links(of entity: String) -> [Relationship] { knownLinks[entity] ?? [] }

  private static let knownLinks: [String: [Relationship]] = Dictionary(
    uniqueKeysWithValues: Catalogue.standard.entities.map { entity in
      let isPlaced =
        switch RowKind(entity.name) {
        case .hall, .roster, .sheet: true
        case .plan: entity.name == "ActivityType"
        case .closing, .rest: false
        }
      return (
        entity.name,
        isPlaced
          ? Catalogue.standard.allRelationships(of: entity).filter {
            !$0.toMany && $0.column != nil && sources.contains($0.destination)
          } : []
      )
    })

  /// What a row at some places is called where it is asked who gets it.
  func words(at places: Set<String>) -> Set<String> {
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

/// The words for parts of an exam that a device can be given.
enum ScopeAtom {
  static let all = "all"
  static let exam = "exam"
  static let closing = "closing"

  /// A key within a word: as it is where it is plain, else its digest, so that no key can say more than one word.
  static func key(_ text: String) -> String {
    let isPlain =
      !text.isEmpty && text.utf8.count <= 64
      && text.utf8.allSatisfy {
        UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0
          || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
      }
    return isPlain ? text : "sha256-" + Hexadecimal.text(StreamDigest.of(Array(text.utf8)))
  }

  /// What a device of a role is given without a person's session, within the circuits and stations that its code names.
  static func base(of role: DeviceRole, _ choice: CodeScope) -> Set<String> {
    if choice.isWhole { return [all] }
    func circuits(_ kinds: [String]) -> [String] {
      kinds.flatMap { kind in
        choice.circuits.isEmpty ? [kind + ":*"] : choice.circuits.map { "\(kind):\($0)" }
      }
    }
    switch role {
    case .office, .auditor: return [all]
    case .lead:
      return choice.circuits.isEmpty ? [all] : Set([exam, closing] + circuits(["circuit", "roster", "sheets"]))
    case .desk: return Set([exam] + circuits(["circuit", "roster"]))
    case .display: return Set([exam] + circuits(choice.showsNames ? ["circuit", "roster"] : ["circuit"]))
    case .station:
      return Set(
        [exam] + circuits(["circuit"])
          + choice.stations.flatMap { station in
            ["post:\(station)"] + (choice.seat.map { ["post:\(station)/\(key($0))"] } ?? [])
          })
    }
  }
}

/// What of an exam a code gives, besides what its role gives.
public struct CodeScope: Equatable, Sendable {
  /// The keys of circuits; none: every one.
  public var circuits: [Int64] = []
  /// The keys of stations, for a device that stays at them.
  public var stations: [Int64] = []
  /// The seat whose sheets the device is given at those stations; nil: none.
  public var seat: String?
  /// Whether a display is given the candidates.
  public var showsNames = false
  /// Whether it is given everything, as one store for a whole hall needs it.
  public var isWhole = false

  /// What the role gives.
  public init() {}

  /// Everything.
  public static let whole: CodeScope = {
    var scope = CodeScope()
    scope.isWhole = true
    return scope
  }()
}

/// The parts of an exam that a device has.
struct HeldAtoms: Equatable {
  let atoms: Set<String>
  /// The kinds of words of which it has every one.
  private let kinds: Set<Substring>

  init(_ atoms: some Sequence<String>) {
    self.atoms = Set(atoms)
    kinds = Set(self.atoms.filter { $0.hasSuffix(":*") }.map { $0.dropLast() })
  }

  var isAll: Bool { atoms.contains(ScopeAtom.all) }

  /// Whether a row that is called by a word is among them.
  func holds(_ word: Substring) -> Bool {
    if isAll || atoms.contains(String(word)) { return true }
    guard !kinds.isEmpty, let colon = word.firstIndex(of: ":") else { return false }
    return kinds.contains(word[...colon])
  }

  /// Whether an operation is among them for who has the log up to a number. A word may end with the number from which on
  /// it is called so.
  func see(_ words: String, at seq: Int64) -> Bool { sees(words).map { $0 <= seq } ?? false }

  /// The number of the log from which on an operation is among them; nil: it never is.
  func sees(_ words: String) -> Int64? {
    if isAll { return 0 }
    var first: Int64?
    for word in words.split(separator: " ") {
      let parts = word.split(separator: "@", maxSplits: 1)
      guard let name = parts.first, holds(name) else { continue }
      guard parts.count > 1 else { return 0 }
      if let since = Int64(parts[1]) { first = min(first ?? since, since) }
    }
    return first
  }
}

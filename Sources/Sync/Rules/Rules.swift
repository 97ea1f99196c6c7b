import Catalogue
import Journal

/// Who may do what, as data: the hub decides by it.
///
/// An operation counts where its person's role allows it, and its device's, or a session that the person has open
/// there.
public enum Rules {
  /// What an operation does, as far as who may do it.
  public enum Class: String, CaseIterable, Sendable {
    /// Marks, sheets, comments, jots and signatures.
    case marks
    /// Reopening without a reason, rulings, locks, what is said of others' operations.
    case rulings
    /// Attendance, help calls, incidents.
    case attendance
    /// Clock, messages, slots, re-runs, letting assessors go.
    case hall
    /// Covers, second assessors, candidates who were added on the day.
    case cover
    /// The plan, the people, the templates, erasure.
    case plan
    /// What a device writes of itself: who sat at it, when it met the hub.
    case traces
  }

  /// How far a role may do it.
  public enum Reach: Sendable {
    case never
    /// At the station sessions at which the person is planned or covers.
    case ownStation
    case all
    /// Everywhere, and a reason is given.
    case allWithReason
    /// On rows that this device made.
    case ownRows
  }

  /// Where an operation is, as far as rules ask.
  public struct Place: Sendable {
    /// Whether it is at a station session of the person's own.
    public var isOwnStation: Bool
    /// Whether the row is the device's own.
    public var isOwnRow: Bool
    /// Whether it says why.
    public var hasReason: Bool

    /// A place.
    public init(isOwnStation: Bool, isOwnRow: Bool, hasReason: Bool) {
      self.isOwnStation = isOwnStation
      self.isOwnRow = isOwnRow
      self.hasReason = hasReason
    }
  }

  /// How far a role may do something.
  public static func reach(of role: PersonRole, _ subject: Class) -> Reach { table[subject]?[role] ?? .never }

  /// Whether a role may do something there. A person who marks at a station marks there as an assessor, whatever else
  /// they are; auditors and displays do not.
  public static func allows(_ role: PersonRole, _ subject: Class, at place: Place) -> Bool {
    let reach = reach(of: role, subject)
    if isMet(reach, at: place) { return true }
    guard role != .auditor, role != .display else { return false }
    return isMet(Rules.reach(of: .assessor, subject), at: place)
  }

  private static func isMet(_ reach: Reach, at place: Place) -> Bool {
    switch reach {
    case .never: false
    case .ownStation: place.isOwnStation
    case .all: true
    case .allWithReason: place.hasReason
    case .ownRows: place.isOwnRow
    }
  }

  /// Whether a device of a role does something by itself, no matter who sits at it: one store may be all of a
  /// circuit's. The plan comes from those that send it.
  public static func deviceAllows(_ role: PersonRole, _ subject: Class, isOwnRow: Bool) -> Bool {
    if subject == .plan { return role == .lead || role == .office }
    return isMet(reach(of: role, subject), at: Place(isOwnStation: true, isOwnRow: isOwnRow, hasReason: true))
  }

  private static let table: [Class: [PersonRole: Reach]] = [
    .marks: [.assessor: .ownStation, .lead: .allWithReason, .office: .allWithReason],
    .rulings: [.lead: .all, .office: .all],
    .attendance: [.assessor: .ownStation, .invigilator: .all, .lead: .all, .office: .all],
    .hall: [.invigilator: .all, .lead: .all, .office: .all],
    .cover: [.assessor: .ownStation, .invigilator: .all, .lead: .all, .office: .all],
    .plan: [.office: .all],
    .traces: Dictionary(uniqueKeysWithValues: PersonRole.allCases.map { ($0, .ownRows) }),
  ]

  // MARK: What an operation does

  /// What an operation does; several things where it sets fields of several kinds.
  /// - Parameter isOfOther: of a ruling: whether it is on an operation of another device.
  public static func classes(of opened: OpenedOperation, isOfOther: Bool = true) -> Set<Class> {
    let operation = opened.operation
    if operation.kind == .erase { return [.plan] }
    if operation.row.entity == Ruling.entity {
      return operation.kind == .withdraw && !isOfOther ? [.traces] : [.rulings]
    }
    if operation.kind == .ruling || (operation.kind == .reopen && opened.reason == nil) { return [.rulings] }
    let fields = opened.body.map { Array($0.fields.keys) } ?? []
    switch operation.row.entity {
    case "Student" where operation.row.id.hasPrefix("-"): return [.cover]
    case "Student" where !fields.isEmpty && fields.allSatisfy { adjustments.contains($0) }: return [.attendance]
    case "Timetable": return Set(fields.map { timetable[$0] ?? .plan }).union(fields.isEmpty ? [.plan] : [])
    case "TimetableAttendanceLog":
      return fields.contains("timetable") || fields.contains("student") ? [.cover] : [.attendance]
    case let name: return [entities[name] ?? (Catalogue.standard[name]?.sync == .down ? .plan : .marks)]
    }
  }

  private static let adjustments: Set<String> = ["extraReadingSeconds", "extraStationSeconds", "access"]

  private static let timetable: [String: Class] = [
    "coverStaff": .cover, "scheduledCoverStaff": .cover, "releasedAt": .hall, "releasedBy": .hall,
  ]

  /// The entities that are neither of the plan nor of a sheet.
  private static let entities: [String: Class] = [
    "ExamRuling": .rulings, "ExamLock": .rulings, "AssistanceRequested": .attendance, "StationIncident": .attendance,
    "CircuitRun": .hall, "ClockEvent": .hall, "HallMessage": .hall, "SlotTable": .hall, "RerunEntry": .hall,
    "AdditionalStaff": .cover, "Device": .traces, "Sitting": .traces, "PasscodeAttempt": .traces,
    "StaffSignIn": .traces, "SyncInformation": .traces,
  ]
}

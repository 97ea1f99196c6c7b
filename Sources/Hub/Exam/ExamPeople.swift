import CircuitModel
import ExamStore
import Journal
import Sync
import Synchronization

/// The staff of an exam as the hub's log has them: who they are, what they are, and where they sit.
struct ExamPeople {
  let rows: ExamRows

  /// An active member of staff.
  struct Member: Hashable, Sendable {
    /// The key in `Staff`.
    let id: Int64
    let role: PersonRole
    /// What the passcode is held against; nil where there is none.
    let passcodeHash: String?
  }

  /// The one active member of staff with a username; nil where there is none, or more than one.
  func member(named username: String) throws -> Member? {
    var found: [Member] = []
    for key in try rows.keys(of: Stored.Staff.entityName, having: "username") {
      let row = RowKey(entity: Stored.Staff.entityName, id: key)
      guard try rows.text("username", of: row) == username, let member = try member(row) else { continue }
      found.append(member)
    }
    return found.count == 1 ? found[0] : nil
  }

  /// What a member of staff is; nil where the exam does not say.
  func role(of staff: Int64) throws -> PersonRole? {
    let username = try rows.text("username", of: Stored.Staff.row(Int(staff)))
    return try username.flatMap { try roles()[$0] }.map { PersonRole($0) }
  }

  /// Whether a person is or was planned at a station session, covers it, or marks there besides: what was made before
  /// somebody else took over is still theirs.
  func belongs(_ staff: Int64, to timetable: Int64) throws -> Bool {
    let row = Stored.Timetable.row(Int(timetable))
    for operation in try rows.history(of: row) {
      let fields = operation.body?.fields ?? [:]
      if ["staff", "coverStaff", "scheduledCoverStaff"].contains(where: { fields[$0] == .integer(staff) }) {
        return true
      }
    }
    return try secondAssessors().contains { row, session in
      try session == timetable && rows.integer("staff", of: row) == staff
    }
  }

  /// The seat at which a person marks in a station session: that of a second assessor, else the lead assessor's.
  func seat(of staff: Int64, at timetable: Int64) throws -> String {
    for (row, session) in try secondAssessors() where session == timetable {
      if try rows.integer("staff", of: row) == staff { return try seat(of: row) }
    }
    return Seat.lead.name
  }

  /// The rows of second assessors, each with its station session; also those that were removed.
  func secondAssessors() throws -> [(row: RowKey, timetable: Int64)] {
    try rows.keys(of: Stored.AdditionalStaff.entityName, having: "timetable").compactMap { key in
      let row = Stored.AdditionalStaff.row(key)
      return try rows.integer("timetable", of: row).map { (row, $0) }
    }
  }

  /// The seat that a second assessor's row gives.
  func seat(of row: RowKey) throws -> String { try rows.text("seat", of: row) ?? row.id }

  private func member(_ row: RowKey) throws -> Member? {
    guard let id = Int64(row.id), try rows.value("active", of: row) != .bool(false), try !rows.isGone(row) else {
      return nil
    }
    return Member(
      id: id, role: try role(of: id) ?? .assessor, passcodeHash: try rows.text("passcodeHash", of: row))
  }

  /// The exam's roles by username.
  private func roles() throws -> [String: ExamRole] {
    guard let key = try rows.keys(of: Stored.Config.entityName, having: "settings").first else { return [:] }
    let settings = try rows.text("settings", of: RowKey(entity: Stored.Config.entityName, id: key)) ?? ""
    return Self.known.withLock { known in
      if let last = known.last(where: { $0.settings == settings }) { return last.roles }
      let roles = StaffRoles.read(settings: settings)
      known = known.suffix(Self.most - 1) + [(settings, roles)]
      return roles
    }
  }

  /// What was read of settings before: the same text says the same.
  private static let known = Mutex<[(settings: String, roles: [String: ExamRole])]>([])
  private static let most = 16
}

extension PersonRole {
  /// The role that the exam's settings name; a word that this version does not know makes nobody more than an assessor.
  init(_ role: ExamRole) {
    self =
      switch role {
      case .assessor, .unknown: .assessor
      case .invigilator: .invigilator
      case .lead: .lead
      case .office: .office
      case .auditor: .auditor
      case .display: .display
      }
  }
}

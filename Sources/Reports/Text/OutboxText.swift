import Characters
import Journal

/// What the outbox says, on screens and in commands.
public enum OutboxText {
  /// How much waits, in one line.
  public static func waiting(_ count: Int, isEnrolled: Bool) -> String {
    let changes = Plural.count(count, "change")
    if isEnrolled { return count == 0 ? "everything is at the hub" : "\(changes) not at the hub yet" }
    return count == 0 ? "no hub, and nothing to send" : "\(changes) not sent anywhere: no hub"
  }

  /// How much a person must look at, in one line; nil for nothing.
  public static func attention(_ count: Int) -> String? {
    count == 0 ? nil : "\(Plural.count(count, "needs", "need")) attention"
  }

  /// What changes of an entity are called.
  public static func name(of entity: String) -> String { names[entity] ?? entity }

  private static let names = [
    "DataForm": "mark sheet", "DataSection": "section", "DataQuestion": "answers", "RatingQuestion": "marks",
    "FormVersion": "mark sheet version", "TimetableAttendanceLog": "roster, attendance", "Timetable": "station session",
    "AdditionalStaff": "second assessor", "SlotTable": "slots", "RerunEntry": "re-run queue", "Student": "candidate",
    "Comment": "personal comment", "CommentMetaCircuit": "circuit comment", "CommentMetaStation": "station comment",
    "CommentMetaStationCandidate": "comment, sign-out", "Jot": "private note", "HallMessage": "message",
    "AssistanceRequested": "help call", "StationIncident": "incident", "StaffSignIn": "sign-in",
    "Sitting": "sign-in at terminal", "PasscodeAttempt": "passcode tried", "Device": "terminal",
    "CircuitRun": "clock", "ClockEvent": "clock", "SyncInformation": "hub contact", "Operation": "verdict on a change",
    "ExamRuling": "ruling", "ExamLock": "lock", "User": "person", "Staff": "staff", "StudentGroup": "candidate group",
    "StudentMajor": "programme", "StudentForGroup": "candidate's group", "StudentForMajor": "candidate's course",
    "ClinicGroup": "circuit", "ActivityType": "station", "CircuitStationDuration": "phase", "Config": "settings",
    "ScenarioMetadata": "instructions", "Discipline": "discipline", "DisciplineForClinicGroup": "circuit, discipline",
    "CommentGroup": "comment category", "TypeForm": "template", "TypeSection": "template, section",
    "TypeQuestion": "template, item", "MarkingDescriptor": "template, level", "SectionToForm": "template, section",
    "QuestionToSection": "template, item", "AvailableForm": "sheets of a station",
  ]

  /// Where changes are, or what a person must settle, in a few words.
  public static func state(why: String?, isEnrolled: Bool) -> String {
    guard let why else { return isEnrolled ? "not sent yet" : "saved here" }
    guard let result = HubResult(why) else { return "refused: \(why)" }
    return switch result {
    case .conflict: "conflict: two values"
    case .deferred(.causeMissing): "an earlier change is missing"
    case .deferred(.transactionIncomplete): "part of a change is missing"
    case .rejected(let rejection): "REFUSED" + (rejection.map { ": " + text($0) } ?? "")
    case .quarantined(let quarantine): "kept for the office: " + text(quarantine)
    case .applied, .withheld: "at the hub"
    }
  }

  private static func text(_ rejection: HubResult.Rejection) -> String {
    switch rejection {
    case .notAfter: "older than what it changes"
    case .unreadableBody: "cannot be read"
    case .deleteSetsFields, .transactionForm: "not well formed"
    case .twoVersions: "exists in two versions"
    case .withTransaction: "with another change"
    case .role: "not allowed to this role"
    case .direction: "only the hub changes this"
    case .valueType: "not a possible value"
    case .denyRule: "still in use"
    }
  }

  private static func text(_ quarantine: HubResult.Quarantine) -> String {
    switch quarantine {
    case .unknown: "unknown to that version"
    case .locked: "the circuit is locked"
    case .scope: "not this terminal's station"
    case .session: "nobody was signed in there"
    case .clockPartition: "the clock was out of contact"
    case .clockAhead: "from a clock far ahead"
    case .revoked: "the device was revoked"
    }
  }
}

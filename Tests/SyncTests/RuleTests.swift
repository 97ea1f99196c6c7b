import Journal
import Sync
import Testing

@Suite("The rule table") struct RuleTests {
  /// How far each role may do each thing, read as a person reads the table: at one's own place with a reason (R) or
  /// without (o), elsewhere with a reason (r) or without (f). A dot: not.
  private static let expected: [(Rules.Class, [PersonRole: String])] = [
    (
      .marks,
      [.assessor: "Ro..", .invigilator: "Ro..", .lead: "Ror.", .office: "Ror.", .auditor: "....", .display: "...."]
    ),
    (
      .rulings,
      [.assessor: "....", .invigilator: "....", .lead: "Rorf", .office: "Rorf", .auditor: "....", .display: "...."]
    ),
    (
      .attendance,
      [.assessor: "Ro..", .invigilator: "Rorf", .lead: "Rorf", .office: "Rorf", .auditor: "....", .display: "...."]
    ),
    (
      .hall,
      [.assessor: "....", .invigilator: "Rorf", .lead: "Rorf", .office: "Rorf", .auditor: "....", .display: "...."]
    ),
    (
      .cover,
      [.assessor: "Ro..", .invigilator: "Rorf", .lead: "Rorf", .office: "Rorf", .auditor: "....", .display: "...."]
    ),
    (
      .plan,
      [.assessor: "....", .invigilator: "....", .lead: "....", .office: "Rorf", .auditor: "....", .display: "...."]
    ),
    (
      .traces,
      [.assessor: "Ro..", .invigilator: "Ro..", .lead: "Ro..", .office: "Ro..", .auditor: "Ro..", .display: "Ro.."]
    ),
  ]

  @Test("says for each role and each thing where it may be done, and whether a reason is needed", arguments: expected)
  func table(_ subject: Rules.Class, _ roles: [PersonRole: String]) {
    for role in PersonRole.allCases {
      var found = ""
      for (mark, isOwn, hasReason) in [("R", true, true), ("o", true, false), ("r", false, true), ("f", false, false)] {
        let place = Rules.Place(isOwnStation: isOwn, isOwnRow: isOwn, hasReason: hasReason)
        found += Rules.allows(role, subject, at: place) ? mark : "."
      }
      #expect(found == roles[role], "\(role) \(subject)")
    }
  }

  @Test("lets a device do by itself what its people do, and only those send the plan that have it") func devices() {
    let allowed = Dictionary(
      uniqueKeysWithValues: PersonRole.allCases.map { role in
        (role, Set(Rules.Class.allCases.filter { Rules.deviceAllows(role, $0, isOwnRow: true) }))
      })
    #expect(allowed[.assessor] == [.marks, .attendance, .cover, .traces])
    #expect(allowed[.invigilator] == [.attendance, .hall, .cover, .traces])
    #expect(allowed[.lead] == Set(Rules.Class.allCases) && allowed[.office] == Set(Rules.Class.allCases))
    #expect(allowed[.auditor] == [.traces] && allowed[.display] == [.traces])
    for role in PersonRole.allCases { #expect(!Rules.deviceAllows(role, .traces, isOwnRow: false)) }
  }

  @Test("knows what an operation does by its kind, its row and its fields") func classes() {
    #expect(Self.classes("RatingQuestion", "a", ["rating"]) == [.marks])
    #expect(Self.classes("DataForm", "a", ["signedAt"], kind: .reopen) == [.rulings], "without a reason")
    #expect(Self.classes("DataForm", "a", ["signedAt"], kind: .reopen, reason: "slip") == [.marks])
    #expect(
      Self.classes("Comment", "a", ["text"]) == [.marks] && Self.classes("FormVersion", "a", ["digest"]) == [.marks])
    #expect(Self.classes("TimetableAttendanceLog", "a", ["present"]) == [.attendance])
    #expect(Self.classes("TimetableAttendanceLog", "a", ["timetable", "student"]) == [.cover])
    #expect(Self.classes("Timetable", "1", ["coverStaff"]) == [.cover])
    #expect(Self.classes("Timetable", "1", ["releasedAt", "date"]) == [.hall, .plan])
    #expect(Self.classes("Timetable", "1", [], kind: .delete) == [.plan])
    #expect(Self.classes("ClockEvent", "a", ["kind"], kind: .clock) == [.hall])
    #expect(
      Self.classes("Student", "-4", ["surname"]) == [.cover] && Self.classes("Student", "4", ["surname"]) == [.plan])
    #expect(Self.classes("Student", "4", ["access"]) == [.attendance])
    #expect(Self.classes("ExamLock", "a", ["lockedAt"]) == [.rulings])
    #expect(
      Self.classes("ClinicGroup", "1", ["name"]) == [.plan]
        && Self.classes("ClinicGroup", "1", [], kind: .erase) == [.plan])
    #expect(Self.classes("Sitting", "a", ["ended"]) == [.traces])
    let id = UUIDBytes(high: 1, low: 1).description
    #expect(Self.classes("Operation", id, ["verdict"], kind: .admit) == [.rulings])
    #expect(Self.classes("Operation", id, ["verdict"], kind: .withdraw) == [.rulings])
    #expect(Self.classes("Operation", id, ["verdict"], kind: .withdraw, isOfOther: false) == [.traces])
  }

  private static func classes(
    _ entity: String, _ key: String, _ fields: [String], kind: OperationKind = .set, reason: String? = nil,
    isOfOther: Bool = true
  ) -> Set<Rules.Class> {
    let id = UUIDBytes(high: 1, low: 2)
    let operation = Journal.Operation.seal(
      id: id, device: id, deviceSeq: 1, tx: id, kind: kind, row: RowKey(entity: entity, id: key),
      body: OperationBody(
        fields: Dictionary(uniqueKeysWithValues: fields.map { ($0, Value.integer(1)) }), reason: reason),
      hlc: HybridTime(raw: 1), wallTime: 1, schema: 2, prevHash: Journal.Operation.genesisHash)
    return Rules.classes(of: OpenedOperation(operation), isOfOther: isOfOther)
  }
}

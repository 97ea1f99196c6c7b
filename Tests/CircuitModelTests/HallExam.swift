import GRDB
import Journal
import Timer

@testable import CircuitModel
@testable import ExamStore
@testable import Reports

/// A ring of five stations, the third a rest station, with candidates in slots 1, 2, 3 and 5; slot 4 is empty.
final class HallExam {
  let test: TestStore
  let author = Author(staff: 1)
  let session = Session(circuit: 2, date: "2026-12-07", startTime: "10:00")

  /// - Parameter slots: the keys of the candidates from slot 1 on; 0 for an empty slot.
  init(slots: [Int] = [101, 102, 103, 0, 105]) throws {
    test = try TestStore()
    LocalTime.use(zone: "Europe/London")
    try test.loadSmallExam()
    var rows = [SmallExam.row("ClinicGroup", "2", ["name": .text("Green"), "code": .text("G")])]
    for (order, phase) in [("reading", 60), ("rotation", 300), ("changeover", 60)].enumerated() {
      var fields = SmallExam.phase(phase.0, seconds: Int64(phase.1), order: Int64(order + 1))
      fields["clinicGroup"] = .integer(2)
      rows.append(SmallExam.row("CircuitStationDuration", "\(order + 11)", fields))
    }
    for student in slots where student != 0 {
      rows.append(
        SmallExam.row(
          "Student", "\(student)",
          ["studentNumber": .text("\(student)"), "surname": .text("C\(student)"), "extraStationSeconds": .integer(0)]))
    }
    for place in 1...slots.count {
      let isRest = place == 3
      rows.append(
        SmallExam.row(
          "ActivityType", "\(20 + place)",
          [
            "name": .text("Station \(place)"), "code": .text("A\(place)"), "clinicGroup": .integer(2),
            "order": .integer(Int64(place)),
          ]))
      if !isRest {
        rows.append(
          SmallExam.row(
            "AvailableForm", "\(20 + place)",
            ["typeForm": .integer(1), "activityType": .integer(Int64(20 + place))]))
      }
      rows.append(
        SmallExam.row(
          "Timetable", "\(20 + place)",
          [
            "activityType": .integer(Int64(20 + place)), "date": .text(session.date),
            "startTime": .text(session.startTime), "staff": .integer(1),
          ]))
    }
    for (index, student) in slots.enumerated() where student != 0 {
      for round in 1...slots.count {
        let place = (index + round - 1) % slots.count + 1
        rows.append(
          SmallExam.row(
            "TimetableAttendanceLog", DerivedKeys.key("Test", "\(student)", "\(place)"),
            [
              "timetable": .integer(Int64(20 + place)), "student": .integer(Int64(student)),
              "order": .integer(Int64(round)),
            ]))
      }
    }
    let all = rows
    _ = try store.write(.program) { try BundleImport.apply(all, in: $0) }
  }

  var store: ExamStore { test.store }

  func board() throws -> HallBoard { try store.read { try HallBoard.read(session, in: $0) } }

  @discardableResult func write<T>(_ body: (JournalTransaction) throws -> T) throws -> T {
    try withoutActuallyEscaping(body) { try store.write(author, $0) }
  }

  /// Gives the first station a second assessor, who leads the exam.
  func addSecondAssessor() throws -> (seat: Seat, lead: ExamLead) {
    let seat = Seat(name: "second")
    try write { transaction in
      try transaction.create(
        "AdditionalStaff", "00000000-0000-4000-8000-0000000000aa",
        ["timetable": .integer(21), "staff": .integer(2), "seat": .text(seat.name)])
      try transaction.set("Config", "1", ["settings": .text(#"{"roles":{"bmurphy":"lead"}}"#)])
    }
    return (seat, try store.read { try ExamLead.authorise(ExamLead.find(username: "bmurphy", in: $0), by: nil) })
  }

  /// Excuses a candidate at a station, as the lead's ruling does.
  func excuse(_ candidate: String, at station: String) throws {
    try write {
      try $0.create(
        "ExamRuling", DerivedKeys.key("Test", "excuse", candidate, station),
        [
          "kind": .text("excuse"), "station": .text(station), "candidate": .text(candidate),
          "reason": .text("fire alarm"), "staff": .integer(1),
        ])
    }
  }

  /// Rules a sheet out, as the lead's ruling does.
  func ruleOut(sheet: String) throws {
    try write {
      try $0.create(
        "ExamRuling", DerivedKeys.key("Test", "exclusion", sheet),
        ["kind": .text("exclusion"), "sheet": .text(sheet), "reason": .text("taken ill"), "staff": .integer(1)])
    }
  }

  /// Writes as the assessor who sits at the first station.
  func atStation(_ body: (JournalTransaction) throws -> Void) throws {
    try withoutActuallyEscaping(body) { body in
      try store.write(author) { transaction in
        let member = try StaffMember.active(transaction.db).first { $0.id == 1 }!
        _ = try SignIn.begin(member, timetable: 21, device: store.device, in: transaction)
        try body(transaction)
      }
    }
  }

  /// The keys of who comes to a station, by its place in the ring, in a round.
  func who(_ place: Int, _ round: Int) throws -> [Int] {
    try board().entries(station: 20 + place, round: round).compactMap { $0.candidate?.id }
  }

  func entry(_ student: Int, _ round: Int) throws -> RosterEntry {
    try board().places(of: student).first { $0.round == round }!.entry
  }

  /// Passes the identity step of a candidate's entry in a round and marks an item; the sheet's key.
  @discardableResult func mark(_ student: Int, _ round: Int, sign: Bool = false) throws -> String {
    let entry = try entry(student, round)
    let key = try write { try Attendance.passIdentityStep(entry: entry, seat: .lead, in: $0)[0] }
    let sheet = try store.read { try Sheet.read(key, in: $0)! }
    try write { _ = try Marking($0).mark(sheet.items[0], level: sheet.items[0].template.levels[1]) }
    if sign {
      let sheet = try store.read { try Sheet.read(key, in: $0)! }
      try write { try Signing.sign(sheet, in: $0) }
    }
    return key
  }

  @discardableResult func swap(_ first: Int, _ second: Int, _ round: Int) throws -> SlotSwap {
    try write { try SlotChanges.swap(first, second, from: round, in: session, $0) }
  }

  @discardableResult func clock(_ action: ClockAction, at seconds: Int64) throws -> ClockEvent {
    try write {
      try ClockLog.append(action, to: session, at: Instant(milliseconds: TestClock.start + seconds * 1000), in: $0)
    }
  }

  func state(at seconds: Int64) throws -> (state: ClockState, run: Run) {
    let instant = Instant(milliseconds: TestClock.start + seconds * 1000)
    let run = try store.read { try Run.current(of: session, at: instant, in: $0)! }
    return (Rotation.fold(run.events, until: instant).state(at: instant), run)
  }

  func queue() throws -> [RerunItem] { try store.read { try RerunQueue.items(session, in: $0) } }
}

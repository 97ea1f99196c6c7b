/// Sessions and their rosters: the rotation is generated here.
extension PlanBundle {
  mutating func session(_ session: ExamPlan.Session) {
    guard let circuit = plan.circuits.first(where: { $0.code == session.circuit.code }) else { return }
    let group = session.name.isEmpty ? session.group?.code ?? "" : session.name
    for (index, station) in circuit.stations.enumerated() {
      let session = RingPlace(
        circuit: circuit.code, station: station.code, date: session.date, start: session.start,
        number: index + 1, of: circuit.stations.count, isWithdrawn: station.withdrawn != nil, session: session)
      timetable(session, group: group)
    }
  }

  /// One station session of a circuit's session.
  private struct RingPlace {
    let circuit: String
    let station: String
    let date: String
    let start: String
    /// The station's place in the ring, from 1.
    let number: Int
    /// How many stations the ring has.
    let of: Int
    let isWithdrawn: Bool
    let session: ExamPlan.Session

    func staff(_ posts: [ExamPlan.Post]) -> [ExamPlan.Reference] {
      posts.first { $0.station.code == station }?.staff ?? []
    }

    /// The slot that is here in a round, both from 1: slot i is in round r at station ((i + r − 2) mod n) + 1.
    func round(ofSlot slot: Int) -> Int { (number - slot + of) % of + 1 }
  }

  private mutating func timetable(_ place: RingPlace, group: String) {
    let names = [place.circuit, place.station, place.date, place.start]
    let number = Bundle.Value.number(keys.number("Timetable", names))
    let staff = place.staff(place.session.assessors)
    var values: [String: Bundle.Value] = [
      "dsid": number, "activityType": key("ActivityType", place.circuit, place.station), "date": .text(place.date),
      "startTime": .text(place.start), "endTime": .some(place.session.end ?? ""), "group": .some(group),
      "order": .number(place.number), "cancelled": .bool(place.isWithdrawn),
    ]
    values["staff"] = staff.first.map { key("Staff", $0.code) } ?? .null
    values["scheduledCoverStaff"] = place.staff(place.session.cover).first.map { key("Staff", $0.code) } ?? .null
    add("Timetable", place.session.place, values)
    for other in staff.dropFirst() {
      add(
        "AdditionalStaff", other.place,
        [
          "uuid": .text(RosterKeys.secondAssessor(names, username: other.code)), "timetable": number,
          "staff": key("Staff", other.code),
        ])
    }
    for (index, slot) in place.session.slots.enumerated() {
      guard let slot else { continue }
      add(
        "TimetableAttendanceLog", slot.place,
        [
          "uuid": .text(RosterKeys.entry(names, candidate: slot.code)), "timetable": number,
          "student": key("Student", slot.code), "order": .number(place.round(ofSlot: index + 1)),
        ])
    }
  }
}

import Journal
import Sync

extension Hub {
  /// `POST /v1/session`: signs a person in on a device.
  func openSession(_ request: WireRequest) async throws -> WireResponse {
    try checkEntry(request)
    let caller = try caller(of: request)
    let asked = try SessionRequest.decode(request.body)
    let began = clock.now()
    let member = try await database.write(weight: 1) { connection in
      // Locked, so that of sign-ins at once each sees the one before.
      let log = try ExamLog(caller.exam, in: connection, at: began, forChange: true)
      _ = try Hub.authorised(caller, in: DeviceTable(connection: connection, exam: caller.exam), at: began)
      try AttemptTable(connection: connection, exam: caller.exam).begin(asked.username, at: began)
      return try ExamPeople(rows: ExamRows(log)).member(named: asked.username)
    }
    let isRight = await passcodes.isRight(asked.passcode, for: member)
    let now = clock.now()
    // What is refused is noted, so that the refusal is no failure of the change.
    let answer = try await database.write(weight: 1) { connection -> SessionAnswer? in
      try Hub.openSession(asked, caller, isRight ? member : nil, in: connection, at: now)
    }
    guard let answer else { throw HubError.role }
    return Hub.json(201, answer.encoded)
  }

  /// - Parameter member: who gave the right passcode; nil: it was wrong, or there is no such person.
  /// - Returns: nil where the person may not sign in.
  private static func openSession(
    _ asked: SessionRequest, _ caller: Caller, _ member: ExamPeople.Member?, in connection: any HubConnection,
    at now: Int64
  ) throws -> SessionAnswer? {
    let log = try ExamLog(caller.exam, in: connection, at: now, forChange: true)
    var device = try authorised(caller, in: DeviceTable(connection: connection, exam: caller.exam), at: now)
    guard let member else {
      try log.audit(.sessionFailure, by: device.id.description, "passcode")
      return nil
    }
    try AttemptTable(connection: connection, exam: caller.exam).forget(asked.username)
    let sessions = SessionTable(connection: connection, exam: caller.exam)
    if let timetable = asked.timetable {
      let mayAnywhere: Set<PersonRole> = [.lead, .office]
      guard
        try mayAnywhere.contains(member.role) || ExamPeople(rows: ExamRows(log)).belongs(member.id, to: timetable)
          || sessions.isOpen(on: device.id, as: [.lead], at: now)
      else {
        try log.audit(.sessionFailure, by: device.id.description, "staff \(member.id) station")
        return nil
      }
    }
    let token = SessionToken()
    try sessions.insert(token, device: device.id, staff: member.id, role: member.role, at: now)
    if let timetable = asked.timetable {
      let seat = try ExamPeople(rows: ExamRows(log)).seat(of: member.id, at: timetable)
      try DeviceScope(connection: connection, exam: caller.exam).grant(
        &device, ["station:\(timetable)", "station:\(timetable)/\(ScopeAtom.key(seat))"], session: token.hash,
        until: now + SessionAnswer.life, at: now)
    }
    try log.audit(.session, by: device.id.description, "staff \(member.id)")
    return SessionAnswer(
      session: token.text, staff: member.id, role: member.role.rawValue, expires: now + SessionAnswer.life,
      scope: device.scope)
  }

  /// `DELETE /v1/session`: signs the person out.
  func closeSession(_ request: WireRequest) async throws -> WireResponse {
    let caller = try caller(of: request)
    guard let session = caller.session else { throw HubError.session }
    let now = clock.now()
    try await database.write(weight: 1) { connection in
      _ = try ExamLog(caller.exam, in: connection, at: now, forChange: true)
      var device = try Hub.authorised(caller, in: DeviceTable(connection: connection, exam: caller.exam), at: now)
      try SessionTable(connection: connection, exam: caller.exam).end(session, at: now)
      try DeviceScope(connection: connection, exam: caller.exam).end(&device, session: session.hash, at: now)
    }
    return WireResponse(status: 204)
  }
}

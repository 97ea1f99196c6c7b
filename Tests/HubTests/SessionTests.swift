import Journal
import Sync
import Testing

@testable import Hub

@Suite("Signing in at a hub") struct SessionTests {
  @Test("gives whoever has the passcode a session on that device, until they sign out", arguments: Storage.installed)
  func signIn(on storage: Storage) async throws {
    let hub = try await TestHub(on: storage)
    try await hub.plan()
    let (a, b) = (try await hub.enrol(seed: 1), try await hub.enrol(seed: 2))
    let answer = try await a.signIn("adeyemi", "right")
    #expect(answer.staff == 1 && answer.role == "assessor" && answer.session.hasPrefix("os1."))
    #expect(answer.session.count == 4 + 43 && answer.scope.atoms == ["all"])
    #expect(answer.expires > TestHub.start + 12 * 3_600_000 - 1)
    #expect(try await a.signIn("lindqvist", "right").role == "timekeeper")
    #expect(await a.status(showing: answer.session) == 200)
    #expect(await b.status(showing: answer.session) == 401, "it is bound to the device")
    #expect(await a.status(showing: "os1.x") == 401)
    let kept = try await hub.rows("SELECT hash FROM session WHERE exam = ?").map { try $0.bytes(0) }
    #expect(kept.contains(StreamDigest.of(Base64URL.decode(String(answer.session.dropFirst(4))) ?? [])))
    let out = WireRequest(.delete, "/v1/session", token: a.token, session: answer.session)
    #expect(await hub.hub.answer(out).status == 204)
    #expect(await HubError(hub.hub.answer(out)) == .session)
    #expect(await a.status(showing: answer.session) == 401)
    #expect(await a.status(showing: nil) == 200, "without it the device goes on")
  }

  @Test("ends after twelve hours", arguments: Storage.installed) func expiry(on storage: Storage) async throws {
    let hub = try await TestHub(on: storage)
    try await hub.plan()
    let a = try await hub.enrol(seed: 1)
    let answer = try await a.signIn("adeyemi", "right")
    hub.advance(12 * 3_600_000 - 1)
    #expect(await a.status(showing: answer.session) == 200)
    hub.advance(1)
    #expect(await a.status(showing: answer.session) == 401)
  }

  @Test(
    "says the same to a wrong passcode, an unknown name, and whoever has no passcode or is not active, and notes it",
    arguments: Storage.installed) func refused(on storage: Storage) async throws
  {
    let hub = try await TestHub(on: storage)
    try await hub.plan()
    let a = try await hub.enrol(seed: 1)
    for (name, passcode) in [
      ("adeyemi", "wrong"), ("nobody", "x"), ("open", ""), ("gone", "right"), ("removed", "right"),
    ] {
      #expect(await a.refusal(of: name, passcode) == .role, "\(name)")
    }
    #expect(try await hub.rows("SELECT hash FROM session WHERE exam = ?").isEmpty)
    #expect(
      try await hub.rows("SELECT actor FROM audit WHERE exam = ? AND action = 'session failure'").map { try $0.text(0) }
        == Array(repeating: a.id.description, count: 5))
    #expect(await a.refusal(of: "adeyemi", "right", token: "ot1.x") == .token)
  }

  @Test(
    "makes guesses wait 1, 2, 4 seconds and so on to 300, whichever hub of the database is asked",
    arguments: Storage.installed) func guesses(on storage: Storage) async throws
  {
    let hub = try await TestHub(on: storage)
    try await hub.plan()
    let a = try await hub.enrol(seed: 1)
    for wait: Int64 in [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300] {
      #expect(await a.refusal(of: "adeyemi", "wrong") == .role)
      let response = await a.ask("adeyemi", "right")
      #expect(HubError(response) == .busy(after: min(wait, 60)) && response.retryAfter == wait)
      #expect(String(decoding: response.body, as: UTF8.self).contains("too many tries; again in \(wait) s"))
      hub.advance(wait * 1000 - 1)
      #expect(HubError(await a.ask("adeyemi", "right")) == .busy(after: 1))
      hub.advance(1)
    }
    let other = Hub(hub.database, version: "test", clock: hub.hub.clock)
    #expect(await a.refusal(of: "adeyemi", "wrong") == .role)
    #expect(HubError(await a.ask("adeyemi", "right", at: other)) == .busy(after: 60))
    #expect(try await a.signIn("lindqvist", "right").staff == 2, "nobody else waits")
    hub.advance(300_000)
    _ = try await a.signIn("adeyemi", "right")
    _ = try await a.signIn("adeyemi", "right")
  }

  @Test("counts enrolments and sign-ins of an address together") func rates() async throws {
    let hub = try await TestHub(on: .sqlite)
    try await hub.plan()
    let a = try await hub.enrol(seed: 1)
    hub.advance(60_000)
    for _ in 0..<5 { #expect(await a.ask("adeyemi", "right", from: "10.0.0.1").status == 201) }
    guard case .busy = HubError(await a.ask("adeyemi", "right", from: "10.0.0.1")) else {
      Issue.record("the sixth within a minute was taken")
      return
    }
  }

  @Test(
    "lets only those take a station who are planned there, cover it or mark there besides; under a lead's session all",
    arguments: Storage.installed) func stations(on storage: Storage) async throws
  {
    let hub = try await TestHub(on: storage)
    try await hub.plan()
    let a = try await hub.enrol(seed: 1)
    for name in ["adeyemi", "cover", "scheduled", "besides", "okafor"] {
      #expect(try await a.signIn(name, "right", timetable: 12).expires > 0, "\(name)")
    }
    let b = try await hub.enrol(seed: 2)
    #expect(await b.refusal(of: "lindqvist", "right", timetable: 12) == .role)
    #expect(await b.refusal(of: "adeyemi", "right", timetable: 13) == .role)
    _ = try await b.signIn("okafor", "right")
    #expect(try await b.signIn("adeyemi", "right", timetable: 13).staff == 1)
  }
}

extension TestDevice {
  /// Asks for a session; each time from another address, so that no test waits for a rate.
  func ask(
    _ username: String, _ passcode: String, timetable: Int64? = nil, from address: String? = nil, at other: Hub? = nil,
    token shown: String? = nil
  ) async -> WireResponse {
    let asked = SessionRequest(username: username, passcode: passcode, timetable: timetable)
    return await (other ?? hub.hub).answer(
      WireRequest(
        .post, "/v1/session", token: shown ?? token, address: address ?? "\(generator.next())", body: asked.encoded))
  }

  func signIn(_ username: String, _ passcode: String, timetable: Int64? = nil) async throws -> SessionAnswer {
    let response = await ask(username, passcode, timetable: timetable)
    guard response.status == 201 else { throw HubError(response) }
    return try SessionAnswer.decode(response.body)
  }

  func refusal(
    of username: String, _ passcode: String, timetable: Int64? = nil, token shown: String? = nil
  ) async -> HubError? {
    let response = await ask(username, passcode, timetable: timetable, token: shown)
    return response.status == 201 ? nil : HubError(response)
  }

  /// The status of a request that shows a session.
  func status(showing session: String?) async -> Int {
    await hub.hub.answer(WireRequest(.get, "/v1/hello", token: token, session: session)).status
  }
}

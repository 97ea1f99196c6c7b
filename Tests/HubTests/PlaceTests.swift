import ExamStore
import Journal
import Sync
import Testing

@testable import Hub

@Suite("Places at a hub") struct PlaceTests {
  @Test(
    "a code gives one device a place, once; the same device may ask again, and its first token ends",
    arguments: Storage.installed) func code(on storage: Storage)
    async throws
  {
    let hub = try await TestHub(on: storage)
    try await hub.hub.keep(code: "ONCE", for: .desk, in: hub.exam)
    let (a, b) = (TestDevice(seed: 1, hub: hub), TestDevice(seed: 2, hub: hub))
    try await a.enrol("ONCE")
    let first = a.token
    hub.advance(60_000)
    await #expect(throws: HubError.code) { try await b.enrol("ONCE") }
    await #expect(throws: HubError.code) { try await b.enrol("WRONG") }
    try await a.enrol("ONCE")
    #expect(a.token != first)
    let second = a.token
    a.token = first
    #expect(await a.refusal(a.request()) == .token)
    a.token = second
    #expect(try await a.sync().results.isEmpty)
    hub.advance(CodeTable.life)
    await #expect(throws: HubError.code) { try await a.enrol("ONCE") }
  }

  @Test("a code is taken as a person has it before them: with the pin or without, in groups, in lowercase")
  func writtenCode() async throws {
    let hub = try await TestHub(on: .sqlite)
    var random = SystemRandomNumberGenerator()
    let code = EnrolmentCode.make(pin: [UInt8](repeating: 7, count: 32), using: &random)
    let written = [
      code.code, code.description, code.description.lowercased(), String(code.description.prefix(14)),
      code.description.replacing("-", with: " ").replacing("0", with: "o").replacing("1", with: "l"),
    ]
    try await hub.hub.keep(code: code.code, for: .desk, in: hub.exam, uses: Int64(written.count))
    for (seed, text) in written.enumerated() {
      let device = TestDevice(seed: UInt64(seed) + 1, hub: hub)
      try await device.enrol(text)
      #expect(device.token != nil, "\(text)")
    }
    hub.advance(60_000)
    let late = TestDevice(seed: 9, hub: hub)
    await #expect(throws: HubError.code) { try await late.enrol(code.description) }
  }

  @Test("a revoked device is refused, and what is passed on of it waits for a person", arguments: Storage.installed)
  func revoked(on storage: Storage) async throws {
    let hub = try await TestHub(on: storage)
    let (a, b) = (try await hub.enrol(seed: 1), try await hub.enrol(seed: 2))
    try await hub.hub.revoke(a.id, in: hub.exam)
    let operation = a.make(Rows.item(1), ["rating": .integer(1)])
    #expect(await a.refusal(a.request([operation])) == .revoked)
    #expect(try await b.sync([operation], relay: true).said == ["quarantined:revoked"])
  }

  @Test(
    "what was passed on of a revoked device is decided again once it has a place again and brings it",
    arguments: Storage.installed) func revokedAndBack(on storage: Storage) async throws
  {
    let hub = try await TestHub(on: storage)
    let (a, b) = (try await hub.enrol(seed: 1), try await hub.enrol(seed: 2))
    try await hub.hub.revoke(a.id, in: hub.exam)
    let operation = a.make(Rows.item(1), ["rating": .integer(1)])
    #expect(try await b.sync([operation], relay: true).said == ["quarantined:revoked"])
    try await hub.hub.keep(code: "AGAIN", for: .station, in: hub.exam, scope: .whole)
    try await a.enrol("AGAIN")
    #expect(try await b.sync([operation], relay: true).said == ["duplicate of quarantined:revoked"])
    #expect(try await a.sync([operation]).said == ["duplicate of applied"])
    #expect(try await b.pullAll().contains { $0.short.hasPrefix("verdict applied") })
    #expect(try await hub.hub.examine(hub.exam) == [])
  }
}

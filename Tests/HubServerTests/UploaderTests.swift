import CircuitModel
import Console
import ExamStore
import Foundation
import HubTransport
import Journal
import StoreSync
import Sync
import SystemTesting
import Testing

@testable import Hub
@testable import OsceSync

@Suite("The uploader of a store") struct UploaderTests {
  /// A folder with hubs of one exam and a terminal's store.
  private struct Site: Sendable {
    let folder: String
    let exam = UUIDBytes(high: 0x0192_F0C0_0000_7000, low: 0x8000_0000_0000_E0A1)
    let store: ExamStore

    init() throws {
      folder = try ScratchFolder.make()
      store = try ExamStore(StoreLocation(path: folder + "/exam.sqlite"), .createIfMissing)
    }

    func remove() {
      store.close()
      try? FileManager.default.removeItem(atPath: folder)
    }

    func hub(_ name: String, isFilling: Bool = false) async throws -> Hub {
      let hub = Hub(try SQLiteDatabase(path: "\(folder)/\(name).sqlite"), version: "test")
      try await hub.makeExam(exam, named: "Year 3", device: .random(), isFilling: isFilling)
      return hub
    }

    func enrol(at url: String, of hub: Hub, isSameExam: Bool = false) async throws {
      let code = "CODE\(Int.random(in: 0..<1_000_000_000))"
      try await hub.keep(code: code, for: .station, in: exam)
      let transport = try LiveTransport(url: url, trust: .loopback)
      _ = try await StoreLink.enrol(store, at: url, code: code, pin: nil, isSameExam: isSameExam, over: transport)
      await transport.close()
    }

    func comment(_ key: String) throws {
      try store.write(Author(staff: 1)) { try $0.create("CommentMetaStation", key, ["text": .text("seen")]) }
    }

    func waiting() throws -> Int { try store.read { try Outbox.waiting($0) } }

    /// The uploader at work until the task is cancelled, or a process that started it has ended.
    func uploader(beside starter: pid_t? = nil) -> Task<Uploader.Ending, any Error> {
      Task { [store] in
        try await Uploader(store).run(beside: starter) { try? await Task.sleep(for: .seconds(600)) }
      }
    }

    func untilExchanged() async throws {
      for _ in 0..<2000 {
        if try waiting() == 0 { return }
        try await Task.sleep(for: .milliseconds(20))
      }
      Issue.record("changes still wait")
    }
  }

  /// What is done with a store that has its place at a hub.
  private func enrolled(_ body: @escaping @Sendable (Site, Hub) async throws -> Void) async throws {
    let site = try Site()
    defer { site.remove() }
    let hub = try await site.hub("hub")
    try await serving(hub, isPlain: true) { url, _ in
      try await site.enrol(at: url, of: hub)
      try await body(site, hub)
    }
  }

  @Test("begins anew where the store takes a place at another hub, which then gets what the store has")
  func otherPlace() async throws {
    let site = try Site()
    defer { site.remove() }
    let (lost, new) = (try await site.hub("lost"), try await site.hub("new", isFilling: true))
    try site.comment("a")
    try await serving(lost, isPlain: true) { url, _ in
      try await site.enrol(at: url, of: lost)
      let uploader = site.uploader()
      try await site.untilExchanged()
      try site.comment("b")
      try await serving(new, isPlain: true) { url, _ in
        try await site.enrol(at: url, of: new, isSameExam: true)
        #expect(try await uploader.value == .otherPlace)
        let again = site.uploader()
        try await site.untilExchanged()
        again.cancel()
        #expect(try await again.value == .asked)
      }
    }
    let counts = try await new.database.read { try $0.row("SELECT count(*) FROM op")?.integer(0) }
    #expect(try Int(counts ?? 0) >= site.store.ownChain().count)
  }

  @Test("ends after sending everything where the terminal that started it had closed before it began")
  func starterGone() async throws {
    try await enrolled { site, _ in
      try site.comment("a")
      // No process is its own parent.
      let ending = try await site.uploader(beside: getpid()).value
      #expect(try ending == .asked && site.waiting() == 0)
    }
  }

  @Test("is asked by a command for an exchange while it has the turn, and the command hears how it went")
  func asked() async throws {
    try await enrolled { site, hub in
      let turn = try #require(try UploaderTurn(of: site.store.location))
      #expect(try UploaderTurn(of: site.store.location) == nil)
      let uploader = site.uploader()
      for key in ["a", "b"] {
        try site.comment(key)
        let said = try await Uploader.exchangeNow(site.store)
        #expect(said.isExchanged && said.trouble == nil)
        #expect(try site.waiting() == 0)
      }
      try await hub.revoke(site.store.device, in: site.exam)
      try site.comment("c")
      let refused = try await Uploader.exchangeNow(site.store)
      #expect(!refused.isExchanged && refused.trouble != nil)
      uploader.cancel()
      _ = try await uploader.value
      withExtendedLifetime(turn) {}
    }
  }

  @Test("begins with a code that fits the hub's key, and says which part of it to check where it does not")
  func mistyped() async throws {
    let site = try Site()
    defer { site.remove() }
    let hub = try await site.hub("hub")
    try await serving(hub) { url, key in
      var random = SystemRandomNumberGenerator()
      let code = EnrolmentCode.make(pin: try #require(key?.pin).map { ~$0 }, using: &random)
      let store = site.folder + "/new.sqlite"
      let command = try EnrolCommand.parse([url, "\(code)", "--store", store])
      let fault = await #expect(throws: CommandFailure.self) { try await command.run() }
      #expect(fault?.description.contains("check its last three groups and the address; nothing was sent") == true)
    }
  }

  @Test("is not needed for a command where no other process has the turn") func alone() async throws {
    try await enrolled { site, _ in
      try site.comment("a")
      #expect(try await Uploader.exchangeNow(site.store).isExchanged)
      #expect(try site.waiting() == 0)
    }
  }
}

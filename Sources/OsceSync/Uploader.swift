@preconcurrency import Dispatch
import ExamStore
import Glibc
import HubTransport
import StoreSync
import Sync

/// Exchanges a store with its hub, and tells the store what it does.
struct Uploader {
  private let store: ExamStore
  private let transport: LiveTransport
  private let client: SyncClient
  /// The clock's own connection: nothing that is long on its way stands before a question for the time.
  private let clockTransport: LiveTransport
  /// Who sits at the store's terminals.
  private let people: PeopleSessions

  /// How often the store is looked at for what was written, in milliseconds.
  private static let lookEvery = 20
  /// How often it is looked who sits down, in milliseconds.
  private static let peopleEvery = 200

  init(_ store: ExamStore) throws {
    self.store = store
    transport = try Self.transport(of: store)
    clockTransport = try Self.transport(of: store)
    people = PeopleSessions(store, over: transport)
    client = Self.client(store, people)
  }

  /// Exchanges a store with its hub now, and takes the hub's time.
  /// - Returns: whether everything was exchanged, and what is wrong; nil: nothing is.
  static func runOnce(_ store: ExamStore) async throws -> (isExchanged: Bool, trouble: SyncTrouble?) {
    let transport = try transport(of: store)
    let client = client(store, transport)
    let isExchanged = await client.runOnce()
    let trouble = await client.trouble
    if trouble == nil { await ClockFollower(store, over: transport).runOnce() }
    await transport.close()
    return (isExchanged, trouble)
  }

  private static func client(_ store: ExamStore, _ transport: some Transport) -> SyncClient {
    SyncClient(
      store: EnrolledStore(store), transport: transport, clock: MachineClock(), random: SystemRandomNumberGenerator())
  }

  private static func transport(of store: ExamStore) throws -> LiveTransport {
    guard let credential = try HubCredential.read(of: store.location) else {
      try EnrolledStore.noteMissingPlace(of: store)
      throw StoreError("this store has no place at a hub; take one with: osce enrol URL CODE")
    }
    return try LiveTransport(url: credential.url, trust: credential.pin.map { .pin($0) } ?? .loopback)
  }

  /// Runs until the process is asked to end.
  /// - Parameter besideParent: whether it also ends once the process that started it is gone and nothing waits.
  func run(besideParent: Bool) async throws {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await client.run() }
      group.addTask { await followStore() }
      group.addTask { await followPeople() }
      group.addTask { await DeviceFollower(store, over: transport).run() }
      group.addTask { await watch() }
      group.addTask {
        await ClockFollower(store, over: clockTransport).run {
          await client.note(clock: $0)
        } hear: {
          await client.noteAnswer()
        }
      }
      group.addTask { await Self.end() }
      if besideParent { group.addTask { await outliveParent() } }
      // The first to end is the one that waits for the signal.
      await group.next()
      group.cancelAll()
    }
    await people.end()
    await transport.close()
    await clockTransport.close()
  }

  /// Signs in and out who sits at the store's terminals. Without its pipe everything else goes on.
  private func followPeople() async {
    let inbox = try? PeopleInbox(of: store.location)
    while !Task.isCancelled {
      guard let inbox else {
        // To end would end the others.
        try? await Task.sleep(for: .seconds(60))
        continue
      }
      let words = inbox.take()
      if await people.take(words.people) || words.asksForExchange { await client.retry() }
      try? await Task.sleep(for: .milliseconds(Self.peopleEvery))
    }
  }

  /// Tells the client what is written to the store, by whatever process.
  private func followStore() async {
    var seen = -1
    while !Task.isCancelled {
      if let version = try? store.dataVersion(), version != seen {
        seen = version
        if (try? store.exchangeStanding()?.waiting) ?? 0 > 0 { await client.noteCommit() }
      }
      try? await Task.sleep(for: .milliseconds(Self.lookEvery))
    }
  }

  private func watch() async {
    while !Task.isCancelled {
      try? await Task.sleep(for: .seconds(5))
      await client.watch()
    }
  }

  // MARK: The end

  /// Waits until the process that started this one is gone and everything is sent.
  private func outliveParent() async {
    let parent = getppid()
    while !Task.isCancelled {
      try? await Task.sleep(for: .seconds(1))
      if getppid() != parent, (try? store.exchangeStanding()?.waiting) ?? 0 == 0 { return }
    }
  }

  /// Waits for SIGTERM, SIGINT or SIGHUP.
  private static func end() async {
    for number in [SIGTERM, SIGINT, SIGHUP] { signal(number, SIG_IGN) }
    let signals = AsyncStream<Void> { continuation in
      let sources = [SIGTERM, SIGINT, SIGHUP].map { DispatchSource.makeSignalSource(signal: $0, queue: .global()) }
      for source in sources {
        source.setEventHandler { continuation.yield() }
        source.resume()
      }
      continuation.onTermination = { _ in for source in sources { source.cancel() } }
    }
    for await _ in signals { return }
  }
}

import ExamStore
import Glibc
import HubTransport
import StoreSync
import Sync
import Timer

/// Exchanges a store with its hub, and tells the store what it does.
struct Uploader {
  private let store: ExamStore
  /// The place at a hub by which it works.
  private let place: HubCredential
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
  /// How often it is looked whether the store has another place at a hub, in milliseconds.
  private static let placeEvery = 1000

  init(_ store: ExamStore) throws {
    self.store = store
    place = try Self.place(of: store)
    transport = try Self.transport(to: place)
    clockTransport = try Self.transport(to: place)
    people = PeopleSessions(store, over: transport)
    client = Self.client(store, people)
  }

  /// Exchanges a store with its hub now: here, or by the process that does so already, as one device asks the hub from
  /// one place at a time.
  /// - Parameter waitsForNewPlace: whether that process may still work by the store's former place.
  /// - Returns: whether everything was exchanged, and what is wrong; nil: nothing is, or it is still under way.
  static func exchangeNow(
    _ store: ExamStore, waitsForNewPlace: Bool = false
  ) async throws -> (isExchanged: Bool, trouble: String?) {
    let began = ContinuousClock.now
    var asked: Instant?
    while began.duration(to: .now) < Self.patience {
      if let turn = try UploaderTurn(of: store.location) {
        defer { withExtendedLifetime(turn) {} }
        let (isExchanged, trouble) = try await runOnce(store)
        return (isExchanged, trouble?.text)
      }
      let isDue = asked.map { waitsForNewPlace && store.clock.now - $0 > 1000 } ?? true
      if isDue, UploaderPipe.askToExchange(store.location) { asked = store.clock.now }
      try await Task.sleep(for: .milliseconds(50))
      _ = try store.dataVersion()
      guard let asked, let state = try store.read({ try SyncState.read($0) }), state.attemptAt ?? asked - 1 >= asked
      else { continue }
      if state.trouble == nil, state.state == .wait { return (true, nil) }
      let isOfFormerPlace = waitsForNewPlace && began.duration(to: .now) < Self.takenOver
      if let trouble = state.trouble, !isOfFormerPlace { return (false, trouble) }
    }
    return (false, nil)
  }

  /// For how long another process's exchange is waited for.
  private static let patience = Duration.seconds(30)
  /// After how long it has begun at a new place and tried.
  private static let takenOver = Duration.seconds(5)

  /// - Returns: whether everything was exchanged, and what is wrong; nil: nothing is.
  private static func runOnce(_ store: ExamStore) async throws -> (isExchanged: Bool, trouble: SyncTrouble?) {
    let transport = try transport(to: place(of: store))
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

  private static func place(of store: ExamStore) throws -> HubCredential {
    if let credential = try HubCredential.read(of: store.location) { return credential }
    try EnrolledStore.noteMissingPlace(of: store)
    throw StoreError("this store has no place at a hub; take one with: osce enrol URL CODE")
  }

  private static func transport(to place: HubCredential) throws -> LiveTransport {
    try LiveTransport(url: place.url, trust: place.pin.map { .pin($0) } ?? .loopback)
  }

  /// Why it has ended.
  enum Ending {
    /// The process is to end.
    case asked
    /// The store has another place at a hub, or another token: whatever was begun is of the former.
    case otherPlace
  }

  /// Runs until it is asked to end, or the store has another place.
  /// - Parameters:
  ///   - starter: the process that started this one: it also ends once that is gone and nothing waits; nil: only when it
  ///     is asked.
  ///   - isAsked: returns when it is to end.
  func run(
    beside starter: pid_t?, until isAsked: @escaping @Sendable () async -> Void
  ) async -> Ending {
    let ending = await withTaskGroup(of: Ending.self) { group in
      group.addTask {
        await exchange(beside: starter, until: isAsked)
        return .asked
      }
      group.addTask {
        await followPlace()
        return Task.isCancelled ? .asked : .otherPlace
      }
      let ending = await group.next() ?? .asked
      group.cancelAll()
      return ending
    }
    await people.end()
    await transport.close()
    await clockTransport.close()
    return ending
  }

  private func exchange(beside starter: pid_t?, until isAsked: @escaping @Sendable () async -> Void) async {
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
      group.addTask { await isAsked() }
      if let starter { group.addTask { await outlive(starter) } }
      // The first to end is the one that waits for the signal.
      await group.next()
      group.cancelAll()
    }
  }

  /// Waits until what lies beside the store names another hub, or another token.
  private func followPlace() async {
    while !Task.isCancelled {
      try? await Task.sleep(for: .milliseconds(Self.placeEvery))
      if let found = try? HubCredential.read(of: store.location), found != place { return }
    }
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
      let messages = inbox.take()
      if await people.take(messages.people) || messages.asksForExchange { await client.retry() }
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

  /// Waits until the process that started this one is gone and everything is sent, or nobody can have the store any more.
  private func outlive(_ starter: pid_t) async {
    while !Task.isCancelled {
      try? await Task.sleep(for: .seconds(1))
      guard getppid() != starter else { continue }
      let isDeleted = access(store.location.path, F_OK) != 0 && errno == ENOENT
      if (try? store.exchangeStanding()?.waiting) ?? 0 == 0 || isDeleted { return }
    }
  }
}

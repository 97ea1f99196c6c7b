import ExamStore
import Journal
import Sync

/// Signs in at the hub who sits at the terminals of a store, and out again: the hub then gives the device what belongs to
/// where they sit, and lets count what the device alone may not do. Sessions and passcodes are in this process's memory only.
///
/// It carries the store's requests: who sat down while the hub was away is signed in before what they did goes there.
public actor PeopleSessions: Transport {
  private let store: EnrolledStore
  private let transport: any Transport
  private let clock: any SteadyClock
  private var sessions: [UUIDBytes: Session] = [:]

  private struct Session {
    var person: PersonAtTerminal
    /// When it was said last that they sit there, by the steady clock.
    var heard: Int64
    var standing = Standing.asked

    enum Standing: Equatable {
      case asked
      /// The hub is being asked.
      case asking
      /// Not before that time.
      case waiting(until: Int64)
      case open(token: String, until: Int64)
    }
  }

  /// For how long nothing is heard of a terminal before its person is signed out, in milliseconds.
  public static let silence: Int64 = 6 * PersonAtTerminal.interval

  /// Nobody is signed in yet.
  public init(_ store: ExamStore, over transport: any Transport, clock: any SteadyClock = MachineClock()) {
    self.store = EnrolledStore(store)
    self.transport = transport
    self.clock = clock
  }

  /// Takes what terminals said, and signs out whose terminal has fallen silent.
  /// - Returns: whether the hub gives the device something else now.
  public func take(_ people: [PersonAtTerminal]) async -> Bool {
    var isChanged = false
    // What was said together was heard together, however long the hub takes over each of it.
    let now = clock.now()
    for person in people { sessions[person.sitting]?.heard = now }
    for (sitting, session) in sessions where now - session.heard > Self.silence {
      if await end(sitting) { isChanged = true }
    }
    for person in people { if await take(person, heard: now) { isChanged = true } }
    return isChanged
  }

  /// Signs everybody out.
  public func end() async {
    for sitting in sessions.keys { _ = await end(sitting) }
  }

  /// Sends a request of the store.
  public func send(_ request: WireRequest, wait: Int64) async throws(TransportFailure) -> WireResponse {
    if request.route == .sync {
      // Looked at again at each turn: while one is signed in, another may be.
      for sitting in Array(sessions.keys) where sessions[sitting]?.standing == .asked { await tryAgain(sitting) }
    }
    return try await transport.send(request, wait: wait)
  }

  private func take(_ person: PersonAtTerminal, heard: Int64) async -> Bool {
    if person.hasGone { return await end(person.sitting) }
    var isChanged = false
    if let known = sessions[person.sitting], known.person != person { isChanged = await end(person.sitting) }
    let now = clock.now()
    var session = sessions[person.sitting] ?? Session(person: person, heard: heard)
    session.heard = max(session.heard, heard)
    sessions[person.sitting] = session
    switch session.standing {
    case .waiting(let until) where until > now: return isChanged
    case .open(_, let until) where until > now: return isChanged
    case .asking: return isChanged
    case .asked, .waiting, .open: break
    }
    return await tryAgain(person.sitting) || isChanged
  }

  /// - Returns: whether the hub let the person in.
  @discardableResult private func tryAgain(_ sitting: UUIDBytes) async -> Bool {
    // One question at a time: of two sessions one would be forgotten, and stay open.
    guard let person = sessions[sitting]?.person, sessions[sitting]?.standing != .asking else { return false }
    sessions[sitting]?.standing = .asking
    let standing = await open(person, at: clock.now()) ?? .asked
    // Who has gone by now is signed out at once.
    guard sessions[sitting]?.person == person else {
      if case .open(let token, _) = standing { await close(token) }
      return false
    }
    sessions[sitting]?.standing = standing
    if case .open = standing { return true }
    return false
  }

  /// - Returns: nil where the hub cannot be asked now: the terminal will say it again.
  private func open(_ person: PersonAtTerminal, at now: Int64) async -> Session.Standing? {
    guard let token = try? store.standing()?.token else { return nil }
    let asked = SessionRequest(username: person.username, passcode: person.passcode, timetable: person.timetable)
    do {
      let response = try await transport.send(
        WireRequest(.post, .session, token: token, body: asked.encoded), wait: 0)
      let answer = try SessionAnswer.decode(response.body(expecting: 201))
      return .open(token: answer.session, until: now + Self.life)
    } catch HubError.role {
      // Who covers a station may do so only once the hub knows of it.
      return .waiting(until: now + Self.refusedPause)
    } catch HubError.busy(let seconds) {
      return .waiting(until: now + seconds * 1000)
    } catch { return nil }
  }

  /// How long after a refusal the hub is asked again, in milliseconds.
  private static let refusedPause: Int64 = 30_000

  /// An hour shorter than the hub's: the next one is opened before the hub ends this one.
  private static let life = SessionAnswer.life - 3_600_000

  private func end(_ sitting: UUIDBytes) async -> Bool {
    guard let session = sessions.removeValue(forKey: sitting), case .open(let token, _) = session.standing else {
      return false
    }
    await close(token)
    return true
  }

  private func close(_ session: String) async {
    guard let token = try? store.standing()?.token else { return }
    // A session that cannot be ended now ends by itself.
    _ = try? await transport.send(WireRequest(.delete, .session, token: token, session: session), wait: 0)
  }
}

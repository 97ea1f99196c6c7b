import ExamStore
import Journal
import Sync

/// A hub: answers requests about many exams from one database. It holds nothing that the database does not have but
/// who waits for news, and how often each has asked.
public final class Hub: Answering {
  let database: any HubDatabase
  let clock: HubTimeSource
  /// This program's version, as answers say it.
  let version: String
  let bell = Bell()
  let passcodes = PasscodeLook()
  private let rates = Rates()
  private let limitsRates: Bool
  private let requiresStandby: Bool
  private let metricsToken: String?
  let counters = Counters()
  private let whenFailing: @Sendable (String?) -> Void

  /// A hub over a database.
  /// - Parameters:
  ///   - clock: nil: the database's.
  ///   - limitsRates: whether who asks too often is put off; false for a command that asks in its own process.
  ///   - requiresStandby: whether it says that it is not ready while no second machine has what it takes.
  ///   - whenFailing: told why requests fail when they begin to or another reason comes, and nil once one succeeds again.
  ///   - metricsToken: what another machine shows to be given the figures; nil: this machine alone is given them.
  public init(
    _ database: any HubDatabase, version: String, clock: HubTimeSource? = nil, limitsRates: Bool = true,
    requiresStandby: Bool = false, metricsToken: String? = nil,
    whenFailing: @escaping @Sendable (_ why: String?) -> Void = { _ in }
  ) {
    self.whenFailing = whenFailing
    self.metricsToken = metricsToken
    self.requiresStandby = requiresStandby
    self.limitsRates = limitsRates
    self.database = database
    self.version = version
    self.clock = clock ?? database.clock
  }

  /// Ends what waits for news, so that the hub can stop.
  public func stop() { bell.stop() }

  /// Hears what other hubs of the database announce, and looks every so often whether others have written to the logs
  /// for which somebody waits here: a command, or a hub whose announcement was lost. Runs until it is cancelled.
  public func watch(every interval: Duration = .seconds(1)) async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { [database, bell] in await database.listen { exam, head in bell.ring(exam, head: head) } }
      group.addTask { await self.look(every: interval) }
    }
  }

  private func look(every interval: Duration) async {
    while !Task.isCancelled {
      try? await Task.sleep(for: interval)
      let exams = bell.exams
      if exams.isEmpty { continue }
      let heads = try? await database.read { connection in
        try exams.compactMap { exam, after in
          try ExamLog.lastOfNote(after: after, in: exam, connection).map { (exam: exam, head: $0) }
        }
      }
      for (exam, head) in heads ?? [] { bell.ring(exam, head: head) }
    }
  }

  /// Wakes who waits for an exam's log, here and at the other hubs of the database.
  func ring(_ exam: UUIDBytes, head: Int64) {
    bell.ring(exam, head: head)
    database.announce(exam, head: head)
  }

  // MARK: Answering

  /// The answer to a request; what goes wrong is an answer too.
  public func answer(_ request: WireRequest) async -> WireResponse {
    var response: WireResponse
    let token = limitsRates ? request.token.flatMap { DeviceToken($0) }.map(\.rateName) : nil
    do {
      if let token {
        guard rates.begin(token) else { throw HubError.busy(after: 1) }
        defer { rates.end(token) }
        response = try await route(request)
        if request.route?.isOfDevice == true {
          rates.prove(token: token, at: clock.steady())
          if counters.noteSuccess() { whenFailing(nil) }
        }
      } else {
        response = try await route(request)
      }
    } catch let error as HubError {
      response = error.response
      if error == .method { response.allow = request.route?.allowed }
    } catch let fault as WireFault {
      response = HubError(fault).response
    } catch let failure as any StorageFailure {
      noteFailure(failure)
      response = failure.answer.response
    } catch {
      noteFailure(error)
      response = HubError.unavailable.response
    }
    counters.note(request.path, response.status)
    return response
  }

  private func noteFailure(_ error: any Error) {
    if counters.noteFailure("\(error)") { whenFailing("\(error)") }
  }

  /// The answer to a request that could not be read whole.
  public func refuse(_ path: String, _ error: HubError) -> WireResponse {
    counters.note(path, error.status)
    return error.response
  }

  private func route(_ request: WireRequest) async throws -> WireResponse {
    guard let route = request.route else { throw HubError.notFound }
    // Asked for its head alone, an answer is the same; who carries it leaves the body away.
    let method = request.method == .head ? .get : request.method
    guard route.methods.contains(method) else { throw HubError.method }
    if route.isOfProtocol {
      // Who does not say so speaks the first.
      guard SyncProtocol.versions.contains(request.version ?? 1) else {
        throw HubError.version(SyncProtocol.versions)
      }
    }
    switch route {
    case .health: return WireResponse(status: 200, content: .text, body: Array("ok\n".utf8))
    case .ready: return await readiness()
    case .metrics:
      // For whatever watches the hub on its own machine, or shows the token for it; to others there is no such address.
      guard Loopback.contains(request.address) || isOfMetrics(request.token) else { throw HubError.notFound }
      return WireResponse(status: 200, content: .text, body: Array(counters.text(waiting: bell.count).utf8))
    case .time: return time()
    case .hello: return try await hello(request)
    case .enrol: return try await enrol(request)
    case .session:
      return try await request.method == .delete ? closeSession(request) : openSession(request)
    case .device: return try await continueDevice(request)
    case .sync: return try await sync(request)
    case .wait: return try await wait(request)
    case .snapshot: return try await snapshot(request)
    case .devices: return try await listDevices(request)
    }
  }

  private func isOfMetrics(_ token: String?) -> Bool {
    guard let metricsToken, let token else { return false }
    return Secret.isSame(StreamDigest.of(Array(token.utf8)), StreamDigest.of(Array(metricsToken.utf8)))
  }

  static func json(_ status: Int, _ body: [UInt8]) -> WireResponse {
    WireResponse(status: status, content: .json, body: body)
  }

  private func time() -> WireResponse {
    let received = clock.now()
    return Self.json(200, TimeAnswer(received: received, sent: clock.now()).encoded)
  }

  private func readiness() async -> WireResponse {
    // Where a change waits for a standby, this one has been there when it returns.
    let probe = try? await database.write(weight: 0) { connection in
      let isStoring = try connection.run("UPDATE hub SET version = version WHERE one = 1", []) == 1
      return (isStoring: isStoring, isSafe: try connection.waitsForStandby)
    }
    let isStoring = probe?.isStoring ?? false
    let isSafe = !requiresStandby || (probe?.isSafe ?? false)
    let hasRoom = database.freeShare.map { $0 > Self.leastFree } ?? true
    var out = WireWriter()
    out.add("store", isStoring)
    out.add("disk", hasRoom)
    out.add("standby", isSafe)
    return Self.json(isStoring && hasRoom && isSafe ? 200 : 503, out.document)
  }

  /// A disk with less than this share of it free is full before anybody has looked.
  private static let leastFree = 0.05

  // MARK: Who asks

  /// Counts an enrolment or a sign-in of an address.
  /// - Throws: `HubError.busy` where there were too many.
  func checkEntry(_ request: WireRequest) throws {
    if limitsRates, let seconds = rates.take("entry \(request.address)", .entry, at: clock.steady()) {
      throw HubError.busy(after: seconds)
    }
  }

  /// Who sends a request.
  /// - Throws: `HubError.token` where there is no token; `session` where what is shown as one is none; `busy` where the
  ///   device asks too often.
  func caller(of request: WireRequest) throws -> Caller {
    guard let token = request.token.flatMap({ DeviceToken($0) }) else { throw HubError.token }
    if limitsRates,
      let seconds = rates.take(token: token.rateName, from: request.address, at: clock.steady())
    {
      throw HubError.busy(after: seconds)
    }
    guard let shown = request.session else { return Caller(token: token, session: nil) }
    guard let session = SessionToken(shown) else { throw HubError.session }
    return Caller(token: token, session: session)
  }

  /// Who sends a request whose body is long: a stranger's is not read before the token is known to be right.
  /// - Throws: as `caller(of:)` and `authorised` do.
  func provenCaller(of request: WireRequest) async throws -> Caller {
    let caller = try caller(of: request)
    if !limitsRates || rates.isProven(caller.token.rateName) { return caller }
    try await database.read { [clock] connection in
      _ = try Hub.authorised(caller, in: DeviceTable(connection: connection, exam: caller.exam), at: clock.now())
    }
    return caller
  }
}

extension DeviceToken {
  /// Under what its requests are counted.
  fileprivate var rateName: String { "device \(name)" }
}

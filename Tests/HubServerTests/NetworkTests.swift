import Foundation
import Journal
import Logging
import NIOCore
import NIOEmbedded
import ServiceLifecycle
import Sync
import Synchronization
import SystemTesting
import Testing

@testable import HubServer
@testable import HubTransport

/// Answers with what was asked.
private final class Echo: Answering {
  private let seen = Mutex<[WireRequest]>([])
  private let (errors, sink) = AsyncStream<HubError>.makeStream()
  private let response: @Sendable (WireRequest) async -> WireResponse

  init(_ response: @escaping @Sendable (WireRequest) async -> WireResponse) { self.response = response }

  var requests: [WireRequest] { seen.withLock { $0 } }

  func answer(_ request: WireRequest) async -> WireResponse {
    seen.withLock { $0.append(request) }
    return await response(request)
  }

  func refuse(_ path: String, _ error: HubError) -> WireResponse {
    sink.yield(error)
    return error.response
  }

  /// The next error of a request that could not be read whole.
  func refused() async -> HubError? {
    for await error in errors { return error }
    return nil
  }
}

/// A server on a free port, while `body` runs: both before any other test, for they have a time in which to answer.
func serving(
  _ answering: any Answering, isPlain: Bool = false, port: Int = 0, patience: Int = 30,
  headPatience: Int = Server.headPatience,
  _ body: @escaping @Sendable (_ url: String, _ key: ServerKey?) async throws -> Void
) async throws {
  let folder = try ScratchFolder.make()
  defer { try? FileManager.default.removeItem(atPath: folder) }
  let key = isPlain ? nil : try ServerKey(folder: folder)
  let (ports, sink) = AsyncStream<Int>.makeStream()
  var logger = Logger(label: "test")
  logger.logLevel = .critical
  let server = try Server(
    answering, at: .init(host: "127.0.0.1", port: port), key: key, logger: logger, patience: patience,
    headPatience: headPatience, whenListening: { sink.yield($0) })
  let running = Task(priority: .high) {
    // A server that cannot listen ends, and nobody waits for its port.
    defer { sink.finish() }
    try await server.run()
  }
  var iterator = ports.makeAsyncIterator()
  guard let bound = await iterator.next() else {
    try await running.value
    throw CancellationError()
  }
  let result = await Task(priority: .high) { try await body("\(isPlain ? "http" : "https")://127.0.0.1:\(bound)", key) }
    .result
  running.cancel()
  _ = await running.result
  try result.get()
}

extension LiveTransport.Patience {
  /// What is looked at here is not how long it takes.
  fileprivate static let endless = Self(firstByte: 600, whole: 600, grace: 600)
}

@Suite("The way between terminal and hub") struct NetworkTests {
  @Test("carries a request and its answer whole, encrypted or on this machine alone", arguments: [false, true])
  func whole(_ isPlain: Bool) async throws {
    let long = [UInt8](String(repeating: "{\"a\":\"ß\"}", count: 1000).utf8)
    let echo = Echo { _ in WireResponse(status: 429, content: .json, retryAfter: 7, body: long) }
    try await serving(echo, isPlain: isPlain) { url, key in
      let transport = try LiveTransport(url: url, trust: key.map { .pin($0.pin) } ?? .loopback, patience: .endless)
      let id = UUIDBytes.random()
      let response = try await transport.send(
        WireRequest(
          .post, "/v1/sync", query: ["cursor": "a:1"], token: "ot1.x", session: "os1.y", id: id, note: "3", body: long),
        wait: 0)
      #expect(response.status == 429 && response.retryAfter == 7 && response.content == .json && response.body == long)
      let request = try #require(echo.requests.last)
      #expect(request.method == .post && request.path == "/v1/sync" && request.query == ["cursor": "a:1"])
      #expect(request.token == "ot1.x" && request.session == "os1.y" && request.version == 1 && request.id == id)
      #expect(request.note == "3" && request.address == "127.0.0.1" && request.body == long)
      await transport.close()
    }
  }

  @Test("ends at once, also while the hub holds an answer back") func closing() async throws {
    let (asked, sink) = AsyncStream<Void>.makeStream()
    let echo = Echo { _ in
      sink.yield()
      try? await Task.sleep(for: .seconds(600))
      return WireResponse(status: 204)
    }
    try await serving(echo) { url, key in
      let transport = try LiveTransport(url: url, trust: .pin(try #require(key?.pin)), patience: .endless)
      let waiting = Task { try? await transport.send(WireRequest(.get, "/v1/wait"), wait: 60) }
      for await _ in asked { break }
      let begin = ContinuousClock.now
      waiting.cancel()
      _ = await waiting.value
      await transport.close()
      // TLS itself would wait for 5 s.
      #expect(begin.duration(to: .now) < .seconds(4))
    }
  }

  @Test("leads to nobody but the hub whose key is known, and nothing is sent to anybody else") func otherKey()
    async throws
  {
    let echo = Echo { _ in WireResponse(status: 200) }
    try await serving(echo) { url, key in
      let pin = try #require(key?.pin)
      var random = SystemRandomNumberGenerator()
      let code = EnrolmentCode.make(pin: pin, using: &random)
      let other = EnrolmentCode.make(pin: pin.map { ~$0 }, using: &random)
      let known = try LiveTransport(url: url, trust: .code(code), patience: .endless)
      _ = try await known.send(WireRequest(.get, "/v1/hello"), wait: 0)
      #expect(known.pin == pin)
      for trust in [LiveTransport.Trust.pin(pin.map { ~$0 }), .code(other)] {
        let transport = try LiveTransport(url: url, trust: trust, patience: .endless)
        await #expect(throws: TransportFailure.otherKey) {
          try await transport.send(WireRequest(.get, "/v1/hello", token: "secret"), wait: 0)
        }
      }
      #expect(echo.requests.count == 1)
    }
  }

  @Test("says that the key is another one when a hub was replaced while it was connected") func replaced() async throws
  {
    // Whoever else needs a port may be given that of the first hub before the second has it.
    for _ in 0..<20 {
      do { return try await replaceOnce() } catch Server.Fault.occupied {}
    }
    Issue.record("no port stayed free")
  }

  private func replaceOnce() async throws {
    let echo = Echo { _ in WireResponse(status: 200) }
    let kept = Mutex<(url: String, transport: LiveTransport)?>(nil)
    try await serving(echo) { url, key in
      let transport = try LiveTransport(url: url, trust: .pin(try #require(key?.pin)), patience: .endless)
      _ = try await transport.send(WireRequest(.get, "/v1/hello"), wait: 0)
      kept.withLock { $0 = (url, transport) }
    }
    let (url, transport) = try #require(kept.withLock { $0 })
    let port = try #require(url.split(separator: ":").last.flatMap { Int($0) })
    try await serving(echo, port: port) { _, _ in
      var failures: [TransportFailure] = []
      for _ in 0..<3 {
        do throws(TransportFailure) {
          _ = try await transport.send(WireRequest(.get, "/v1/hello", token: "secret"), wait: 0)
        } catch { failures.append(error) }
      }
      #expect(failures.count == 3 && failures.last == .otherKey, "\(failures)")
    }
    #expect(echo.requests.count == 1)
    await transport.close()
  }

  @Test("leads to a key that a hub has: where none is to be made, none is") func missingKey() throws {
    let folder = try ScratchFolder.make()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let missing = #expect(throws: ServerKey.Missing.self) { try ServerKey(folder: folder, makesKey: false) }
    #expect(missing?.description == "no hub-key.pem in \(folder): copy it from the hub")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
    #expect(try ServerKey(folder: folder).pin == ServerKey(folder: folder, makesKey: false).pin)
  }

  @Test("leads to no other key where the file of the hub's is broken: it is named") func brokenKey() throws {
    let folder = try ScratchFolder.make()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let whole = try ServerKey(folder: folder).key
    try String(whole.dropLast(60)).write(toFile: folder + "/hub-key.pem", atomically: true, encoding: .utf8)
    let unreadable = #expect(throws: ServerKey.Unreadable.self) { try ServerKey(folder: folder) }
    #expect(unreadable?.description.hasPrefix("\(folder)/hub-key.pem holds no key: ") == true)
  }

  @Test("a server whose port another has ends at once") func takenPort() async throws {
    let echo = Echo { _ in WireResponse(status: 200) }
    try await serving(echo) { url, _ in
      let port = try #require(url.split(separator: ":").last.flatMap { Int($0) })
      let fault = await #expect(throws: Server.Fault.self) { try await serving(echo, port: port) { _, _ in } }
      #expect(fault?.description.contains("already in use") == true)
    }
  }

  /// What a server says to bytes that no client of this program sends: asked on a thread of its own, for it waits.
  private static func answer(to request: String, at url: String) async throws -> String {
    try await timedAnswer(to: request, at: url).text
  }

  /// The time is that at the socket: how long this test then waits for its turn says nothing of the server.
  private static func timedAnswer(to request: String, at url: String) async throws -> (text: String, time: Duration) {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(
          with: Result {
            let begin = ContinuousClock.now
            return (try exchange(request, at: url), begin.duration(to: .now))
          })
      }
    }
  }

  /// Sends bytes, and closes the connection.
  private static func leave(after request: String, at url: String) throws {
    close(try connected(sending: request, to: url))
  }

  private static func exchange(_ request: String, at url: String) throws -> String {
    let descriptor = try connected(sending: request, to: url)
    defer { close(descriptor) }
    var (answer, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 65_536))
    while true {
      let count = recv(descriptor, &buffer, buffer.count, 0)
      if count <= 0 { break }
      answer += buffer[..<count]
    }
    return String(decoding: answer, as: UTF8.self)
  }

  /// A connection over which some bytes went.
  private static func connected(sending request: String, to url: String) throws -> Int32 {
    let port = try #require(url.split(separator: ":").last.flatMap { UInt16($0) })
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    var patience = timeval(tv_sec: 300, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    let isConnected = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    try #require(isConnected)
    _ = request.utf8CString.withUnsafeBytes {
      send(descriptor, $0.baseAddress, $0.count - 1, Int32(MSG_NOSIGNAL))
    }
    return descriptor
  }

  @Test("answers what is no request in the form of every error, and a head alone without a body") func forms()
    async throws
  {
    let echo = Echo { request in
      WireResponse(status: request.method == .other ? 405 : 200, content: .text, body: Array("ok\n".utf8))
    }
    try await serving(echo, isPlain: true) { url, _ in
      for request in [
        "FOO /v1/hello HTTP/1.1\r\nHost: a\r\n\r\n",
        "POST /v1/sync HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
      ] {
        let answer = try await Self.answer(to: request, at: url)
        #expect(answer.hasPrefix("HTTP/1.1 400 "), "\(answer.prefix(40))")
        #expect(answer.contains(#"{"error":{"code":"malformed""#), "\(answer)")
      }
      let fields = (0..<70).map { "X\($0): a\r\n" }.joined()
      for head in ["X: \(String(repeating: "x", count: 9000))\r\n", fields] {
        let answer = try await Self.answer(to: "GET /v1/hello HTTP/1.1\r\nHost: a\r\n\(head)\r\n", at: url)
        #expect(answer.hasPrefix("HTTP/1.1 413 "), "\(answer.prefix(40))")
        #expect(answer.contains("the head is too large: more than 8192 bytes or 64 fields"), "\(answer)")
      }
      #expect(echo.requests.isEmpty)
      let end = "Host: a\r\nConnection: close\r\n"
      let head = try await Self.answer(to: "HEAD /v1/healthz HTTP/1.1\r\n\(end)\r\n", at: url)
      #expect(head.hasPrefix("HTTP/1.1 200 ") && head.lowercased().contains("content-length: 3\r\n"))
      #expect(head.hasSuffix("\r\n\r\n"))
      for version in ["x", "1.0", "", String(repeating: "1", count: 30)] {
        _ = try await Self.answer(to: "GET /v1/hello HTTP/1.1\r\nOsce-Proto: \(version)\r\n\(end)\r\n", at: url)
        #expect(echo.requests.last?.version == 0, "\(version)")
      }
      let name = "1B6F1D40-0000-4000-8000-0000000000AB"
      let named = try await Self.answer(to: "GET /v1/hello HTTP/1.1\r\nOsce-Request: \(name)\r\n\(end)\r\n", at: url)
      #expect(named.contains(name), "as it was written")
      let huge = "POST /v1/sync HTTP/1.1\r\n\(end)Content-Length: 99999999999\r\n\r\nabc"
      #expect(
        try await Self.answer(to: huge, at: url).hasPrefix("HTTP/1.1 413 "), "at once, not when it should be here")
      let put = try await Self.answer(to: "PUT /v1/sync HTTP/1.1\r\n\(end)\r\n", at: url)
      #expect(put.hasPrefix("HTTP/1.1 405 "))
    }
  }

  @Test("answers who waits for news at once where the hub is asked to end") func stopping() async throws {
    let (news, sink) = AsyncStream<Void>.makeStream()
    let echo = Echo { _ in
      for await _ in news {}
      return WireResponse(status: 204)
    }
    let (ports, port) = AsyncStream<Int>.makeStream()
    var logger = Logger(label: "test")
    logger.logLevel = .critical
    let server = try Server(
      echo, at: .init(host: "127.0.0.1", port: 0), key: nil, logger: logger, whenListening: { port.yield($0) },
      whenStopping: { sink.finish() })
    let group = ServiceGroup(services: [Running(server: server)], logger: logger)
    let running = Task(priority: .high) { try await group.run() }
    var iterator = ports.makeAsyncIterator()
    let url = "http://127.0.0.1:\(try #require(await iterator.next()))"
    async let answer = Self.answer(to: "GET /v1/wait HTTP/1.1\r\nHost: a\r\n\r\n", at: url)
    await eventually { !echo.requests.isEmpty }
    await group.triggerGracefulShutdown()
    #expect(try await answer.hasPrefix("HTTP/1.1 204 "))
    try await running.value
  }

  /// A server within a group that can be asked to end as a process is.
  private struct Running: Service {
    let server: Server

    func run() async throws { try await server.run() }
  }

  @Test("waits as long as it is told to for the first head of a connection") func slowHead() async throws {
    try await serving(Echo { _ in WireResponse(status: 200) }, isPlain: true, headPatience: 1) { url, _ in
      let (answer, time) = try await Self.timedAnswer(to: "GET /v1/hello HTTP/1.1\r\nHost", at: url)
      #expect(answer.isEmpty && time > .milliseconds(900), "\(time)")
    }
  }

  /// By a clock of its own: how soon a busy machine takes a connection says nothing of the ten seconds.
  @Test("waits ten seconds for it where nothing else is said, and not a moment longer") func headTime() throws {
    let loop = EmbeddedEventLoop()
    let channel = EmbeddedChannel(
      handler: ConnectionGuard(patience: .seconds(Int64(Server.headPatience))) { $0.response }, loop: loop
    )
    try channel.connect(to: SocketAddress(unixDomainSocketPath: "/")).wait()
    loop.advanceTime(by: .milliseconds(9_999))
    #expect(channel.isActive)
    loop.advanceTime(by: .milliseconds(1))
    #expect(!channel.isActive)
    _ = try? channel.finish()
  }

  @Test("says so to who sends a request too slowly, and ends the connection") func slowBody() async throws {
    let echo = Echo { _ in WireResponse(status: 200) }
    try await serving(echo, isPlain: true, patience: 1) { url, _ in
      let answer = try await Self.answer(
        to: "POST /v1/sync HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n{\"a\"", at: url)
      #expect(answer.hasPrefix("HTTP/1.1 408 "), "\(answer.prefix(40))")
      #expect(answer.contains(#"{"error":{"code":"slow""#), "\(answer)")
      #expect(echo.requests.isEmpty)
    }
  }

  @Test("counts a device that goes away within a request as slow") func goneAway() async throws {
    let echo = Echo { _ in WireResponse(status: 200) }
    try await serving(echo, isPlain: true) { url, _ in
      try Self.leave(after: "POST /v1/sync HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n{\"a\"", at: url)
      #expect(await echo.refused() == .slow)
      #expect(echo.requests.isEmpty)
    }
  }

  @Test("takes nothing that is too large, packed or not, in either direction") func tooLarge() async throws {
    var random = SystemRandomNumberGenerator()
    // As well as a reader bears it: what packs better is not packed at all.
    func packable(_ count: Int) -> [UInt8] {
      (0..<count / 16_200 + 1).flatMap { _ in
        (0..<200).map { _ in UInt8.random(in: 0...255, using: &random) } + [UInt8](repeating: 0, count: 16_000)
      }
    }
    let (request, answer) = (packable(20 << 20), packable(SyncAnswer.greatest))
    let echo = Echo { request in
      WireResponse(status: 200, content: .json, body: request.path == "/v1/hello" ? answer : [])
    }
    try await serving(echo) { url, key in
      let transport = try LiveTransport(url: url, trust: .pin(try #require(key?.pin)), patience: .endless)
      let bomb = try await transport.send(WireRequest(.post, "/v1/sync", body: request), wait: 0)
      #expect(HubError(bomb) == .tooLarge(limit: SyncLimits.standard.inflated))
      let noise = (0..<(3 << 19)).map { _ in UInt8.random(in: 0...255) }
      let large = try await transport.send(WireRequest(.post, "/v1/sync", body: noise), wait: 0)
      #expect(HubError(large) == .tooLarge(limit: SyncLimits.standard.wire))
      #expect(echo.requests.isEmpty)
      await #expect(throws: TransportFailure.tooLarge) {
        try await transport.send(WireRequest(.get, "/v1/hello"), wait: 0)
      }
    }
  }

  @Test("carries what packs so well that a reader would stop there") func packsWell() async throws {
    let letters = [UInt8](repeating: UInt8(ascii: "a"), count: 1 << 19)
    let echo = Echo { _ in WireResponse(status: 200, content: .json, body: letters) }
    try await serving(echo) { url, key in
      let transport = try LiveTransport(url: url, trust: .pin(try #require(key?.pin)), patience: .endless)
      let answer = try await transport.send(WireRequest(.post, "/v1/sync", body: letters), wait: 0)
      #expect(answer.status == 200 && answer.body == letters && echo.requests.last?.body == letters)
      await transport.close()
    }
  }

  @Test("says in its own words that nobody is there, and that a request was given up") func failures() async throws {
    let nobody = try LiveTransport(url: "http://127.0.0.1:1", trust: .loopback)
    let failure = await #expect(throws: TransportFailure.self) {
      try await nobody.send(WireRequest(.get, "/v1/hello"), wait: 0)
    }
    guard case .unreachable? = failure else { return #expect(Bool(false), "\(String(describing: failure))") }
    // Answers once the request was given up: the server waits for what runs when it ends.
    let (gate, opener) = AsyncStream<Never>.makeStream()
    let echo = Echo { _ in
      for await _ in gate {}
      return WireResponse(status: 200)
    }
    try await serving(echo) { url, key in
      let transport = try LiveTransport(url: url, trust: .pin(try #require(key?.pin)), patience: .endless)
      let waiting = Task { try await transport.send(WireRequest(.get, "/v1/wait"), wait: 50) }
      await eventually { !echo.requests.isEmpty }
      waiting.cancel()
      await #expect(throws: TransportFailure.cancelled) { try await waiting.value }
      opener.finish()
    }
  }

  @Test("is encrypted but on this machine alone, whoever asks for something else") func plain() {
    for url in ["http://hub.example:8443", "http://10.0.0.1", "http://127.example", "http://127.0.0.1.example"] {
      #expect(throws: LiveTransport.AddressFault.self) { try LiveTransport(url: url, trust: .loopback) }
    }
    for url in ["hub.example", "ftp://hub.example", "https://hub.example/path", ""] {
      #expect(throws: LiveTransport.AddressFault.self) { try LiveTransport(url: url, trust: .loopback) }
    }
    #expect(throws: Server.Fault.self) {
      try Server(
        Echo { _ in WireResponse(status: 200) }, at: .init(host: "0.0.0.0", port: 0), key: nil,
        logger: Logger(label: "test"))
    }
  }

  @Test("does not listen where another does, and says where and what to do") func occupied() async throws {
    try await serving(Echo { _ in WireResponse(status: 200) }) { url, _ in
      let port = try #require(URL(string: url)?.port)
      let second = try Server(
        Echo { _ in WireResponse(status: 200) }, at: .init(host: "127.0.0.1", port: port), key: nil,
        logger: Logger(label: "test"))
      let fault = await #expect(throws: Server.Fault.self) { try await second.run() }
      #expect(
        fault?.description
          == "cannot listen at 127.0.0.1:\(port): address already in use; name another with --listen ADDRESS:PORT")
    }
  }

  @Test("begins with a code that is read however it is typed, and never taken for another key's") func codes() throws {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<200 {
      let pin = (0..<32).map { _ in UInt8.random(in: 0...255, using: &random) }
      let code = EnrolmentCode.make(pin: pin, using: &random)
      let typed = code.description.lowercased().replacing("-", with: " ").replacing("0", with: "o").replacing(
        "1", with: "l")
      #expect(EnrolmentCode(code.description) == code && EnrolmentCode(typed) == code)
      #expect(code.isOf(pin: pin) && !code.isOf(pin: pin.reversed()))
      #expect(EnrolmentCode(String(code.description.dropLast())) == nil)
      #expect(EnrolmentCode(code.description.replacing(code.description.prefix(1), with: "U")) == nil)
    }
  }
}

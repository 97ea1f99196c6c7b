import AsyncHTTPClient
import Gzip
import Journal
import NIOCore
import NIOHTTP1
import NIOSSL
import Sync
import Synchronization

import struct Foundation.CharacterSet
import struct Foundation.URL

/// Carries requests to a hub over HTTPS. Whom it talks to it knows by the hub's key alone: names and authorities say
/// nothing.
public final class LiveTransport: Transport {
  /// By what the hub is known.
  public enum Trust: Sendable {
    /// The key of the enrolment: 32 bytes.
    case pin([UInt8])
    /// The key's beginning in a code: before the first enrolment.
    case code(EnrolmentCode)
    /// Nothing: over plain HTTP, on this machine only.
    case loopback
  }

  private let base: URL
  private let trust: Trust
  private let state = Mutex<HTTPClient?>(nil)
  private let seenPin = Mutex<[UInt8]?>(nil)

  private let patience: Patience

  /// How long is waited, in seconds.
  struct Patience: Equatable, Sendable {
    var connect: Int64 = 3
    /// For an answer's first byte, and a second more for so many bytes that are sent.
    var firstByte: Int64 = 10
    var sentInSecond: Int64 = 64 << 10
    /// For the whole of an answer.
    var whole: Int64 = 30
    /// For so long it may come as slowly as it likes, then not under so many bytes a second.
    var grace = 5
    var slowest = 1024
  }

  /// - Throws: one line where the address is none, or not one of this machine though it is not encrypted.
  public convenience init(url: String, trust: Trust) throws {
    try self.init(url: url, trust: trust, patience: Patience())
  }

  init(url: String, trust: Trust, patience: Patience) throws {
    self.patience = patience
    guard let base = URL(string: url), let scheme = base.scheme?.lowercased(), let host = base.host, !host.isEmpty,
      ["http", "https"].contains(scheme), ["", "/"].contains(base.path)
    else { throw AddressFault.form(url) }
    if scheme == "http" && !Loopback.contains(host) { throw AddressFault.unencrypted }
    self.base = base
    self.trust = scheme == "http" ? .loopback : trust
  }

  /// Why an address is not taken.
  public enum AddressFault: Error, CustomStringConvertible {
    case form(String)
    case unencrypted

    /// One line.
    public var description: String {
      switch self {
      case .form: "the hub's address is not one; it looks like https://hub.example:8443"
      case .unencrypted: "the hub's address begins with http://: outside this machine only https:// is used"
      }
    }
  }

  /// The key that the hub has shown: to be kept at enrolment; nil before the first request, and without encryption.
  public var pin: [UInt8]? { seenPin.withLock { $0 } }

  deinit {
    let client = state.withLock { $0 }
    try? client?.syncShutdown()
  }

  /// Ends its connections.
  public func close() async {
    let client = state.withLock { client in
      defer { client = nil }
      return client
    }
    try? await client?.shutdown()
  }

  // MARK: Sending

  /// Sends a request and waits for the whole answer.
  public func send(_ request: WireRequest, wait: Int64) async throws(TransportFailure) -> WireResponse {
    let client = try await client()
    do {
      return try await execute(request, wait, client)
    } catch let failure as TransportFailure {
      throw failure
    } catch is CancellationError {
      throw .cancelled
    } catch let error as HTTPClientError {
      switch error {
      case .cancelled: throw .cancelled
      case .connectTimeout, .readTimeout, .deadlineExceeded, .getConnectionFromPoolTimeout, .tlsHandshakeTimeout:
        throw .timeout
      default: throw .broken("the hub ended the connection")
      }
    } catch is NIOSSLError {
      // The key may be another since it was looked at.
      await close()
      throw .broken("the encrypted connection failed")
    } catch is NIOTooManyBytesError {
      throw .tooLarge
    } catch {
      if Task.isCancelled { throw .cancelled }
      throw .unreachable(TransportFailure.text(for: error))
    }
  }

  private func execute(_ request: WireRequest, _ wait: Int64, _ client: HTTPClient) async throws -> WireResponse {
    var http = HTTPClientRequest(url: address(request))
    http.method = HTTPMethod(rawValue: request.method.rawValue)
    http.headers.add(name: "Accept-Encoding", value: "gzip")
    if let token = request.token { http.headers.add(name: "Authorization", value: "Bearer \(token)") }
    if let session = request.session { http.headers.add(name: WireHeader.session.rawValue, value: session) }
    if let version = request.version { http.headers.add(name: WireHeader.version.rawValue, value: String(version)) }
    if let id = request.id { http.headers.add(name: WireHeader.request.rawValue, value: id.description) }
    if let note = request.note { http.headers.add(name: WireHeader.note.rawValue, value: note) }
    if !request.body.isEmpty {
      var body = request.body
      http.headers.add(name: "Content-Type", value: "application/json")
      if body.count > SyncLimits.mostUnpacked, let packed = try Gzip.packForReader(body) {
        body = packed
        http.headers.add(name: "Content-Encoding", value: "gzip")
      }
      http.body = .bytes(ByteBuffer(bytes: body))
    }
    let (asked, deadline) = (http, NIODeadline.now() + .seconds(patience.whole + wait))
    let first = patience.firstByte + wait + Int64(request.body.count) / patience.sentInSecond
    let response = try await Self.within(seconds: first) { try await client.execute(asked, deadline: deadline) }
    if let id = request.id, 200..<300 ~= response.status.code,
      response.headers.first(name: WireHeader.request.rawValue) != id.description
    {
      throw TransportFailure.broken("the answer is not to this request")
    }
    var body = try await Self.collect(response.body, patience)
    if response.headers.first(name: "Content-Encoding")?.lowercased() == "gzip" {
      do { body = try Gzip.unpack(body, limit: SyncAnswer.greatest) } catch {
        throw error as? GzipFault == .tooLarge ? TransportFailure.tooLarge : .broken("the answer is spoilt")
      }
    }
    let type = response.headers.first(name: "Content-Type")?.lowercased() ?? ""
    return WireResponse(
      status: Int(response.status.code), content: WireResponse.Content(rawValue: type),
      retryAfter: response.headers.first(name: "Retry-After").flatMap { Int64($0) }, body: body)
  }

  /// Carries out what has so many seconds.
  private static func within<T: Sendable>(
    seconds: Int64, _ work: @escaping @Sendable () async throws -> T
  ) async throws -> T {
    try await race(work) { try await Task.sleep(for: .seconds(seconds)) }
  }

  /// Carries out what has as long as something that watches it does not end.
  private static func race<T: Sendable>(
    _ work: @escaping @Sendable () async throws -> T, watchedBy watch: @escaping @Sendable () async throws -> Void
  ) async throws -> T {
    try await withThrowingTaskGroup(of: T.self) { group in
      group.addTask(operation: work)
      group.addTask {
        try await watch()
        throw TransportFailure.timeout
      }
      defer { group.cancelAll() }
      guard let first = try await group.next() else { throw CancellationError() }
      return first
    }
  }

  /// How much of an answer is here.
  private final class Progress: Sendable {
    let count = Atomic<Int>(0)
  }

  /// Takes a whole answer in, unless it comes too slowly to be waited for.
  private static func collect(_ body: HTTPClientResponse.Body, _ patience: Patience) async throws -> [UInt8] {
    let progress = Progress()
    return try await race {
      var bytes: [UInt8] = []
      for try await part in body {
        bytes += part.readableBytesView
        if bytes.count > SyncAnswer.greatest { throw TransportFailure.tooLarge }
        progress.count.store(bytes.count, ordering: .relaxed)
      }
      // A request that is given up ends like one that was answered.
      try Task.checkCancellation()
      return bytes
    } watchedBy: {
      var seconds = patience.grace
      try await Task.sleep(for: .seconds(seconds))
      while progress.count.load(ordering: .relaxed) >= seconds * patience.slowest {
        try await Task.sleep(for: .seconds(1))
        seconds += 1
      }
    }
  }

  private func address(_ request: WireRequest) -> String {
    var text = "\(base.scheme ?? "https")://\(base.host.map { $0.contains(":") ? "[\($0)]" : $0 } ?? "")"
    if let port = base.port { text += ":\(port)" }
    text += request.path
    if !request.query.isEmpty {
      text +=
        "?"
        + request.query.sorted { $0.key < $1.key }.map { "\($0.key)=\(Self.escaped($0.value))" }.joined(separator: "&")
    }
    return text
  }

  /// A value as it may stand in a query.
  private static func escaped(_ value: String) -> String {
    let plain = CharacterSet.urlQueryAllowed.subtracting(CharacterSet(charactersIn: "+&=;#"))
    return value.addingPercentEncoding(withAllowedCharacters: plain) ?? ""
  }

  // MARK: Whom it talks to

  private func client() async throws(TransportFailure) -> HTTPClient {
    if let client = state.withLock({ $0 }) { return client }
    var configuration = HTTPClient.Configuration(
      redirectConfiguration: .disallow,
      timeout: .init(connect: .seconds(patience.connect), read: .seconds(patience.whole + 50)),
      decompression: .disabled)
    configuration.httpVersion = .http1Only
    // Longer than the pauses between questions for the time: a new connection would be part of the answer's way.
    configuration.connectionPool.idleTimeout = .seconds(150)
    // When to try again is the exchange's to say: the pool would let a hub that comes back after an hour wait for a minute.
    configuration.connectionPool.retryConnectionEstablishment = false
    configuration.proxy = nil
    if let pinned = try await trusted() {
      var tls = TLSConfiguration.makeClientConfiguration()
      tls.trustRoots = .certificates([pinned.certificate])
      tls.certificateVerification = .noHostnameVerification
      tls.minimumTLSVersion = .tlsv12
      // A hub that holds an answer back gives it before it says farewell too: who ends does not wait for that.
      tls.shutdownTimeout = .milliseconds(200)
      configuration.tlsConfiguration = tls
      seenPin.withLock { $0 = pinned.pin }
    }
    let made = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    let kept = state.withLock { client -> HTTPClient in
      if let client { return client }
      client = made
      return made
    }
    if kept !== made { try? await made.shutdown() }
    return kept
  }

  /// The certificate that the hub shows, if its key is the one that is known.
  private func trusted() async throws(TransportFailure) -> ServerCertificate? {
    let isKnown: @Sendable ([UInt8]) -> Bool
    switch trust {
    case .loopback: return nil
    case .pin(let pin): isKnown = { $0 == pin }
    case .code(let code): isKnown = { code.pin != nil && code.isOf(pin: $0) }
    }
    let seen = try await ServerCertificate.of(
      host: base.host ?? "", port: base.port ?? 443, seconds: patience.connect)
    guard isKnown(seen.pin) else { throw .otherKey }
    return seen
  }
}

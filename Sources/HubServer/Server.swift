import Glibc
import Gzip
import HTTPTypes
import Hummingbird
import HummingbirdCore
import HummingbirdTLS
import Journal
import Logging
import NIOCore
import NIOSSL
import ServiceLifecycle
import Sync

/// Carries requests over HTTPS to the service that answers them.
public struct Server: Sendable {
  /// Where to listen.
  public struct Address: Sendable {
    /// A name or an address of this machine.
    public var host: String
    /// The port; 0: any that is free.
    public var port: Int

    /// An address.
    public init(host: String, port: Int) {
      self.host = host
      self.port = port
    }

    /// Whether nobody but this machine can reach it.
    public var isLoopback: Bool { Loopback.contains(host) }
  }

  /// Why a server does not start.
  public enum Fault: Error, CustomStringConvertible {
    /// Without a key only this machine may be listened to.
    case unencrypted
    /// The address, or its port, is another's, or none of this machine; with the system's words.
    case occupied(Address, String)

    /// One line.
    public var description: String {
      switch self {
      case .unencrypted: "without a key the hub listens to this machine only (127.0.0.1); leave --plain away"
      case .occupied(let address, let text):
        "cannot listen at \(address.host):\(address.port): \(text); name another with --listen ADDRESS:PORT"
      }
    }
  }

  private let answering: any Answering
  private let address: Address
  private let key: ServerKey?
  private let logger: Logger
  private let limits: SyncLimits
  private let patience: Int
  private let headPatience: Int
  private let whenListening: @Sendable (Int) async -> Void
  private let whenStopping: @Sendable () -> Void

  private static let mostConnections = 2048
  /// How long requests that run have to end when the hub is asked to, in seconds.
  private static let stoppingSeconds = 5
  /// The head of a connection's first request must be here in this time, in seconds, where nothing else is said.
  public static let headPatience = 10

  /// - Parameters:
  ///   - key: nil: over plain HTTP, to this machine only.
  ///   - patience: a whole request must be here in this time, in seconds.
  ///   - headPatience: the head of a connection's first request must be here in this time, in seconds.
  ///   - whenListening: told the port, once.
  ///   - whenStopping: told that nothing more is to be waited for.
  public init(
    _ answering: any Answering, at address: Address, key: ServerKey?, logger: Logger,
    limits: SyncLimits = .standard, patience: Int = 30, headPatience: Int = headPatience,
    whenListening: @escaping @Sendable (Int) async -> Void = { _ in },
    whenStopping: @escaping @Sendable () -> Void = {}
  ) throws {
    if key == nil && !address.isLoopback { throw Fault.unencrypted }
    self.answering = answering
    self.address = address
    self.key = key
    self.logger = logger
    self.limits = limits
    self.patience = patience
    self.headPatience = headPatience
    self.whenListening = whenListening
    self.whenStopping = whenStopping
  }

  /// Serves until the process is asked to end; then answers what is running.
  public func run() async throws {
    let http = HTTPServerBuilder.http1(
      configuration: .init(
        additionalChannelHandlers: [
          ConnectionGuard(patience: .seconds(Int64(headPatience))) { [answering] in answering.refuse("", $0) }
        ],
        // Who falls silent within a request is told so before the connection ends.
        idleTimeout: .seconds(Int64(patience) + 5),
        httpDecoderConfiguration: .init(
          maxHeaderFieldSize: Int(SyncLimits.head), maxHeaderListSize: Int(SyncLimits.head),
          maxHeaderFieldCount: SyncLimits.headFields)))
    let server = try key.map { try .tls(http, tlsConfiguration: Self.configuration($0)) } ?? http
    let application = Application(
      responder: CallbackResponder { (request: Request, context: Context) in
        try await respond(to: request, context)
      },
      server: server,
      configuration: ApplicationConfiguration(
        address: .hostname(address.host, port: address.port), serverName: nil,
        availableConnectionsDelegate: MaximumAvailableConnections(Self.mostConnections)),
      onServerRunning: { channel in await whenListening(channel.localAddress?.port ?? 0) }, logger: logger)
    // They end in reverse: who waits for news is answered before the server waits for what is under way.
    var group = ServiceGroupConfiguration(
      services: [application, Stopping(whenStopping: whenStopping)], gracefulShutdownSignals: [.sigterm, .sigint],
      logger: logger)
    // A terminal that keeps its connection open, or a request that hangs, does not keep the hub from ending.
    group.maximumGracefulShutdownDuration = .seconds(Self.stoppingSeconds)
    do {
      try await ServiceGroup(configuration: group).run()
    } catch is CancellationError {
      if Task.isCancelled { throw CancellationError() }
    } catch let error where error is SocketAddressError || error is SocketAddressError.UnknownHost {
      throw Fault.occupied(address, "this machine has no such address")
    } catch let error as IOError {
      throw Fault.occupied(address, String(cString: strerror(error.errnoCode)).lowercased())
    }
  }

  private static func configuration(_ key: ServerKey) throws -> TLSConfiguration {
    var configuration = TLSConfiguration.makeServerConfiguration(
      certificateChain: try NIOSSLCertificate.fromPEMBytes(Array(key.certificate.utf8)).map { .certificate($0) },
      privateKey: .privateKey(try NIOSSLPrivateKey(bytes: Array(key.key.utf8), format: .pem)))
    configuration.minimumTLSVersion = .tlsv12
    return configuration
  }

  /// What is known of a request beside itself.
  private struct Context: RequestContext, RemoteAddressRequestContext {
    var coreContext: CoreRequestContextStorage
    let remoteAddress: SocketAddress?

    init(source: ApplicationRequestContextSource) {
      coreContext = .init(source: source)
      remoteAddress = source.channel.remoteAddress
    }
  }

  /// Ends what waits when the process is asked to end.
  private struct Stopping: Service {
    let whenStopping: @Sendable () -> Void

    func run() async throws {
      try? await gracefulShutdown()
      whenStopping()
    }
  }

  // MARK: A request

  private func respond(to request: Request, _ context: Context) async throws -> Response {
    let clock = ContinuousClock()
    let start = clock.now
    let headers = request.headers
    let id = headers[.request].flatMap { UUIDBytes($0) }
    let method = WireRequest.Method(rawValue: request.method.rawValue) ?? .other
    var answer: WireResponse
    do throws(HubError) {
      let body = try await body(of: request)
      let wire = WireRequest(
        method, request.uri.path, query: Self.query(request.uri), token: Self.token(headers),
        session: headers[.session], version: headers[.version].map { Self.version($0) }, id: id,
        note: headers[.note], address: context.remoteAddress?.ipAddress ?? "", body: body)
      answer = await answering.answer(wire)
    } catch {
      answer = answering.refuse(request.uri.path, error)
    }
    let milliseconds = (clock.now - start) / .milliseconds(1)
    logger.info(
      "\(request.method) \(Self.shown(request.uri.path)) \(answer.status) \(Int(milliseconds)) ms",
      metadata: id.map { ["request": "\($0)"] })
    return try response(answer, id, headers, isHead: method == .head)
  }

  /// A version as a device says it; what is no number is none that anybody speaks.
  private static func version(_ text: String) -> Int64 {
    text.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 } ? Int64(text) ?? 0 : 0
  }

  /// A path as the log has it: what is none of the protocol's is anybody's text.
  private static func shown(_ path: String) -> String {
    path.utf8.count <= 64 && path.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F } ? path : "(another path)"
  }

  private static func token(_ headers: HTTPFields) -> String? {
    guard let value = headers[.authorization], value.lowercased().hasPrefix("bearer ") else { return nil }
    return String(value.dropFirst(7))
  }

  private static func query(_ uri: URI) -> [String: String] {
    Dictionary(
      uri.queryParameters.map { (String($0.key), String($0.value)) }, uniquingKeysWith: { first, _ in first })
  }

  private func body(of request: Request) async throws(HubError) -> [UInt8] {
    let limit = Int(limits.wire)
    if let announced = request.headers[.contentLength].flatMap({ Int($0) }), announced > limit {
      throw .tooLarge(limit: limits.wire)
    }
    let collected: ByteBuffer
    do {
      collected = try await withThrowingTaskGroup(of: ByteBuffer.self) { group in
        group.addTask { try await request.body.collect(upTo: limit) }
        group.addTask {
          try await Task.sleep(for: .seconds(patience))
          throw HubError.slow
        }
        defer { group.cancelAll() }
        guard let first = try await group.next() else { throw HubError.unavailable }
        return first
      }
    } catch let error as HubError {
      throw error
    } catch is NIOTooManyBytesError {
      throw .tooLarge(limit: limits.wire)
    } catch {
      // The connection broke: nobody is left to hear it, and the hub did not fail.
      throw .slow
    }
    let bytes = Array(collected.readableBytesView)
    switch request.headers[.contentEncoding]?.lowercased() {
    case nil, "identity":
      return bytes
    case "gzip":
      do { return try Gzip.unpack(bytes, limit: Int(limits.inflated)) } catch {
        throw error as? GzipFault == .tooLarge ? .tooLarge(limit: limits.inflated) : .malformed(pointer: "")
      }
    default: throw .encoding
    }
  }

  private func response(
    _ answer: WireResponse, _ id: UUIDBytes?, _ asked: HTTPFields, isHead: Bool
  ) throws -> Response {
    var headers = HTTPFields()
    headers[.cacheControl] = "no-store"
    if let content = answer.content { headers[.contentType] = content.rawValue }
    if let seconds = answer.retryAfter { headers[.retryAfter] = String(seconds) }
    if let allow = answer.allow { headers[.allow] = allow }
    // As it was written: who asked compares it.
    if id != nil { headers[.request] = asked[.request] }
    var body = answer.body
    if body.count > SyncLimits.mostUnpacked, asked[.acceptEncoding]?.lowercased().contains("gzip") == true,
      let packed = try Gzip.packForReader(body)
    {
      body = packed
      headers[.contentEncoding] = "gzip"
    }
    if isHead {
      headers[.contentLength] = String(body.count)
      body = []
    }
    return Response(
      status: HTTPResponse.Status(code: answer.status), headers: headers,
      body: body.isEmpty ? ResponseBody() : ResponseBody(byteBuffer: ByteBuffer(bytes: body)))
  }
}

extension HTTPFields {
  /// The value of a header of the protocol.
  fileprivate subscript(_ header: WireHeader) -> String? {
    get { HTTPField.Name(header.rawValue).flatMap { self[$0] } }
    set {
      if let name = HTTPField.Name(header.rawValue) { self[name] = newValue }
    }
  }
}

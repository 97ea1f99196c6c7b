import Glibc
import Journal
import NIOCore
import NIOPosix
import NIOSSL
import Sync

/// What a server shows of itself before anything is sent to it.
struct ServerCertificate: Sendable {
  let certificate: NIOSSLCertificate
  /// SHA-256 of its public key: 32 bytes.
  let pin: [UInt8]

  /// Greets a server, and looks at its certificate; nothing else is sent.
  /// - Throws: `TransportFailure`.
  static func of(host: String, port: Int, seconds: Int64) async throws(TransportFailure) -> ServerCertificate {
    do {
      return try await greet(host: host, port: port, seconds: seconds)
    } catch let failure as TransportFailure {
      throw failure
    } catch is ChannelError {
      throw .timeout
    } catch { throw .unreachable(TransportFailure.text(for: error)) }
  }

  private static func greet(host: String, port: Int, seconds: Int64) async throws -> ServerCertificate {
    let group = MultiThreadedEventLoopGroup.singleton
    let seen = group.any().makePromise(of: ServerCertificate.self)
    var configuration = TLSConfiguration.makeClientConfiguration()
    configuration.certificateVerification = .noHostnameVerification
    configuration.minimumTLSVersion = .tlsv12
    let context = try NIOSSLContext(configuration: configuration)
    let bootstrap = ClientBootstrap(group: group).connectTimeout(.seconds(seconds)).channelInitializer { channel in
      channel.eventLoop.makeCompletedFuture {
        let handler = try NIOSSLClientHandler(context: context, serverHostname: nil) { certificates, verdict in
          do {
            guard let first = certificates.first else { throw TransportFailure.otherKey }
            let key = try first.extractPublicKey().toSPKIBytes()
            seen.succeed(ServerCertificate(certificate: first, pin: StreamDigest.of(key)))
          } catch { seen.fail(error) }
          // Nothing is to be sent here: the connection has told what it can.
          verdict.succeed(NIOSSLVerificationResult.failed)
        }
        try channel.pipeline.syncOperations.addHandlers([handler, Ending(seen: seen)])
      }
    }
    let channel: any Channel
    do { channel = try await bootstrap.connect(host: host, port: port).get() } catch {
      seen.fail(error)
      throw error
    }
    let deadline = channel.eventLoop.scheduleTask(in: .seconds(seconds)) { seen.fail(TransportFailure.timeout) }
    defer {
      deadline.cancel()
      channel.close(promise: nil)
    }
    return try await seen.futureResult.get()
  }

  /// Ends the look when the server ends it first.
  private final class Ending: ChannelInboundHandler, Sendable {
    typealias InboundIn = ByteBuffer
    let seen: EventLoopPromise<ServerCertificate>

    init(seen: EventLoopPromise<ServerCertificate>) { self.seen = seen }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
      seen.fail(TransportFailure.broken("it does not speak TLS"))
      context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
      seen.fail(TransportFailure.broken("it ended the greeting"))
      context.fireChannelInactive()
    }
  }
}

extension TransportFailure {
  /// What the network says, in a few words.
  static func text(for error: any Error) -> String {
    if let error = error as? NIOConnectionError {
      if let first = error.connectionErrors.first { return text(for: first.error) }
      return "the name \(error.host) is not known"
    }
    if let error = error as? IOError { return String(cString: strerror(error.errnoCode)).lowercased() }
    return "the connection failed"
  }
}

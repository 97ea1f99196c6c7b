import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import Sync

/// Watches one connection: its first request's head is here in time, what is no request at all is answered in the form
/// of every error, and after a request that came too slowly the connection ends.
final class ConnectionGuard: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  private let patience: TimeAmount
  /// The answer to what is no request; it is counted as it is asked for.
  private let refusal: @Sendable (HubError) -> WireResponse
  private var fault = HubError.malformed(pointer: "")
  private var timer: Scheduled<Void>?
  private var isLast = false
  /// How long the last answer has to arrive before the connection ends.
  private static let parting = TimeAmount.seconds(1)

  /// - Parameters:
  ///   - patience: how long the head of the first request may take.
  ///   - refusal: the answer to what is no request.
  init(patience: TimeAmount, refusal: @escaping @Sendable (HubError) -> WireResponse) {
    self.patience = patience
    self.refusal = refusal
  }

  func handlerAdded(context: ChannelHandlerContext) {
    let channel = context.channel
    timer = context.eventLoop.scheduleTask(in: patience) { channel.close(promise: nil) }
  }

  func handlerRemoved(context: ChannelHandlerContext) { timer?.cancel() }

  func channelInactive(context: ChannelHandlerContext) {
    timer?.cancel()
    context.fireChannelInactive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    timer?.cancel()
    context.fireChannelRead(data)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    // What is no request is here; its answer may take its time.
    timer?.cancel()
    if error as? HTTPParserError == .headerOverflow { fault = .tooLarge(limit: SyncLimits.head) }
    context.fireErrorCaught(error)
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    switch unwrapOutboundIn(data) {
    case .head(let head) where head.status == .badRequest && head.headerFields[.contentType] == nil:
      refuse(head, context, promise)
    case .head(var head) where head.status == .requestTimeout:
      isLast = true
      head.headerFields[.connection] = "close"
      context.write(wrapOutboundOut(.head(head)), promise: promise)
    case .end where isLast:
      context.write(data, promise: promise)
      let channel = context.channel
      context.eventLoop.scheduleTask(in: Self.parting) { channel.close(promise: nil) }
    default: context.write(data, promise: promise)
    }
  }

  private func refuse(
    _ noRequest: HTTPResponse, _ context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>?
  ) {
    var head = noRequest
    let answer = refusal(fault)
    head.status = HTTPResponse.Status(code: answer.status)
    head.headerFields[.contentType] = WireResponse.Content.json.rawValue
    head.headerFields[.cacheControl] = "no-store"
    head.headerFields[.contentLength] = String(answer.body.count)
    context.write(wrapOutboundOut(.head(head)), promise: promise)
    context.write(wrapOutboundOut(.body(ByteBuffer(bytes: answer.body))), promise: nil)
  }
}

import HTTPTypes
import NIOCore
import NIOHTTPTypes
import Sync

/// Watches one connection: its first request's head is here in time, and what is no request at all is answered in the
/// form of every error.
final class ConnectionGuard: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  private let patience: TimeAmount
  /// The answer to what is no request; it is counted as it is asked for.
  private let refusal: @Sendable () -> WireResponse
  private var timer: Scheduled<Void>?

  /// - Parameters:
  ///   - patience: how long the head of the first request may take.
  ///   - refusal: the answer to what is no request.
  init(patience: TimeAmount, refusal: @escaping @Sendable () -> WireResponse) {
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

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    guard case .head(var head) = unwrapOutboundIn(data), head.status == .badRequest,
      head.headerFields[.contentType] == nil
    else { return context.write(data, promise: promise) }
    let answer = refusal()
    head.headerFields[.contentType] = WireResponse.Content.json.rawValue
    head.headerFields[.cacheControl] = "no-store"
    head.headerFields[.contentLength] = String(answer.body.count)
    context.write(wrapOutboundOut(.head(head)), promise: promise)
    context.write(wrapOutboundOut(.body(ByteBuffer(bytes: answer.body))), promise: nil)
  }
}

import Foundation
import Gzip
import SeededNumbers
import Synchronization

/// Stands between terminals and a hub on this machine, and does to their requests what networks do.
///
/// Each terminal has an address of its own, 127.0.0.x, by which the hub also sees it. Which fault comes when follows from
/// the seed as far as the order of requests does.
public final class HostileProxy: Sendable {
  /// How it treats requests.
  public enum Weather: Sendable {
    /// As they come.
    case calm
    /// By spells, each of some seconds: in a bad one most requests meet a fault.
    case spells
  }

  private struct State {
    var random: Seeded
    var weather = Weather.calm
    var isBad = false
    var spellEnds = ContinuousClock.now
    var armed: [String: NetworkFault] = [:]
    var counts: [NetworkFault: Int] = [:]
    var calmed = 0
    var ways: [Socket] = []
  }

  private let hub: UInt16
  private let state: Mutex<State>

  /// Of a hundred requests of a bad spell, so many meet a fault.
  private static let faulty = 60
  /// How much later an answer comes again, in microseconds.
  private static let later: useconds_t = 50_000

  /// - Parameter hub: the hub's port at 127.0.0.1.
  public init(to hub: UInt16, seed: UInt64) {
    self.hub = hub
    state = Mutex(State(random: Seeded(seed: seed)))
  }

  /// Opens a way for a terminal.
  /// - Returns: the hub's address for it.
  public func open(at address: String) throws -> String {
    let place = try Socket.listening(at: address, port: 0)
    state.withLock { $0.ways.append(place) }
    Thread.detachNewThread { [self] in
      while let client = place.accepted() {
        Thread.detachNewThread { [self] in serve(client, address) }
      }
    }
    return "http://\(address):\(place.port)"
  }

  /// Ends all ways; connections that are open end with their requests.
  public func close() {
    let ways = state.withLock { state in
      defer { state.ways = [] }
      return state.ways
    }
    for way in ways { way.end() }
  }

  /// Waits until the hub takes connections: one that was started just now takes a moment, on a busy machine seconds.
  /// - Returns: whether it does, within half a minute.
  public func awaitHub() -> Bool {
    for _ in 0..<3000 {
      if let way = Socket.connected(to: hub, from: "127.0.0.1") {
        way.end()
        return true
      }
      usleep(10_000)
    }
    return false
  }

  /// Another weather from now on. In a calm one also what hangs is ended.
  public func set(_ weather: Weather) {
    state.withLock { state in
      (state.weather, state.isBad, state.spellEnds) = (weather, false, .now)
      if case .calm = weather { state.calmed += 1 }
    }
  }

  /// The next push from an address meets a fault, once.
  public func arm(_ fault: NetworkFault, at address: String) { state.withLock { $0.armed[address] = fault } }

  /// Whether a push has met the fault that was meant for it.
  public func hasMet(at address: String) -> Bool { state.withLock { $0.armed[address] == nil } }

  /// How many requests met each fault.
  public var counts: [NetworkFault: Int] { state.withLock { $0.counts } }

  // MARK: A request

  private func fault(_ request: HTTPMessage, _ address: String) -> NetworkFault? {
    state.withLock { state in
      if let fault = state.armed[address], Self.brings(request) {
        state.armed[address] = nil
        state.counts[fault, default: 0] += 1
        return fault
      }
      guard case .spells = state.weather else { return nil }
      if ContinuousClock.now > state.spellEnds {
        state.isBad.toggle()
        state.spellEnds = .now + .milliseconds(Int.random(in: 500...4000, using: &state.random))
      }
      guard state.isBad, state.random.chance(Self.faulty) else { return nil }
      let fault = NetworkFault.allCases.randomElement(using: &state.random) ?? .nothing
      state.counts[fault, default: 0] += 1
      return fault
    }
  }

  /// Whether a request brings operations, and does not only ask for some.
  private static func brings(_ request: HTTPMessage) -> Bool {
    guard request.start.dropFirst().first == "/v1/sync" else { return false }
    let body =
      request.field("content-encoding") == "gzip"
      ? (try? Gzip.unpack(request.body, limit: 8 << 20)) ?? [] : request.body
    return String(decoding: body, as: UTF8.self).contains("\"ops\":[{")
  }

  private func serve(_ client: Socket, _ address: String) {
    var requests = HTTPReader(client)
    var way: HubWay?
    while let request = requests.message() {
      let fault = fault(request, address)
      if let fault, !fault.reachesHub {
        guard refuse(client, fault) else { return }
        continue
      }
      // Cut in its middle, a packed answer would not be half a JSON.
      let asked = fault == .half ? request.without("accept-encoding") : request
      if way?.isStale ?? true { way = HubWay(to: hub, from: address) }
      var answer = way?.answer(to: asked, for: client)
      if fault == .askedTwice, answer != nil { answer = way?.answer(to: asked, for: client) }
      if client.isLeft { return }
      guard let answer else {
        way = nil
        client.write(HTTPMessage(status: 502, fields: ["Content-Type: text/html"], body: Array("<p>502".utf8)).bytes)
        continue
      }
      guard give(answer, to: client, fault) else { return }
    }
  }

  /// Answers in the hub's place.
  /// - Returns: whether the connection goes on.
  private func refuse(_ client: Socket, _ fault: NetworkFault) -> Bool {
    if let answer = fault.answer { return client.write(answer.bytes) }
    if fault == .silence { hang(client) { true } }
    return false
  }

  /// Gives the hub's answer, or what is left of it.
  /// - Returns: whether the connection goes on.
  private func give(_ answer: HTTPMessage, to client: Socket, _ fault: NetworkFault?) -> Bool {
    switch fault {
    case .half: return client.write(answer.cut(to: answer.body.count / 2).bytes)
    case .cut:
      client.write(Array(answer.bytes.prefix(answer.head.count + answer.body.count / 2)))
      return false
    case .answeredTwice: return client.write(answer.bytes + answer.bytes)
    case .answeredLate:
      client.write(answer.bytes)
      usleep(Self.later)
      return client.write(answer.bytes)
    case .bomb: return client.write(fault?.answer?.bytes ?? [])
    case .drip:
      var left = answer.bytes[...]
      hang(client) { left.popFirst().map { client.write([$0]) } ?? false }
      return false
    case .reset:
      client.resetAtEnd()
      return false
    default: return client.write(answer.bytes)
    }
  }

  /// Does something each second until the client has left or the weather is calm again.
  private func hang(_ client: Socket, _ step: () -> Bool) {
    let before = state.withLock { $0.calmed }
    while step() {
      for _ in 0..<20 {
        if client.isLeft || state.withLock({ $0.calmed }) != before { return client.resetAtEnd() }
        usleep(50_000)
      }
    }
  }
}

/// A connection to the hub, kept for the next request.
private final class HubWay {
  private let socket: Socket
  private var answers: HTTPReader

  init?(to hub: UInt16, from address: String) {
    guard let made = Socket.connected(to: hub, from: address) else { return nil }
    (socket, answers) = (made, HTTPReader(made))
  }

  /// Whether the hub has ended it meanwhile.
  var isStale: Bool { socket.isDisturbed }

  /// The hub's answer; nil where it gave none, or nobody waits for it any more.
  func answer(to request: HTTPMessage, for client: Socket) -> HTTPMessage? {
    guard socket.write(request.bytes) else { return nil }
    return answers.message(for: client)
  }
}

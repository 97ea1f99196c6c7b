import Foundation
import SeededNumbers
import Synchronization

/// Carries connections to a port of this machine and lets everything take its time on the way, in each direction.
public final class SlowRelay: Sendable {
  private let port: UInt16
  private let delay: ClosedRange<Int>
  private let random: Mutex<Seeded>
  private let ways = Mutex<[Socket]>([])
  private let bytes = Atomic<Int>(0)

  /// How many bytes went over it so far, both ways.
  public var carried: Int { bytes.load(ordering: .relaxed) }

  /// - Parameters:
  ///   - port: whose connections are carried, at 127.0.0.1.
  ///   - delay: how long each piece is on its way, in microseconds; none overtakes another.
  public init(to port: UInt16, delay: ClosedRange<Int>, seed: UInt64) {
    (self.port, self.delay) = (port, delay)
    random = Mutex(Seeded(seed: seed))
  }

  /// Opens a way.
  /// - Returns: the port at that address of this machine.
  public func open(at address: String) throws -> UInt16 {
    let place = try Socket.listening(at: address, port: 0)
    ways.withLock { $0.append(place) }
    Thread.detachNewThread { [self] in
      while let client = place.accepted() {
        guard let hub = Socket.connected(to: port, from: address) else { continue }
        carry(from: client, to: hub)
        carry(from: hub, to: client)
      }
    }
    return place.port
  }

  /// Ends all ways for connections to come.
  public func close() {
    for way in ways.withLock({ $0 }) { way.end() }
  }

  private func carry(from: Socket, to: Socket) {
    let line = DelayLine()
    Thread.detachNewThread { [self] in
      while let bytes = from.read() {
        self.bytes.wrappingAdd(bytes.count, ordering: .relaxed)
        line.put(bytes, after: random.withLock { Int.random(in: delay, using: &$0) })
      }
      line.put(nil, after: delay.upperBound)
    }
    Thread.detachNewThread {
      while let bytes = line.take(), to.write(bytes) {}
      to.end()
      from.end()
    }
  }
}

/// What is on its way in one direction.
private final class DelayLine: @unchecked Sendable {
  private let condition = NSCondition()
  private var pieces: [(due: ContinuousClock.Instant, bytes: [UInt8]?)] = []

  /// Puts a piece on its way; nil: the end.
  func put(_ bytes: [UInt8]?, after microseconds: Int) {
    condition.lock()
    defer { condition.unlock() }
    let due = ContinuousClock.now + .microseconds(microseconds)
    pieces.append((max(due, pieces.last?.due ?? due), bytes))
    condition.signal()
  }

  /// The next piece, once it has arrived; nil: the end.
  func take() -> [UInt8]? {
    condition.lock()
    while pieces.isEmpty { condition.wait() }
    let piece = pieces.removeFirst()
    condition.unlock()
    let left = ContinuousClock.now.duration(to: piece.due)
    if left > .zero { usleep(useconds_t(left / .microseconds(1))) }
    return piece.bytes
  }
}

import CRig
import Glibc

/// Why the network could not be set up: one line.
public struct NetworkTrouble: Error, CustomStringConvertible, Sendable {
  /// The line.
  public let description: String

  init(_ what: String) { description = "\(what): \(String(cString: strerror(errno)))" }
}

/// A TCP connection of this machine with itself, or the place at which they come in; closed with its last owner.
final class Socket: @unchecked Sendable {
  let descriptor: Int32

  private init(_ descriptor: Int32) {
    self.descriptor = descriptor
    var one: Int32 = 1
    setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
  }

  deinit { close(descriptor) }

  // MARK: Making one

  /// A place at which connections come in.
  /// - Parameter port: 0: any that is free.
  static func listening(at address: String, port: UInt16) throws -> Socket {
    let made = try blank()
    var one: Int32 = 1
    setsockopt(made.descriptor, SOL_SOCKET, SO_REUSEADDR, &one, socklen_t(MemoryLayout<Int32>.size))
    guard with(address, port, { bind(made.descriptor, $0, $1) }) == 0, listen(made.descriptor, 1024) == 0 else {
      throw NetworkTrouble("cannot listen at \(address):\(port)")
    }
    return made
  }

  /// A connection to a port of 127.0.0.1; nil where nobody listens.
  /// - Parameter address: the address of this machine that it comes from.
  static func connected(to port: UInt16, from address: String) -> Socket? {
    guard let made = try? blank(), with(address, 0, { bind(made.descriptor, $0, $1) }) == 0,
      with("127.0.0.1", port, { connect(made.descriptor, $0, $1) }) == 0
    else { return nil }
    return made
  }

  private static func blank() throws -> Socket {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw NetworkTrouble("no socket") }
    return Socket(descriptor)
  }

  private static func with(
    _ address: String, _ port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    var place = sockaddr_in()
    place.sin_family = sa_family_t(AF_INET)
    place.sin_port = port.bigEndian
    inet_pton(AF_INET, address, &place.sin_addr)
    return withUnsafePointer(to: &place) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
    }
  }

  /// The port that it listens at.
  var port: UInt16 {
    var (place, length) = (sockaddr_in(), socklen_t(MemoryLayout<sockaddr_in>.size))
    _ = withUnsafeMutablePointer(to: &place) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
    }
    return UInt16(bigEndian: place.sin_port)
  }

  // MARK: Using it

  /// POLLRDHUP: the other side has ended its part.
  private static let left: Int32 = 0x2000

  /// The next connection that comes in; nil once nothing comes in any more.
  func accepted() -> Socket? {
    while true {
      let taken = rig_accept(descriptor)
      if taken >= 0 { return Socket(taken) }
      if errno != EINTR && errno != ECONNABORTED { return nil }
    }
  }

  /// What is there, waiting for it; nil once the other side has ended, or nothing comes in any more.
  func read() -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = recv(descriptor, &bytes, bytes.count, 0)
      if count > 0 { return Array(bytes[..<count]) }
      if count < 0 && errno == EINTR { continue }
      return nil
    }
  }

  /// Writes all of them.
  /// - Returns: false where the other side is gone.
  @discardableResult func write(_ bytes: [UInt8]) -> Bool {
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes {
        send(descriptor, $0.baseAddress! + sent, bytes.count - sent, Int32(MSG_NOSIGNAL))
      }
      if count > 0 { sent += count } else if errno != EINTR { return false }
    }
    return true
  }

  /// Waits until there is something to read here, or the other connection has ended.
  /// - Returns: whether there is something to read, or this one has ended.
  func isReadable(before other: Socket) -> Bool {
    var polled = [
      pollfd(descriptor: descriptor, POLLIN), pollfd(descriptor: other.descriptor, Self.left),
    ]
    while poll(&polled, 2, -1) < 0 && errno == EINTR {}
    return polled[0].revents != 0
  }

  /// Whether something came in, the end among it, though nothing was asked.
  var isDisturbed: Bool {
    var polled = [pollfd(descriptor: descriptor, POLLIN)]
    return poll(&polled, 1, 0) > 0
  }

  /// Whether the other side has ended its part.
  var isLeft: Bool {
    var polled = [pollfd(descriptor: descriptor, Self.left)]
    return poll(&polled, 1, 0) > 0
  }

  /// Lets the connection end with a reset instead of an end.
  func resetAtEnd() {
    var now = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
  }

  /// Ends both directions, also for a thread that waits here.
  func end() { shutdown(descriptor, Int32(SHUT_RDWR)) }
}

extension pollfd {
  fileprivate init(descriptor: Int32, _ events: Int32) {
    self.init(fd: descriptor, events: Int16(events), revents: 0)
  }
}

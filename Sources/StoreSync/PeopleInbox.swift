import ExamStore
import Glibc
import Journal
import Sync

/// The uploader's end of the pipe over which terminals of a store say who sits at them.
public final class PeopleInbox {
  private let descriptor: Int32
  private var unread: [UInt8] = []

  /// More without an end of line is none of this program's.
  private static let longest = 65_536

  /// Makes the pipe where it is missing.
  /// - Throws: `StoreError` if something else lies there.
  public init(of location: StoreLocation) throws {
    let path = PersonAtTerminal.path(of: location)
    if mkfifo(path, 0o600) != 0, errno != EEXIST {
      throw StoreError("cannot make \(path): \(String(cString: strerror(errno)))")
    }
    // For writing, too: a pipe whose last writer has gone would be at its end.
    descriptor = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { throw StoreError("cannot open \(path): \(String(cString: strerror(errno)))") }
    guard PersonAtTerminal.isOwnPipe(descriptor) else {
      close(descriptor)
      throw StoreError("\(path) is no pipe of this program; remove it")
    }
  }

  deinit { close(descriptor) }

  /// Takes what was said since the last time; what cannot be read is left out.
  public func take() -> [PersonAtTerminal] {
    var chunk = [UInt8](repeating: 0, count: 16_384)
    while true {
      let count = read(descriptor, &chunk, chunk.count)
      if count <= 0 { break }
      unread += chunk[0..<count]
      if unread.count > Self.longest { break }
    }
    var lines = unread.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    let rest = lines.popLast() ?? []
    unread = rest.count > Self.longest ? [] : Array(rest)
    return lines.compactMap { try? Self.decode(Array($0)) }
  }

  private static func decode(_ line: [UInt8]) throws -> PersonAtTerminal {
    let object = try WireObject(document: line)
    guard let sitting = UUIDBytes(try object.text("sitting")) else { throw WireFault(.malformed) }
    return PersonAtTerminal(
      sitting: sitting, username: try object.text("username"), passcode: try object.text("passcode"),
      timetable: try object.integer(ifAny: "timetable"), hasGone: try object.integer("gone") != 0)
  }
}

import ExamStore
import Glibc
import Journal
import Sync

/// The uploader's end of the pipe over which terminals of a store say who sits at them, and ask for an exchange.
public final class PeopleInbox {
  private let pipe: OpenFile
  private var unread: [UInt8] = []

  /// What terminals said.
  public struct Messages: Equatable, Sendable {
    /// Who sits there, or has gone, in the order in which it was said.
    public var people: [PersonAtTerminal] = []
    /// Whether somebody wants an exchange now.
    public var asksForExchange = false
  }

  /// More without an end of line is none of this program's.
  private static let longest = 65_536

  /// Makes the pipe where it is missing.
  /// - Throws: `StoreError` if something else lies there.
  public init(of location: StoreLocation) throws {
    let path = UploaderPipe.path(of: location)
    if mkfifo(path, 0o600) != 0, errno != EEXIST {
      throw StoreError("cannot make \(path): \(String(cString: strerror(errno)))")
    }
    // For writing, too: a pipe whose last writer has gone would be at its end.
    guard let pipe = OpenFile(open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW)) else {
      throw StoreError("cannot open \(path): \(String(cString: strerror(errno)))")
    }
    guard UploaderPipe.isOwn(pipe.descriptor) else {
      throw StoreError("\(path) is no pipe of this program; remove it")
    }
    self.pipe = pipe
  }

  /// Takes what was said since the last time; what cannot be read is left out.
  public func take() -> Messages {
    var chunk = [UInt8](repeating: 0, count: 16_384)
    while true {
      let count = read(pipe.descriptor, &chunk, chunk.count)
      if count <= 0 { break }
      unread += chunk[0..<count]
      if unread.count > Self.longest { break }
    }
    var lines = unread.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    let rest = lines.popLast() ?? []
    unread = rest.count > Self.longest ? [] : Array(rest)
    var messages = Messages()
    for line in lines {
      guard let object = try? WireObject(document: Array(line)) else { continue }
      if let asked = try? object.integer(ifAny: UploaderPipe.exchangeNow), asked != 0 {
        messages.asksForExchange = true
      } else if let person = try? Self.person(object) {
        messages.people.append(person)
      }
    }
    return messages
  }

  private static func person(_ object: WireObject) throws -> PersonAtTerminal {
    guard let sitting = UUIDBytes(try object.text("sitting")) else { throw WireFault(.malformed) }
    return PersonAtTerminal(
      sitting: sitting, username: try object.text("username"), passcode: try object.text("passcode"),
      timetable: try object.integer(ifAny: "timetable"), hasGone: try object.integer("gone") != 0)
  }
}

/// A request or an answer as it went over a connection.
struct HTTPMessage {
  /// The first line and the fields, with the empty line that ends them.
  var head: [UInt8]
  /// What follows, as it was sent.
  var body: [UInt8] = []

  /// All of it.
  var bytes: [UInt8] { head + body }

  private var lines: [Substring] { String(decoding: head, as: UTF8.self).split(separator: "\r\n") }

  /// The words of the first line.
  var start: [Substring] { lines.first?.split(separator: " ") ?? [] }

  /// A field's value, in lower case; nil without the field.
  func field(_ name: String) -> String? {
    for line in lines.dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1)
      if parts.count == 2, parts[0].lowercased() == name {
        return parts[1].lowercased().trimmingPrefix(" ").description
      }
    }
    return nil
  }

  /// The same message without a field.
  func without(_ name: String) -> HTTPMessage {
    let kept = lines.filter { !$0.lowercased().hasPrefix(name + ":") }
    return HTTPMessage(head: Array((kept.joined(separator: "\r\n") + "\r\n\r\n").utf8), body: body)
  }

  /// The same message with the first bytes of its body, and said to be whole.
  func cut(to count: Int) -> HTTPMessage {
    var cut = without("content-length").without("transfer-encoding")
    cut.head.removeLast(2)
    cut.head += Array("Content-Length: \(count)\r\n\r\n".utf8)
    cut.body = Array(body.prefix(count))
    return cut
  }

  /// An answer.
  init(status: Int, fields: [String], body: [UInt8]) {
    let lines = ["HTTP/1.1 \(status) Answer", "Content-Length: \(body.count)"] + fields
    (head, self.body) = (Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8), body)
  }

  fileprivate init(head: [UInt8], body: [UInt8] = []) {
    (self.head, self.body) = (head, body)
  }
}

/// Reads one message after the other from a connection.
struct HTTPReader {
  private let socket: Socket
  private var unread: [UInt8] = []

  init(_ socket: Socket) { self.socket = socket }

  /// The next message; nil where the connection, or the one that waits for the message, has ended before it was whole.
  /// - Parameter other: who waits for it.
  mutating func message(for other: Socket? = nil) -> HTTPMessage? {
    var end: Int?
    while true {
      end = Self.end(ofHeadIn: unread)
      if end != nil { break }
      guard fill(other) else { return nil }
    }
    guard let end else { return nil }
    var message = HTTPMessage(head: Array(unread[..<end]))
    unread.removeFirst(end)
    if message.field("transfer-encoding") == "chunked" {
      while !Self.isWhole(unread) { guard fill(other) else { return nil } }
      (message.body, unread) = (unread, [])
    } else if let length = message.field("content-length").flatMap({ Int($0) }) {
      while unread.count < length { guard fill(other) else { return nil } }
      message.body = Array(unread[..<length])
      unread.removeFirst(length)
    }
    return message
  }

  private mutating func fill(_ other: Socket?) -> Bool {
    if let other, !socket.isReadable(before: other) { return false }
    guard let bytes = socket.read() else { return false }
    unread += bytes
    return true
  }

  private static func end(ofHeadIn bytes: [UInt8]) -> Int? {
    guard bytes.count >= 4 else { return nil }
    return (3..<bytes.count).first {
      bytes[$0] == 10 && bytes[$0 - 1] == 13 && bytes[$0 - 2] == 10 && bytes[$0 - 3] == 13
    }.map { $0 + 1 }
  }

  /// Whether chunks end with the last one; nothing follows it here, for nobody asks before he is answered.
  private static func isWhole(_ bytes: [UInt8]) -> Bool { bytes.suffix(5) == Array("0\r\n\r\n".utf8)[...] }
}

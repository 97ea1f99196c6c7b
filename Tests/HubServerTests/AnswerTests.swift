import Foundation
import Journal
import Sync
import SystemTesting
import Testing

@testable import HubTransport

/// A server on a free port of this machine that answers each request as it is told to, byte by byte.
private final class RawServer: Sendable {
  /// Sends bytes of an answer; false once nobody takes them.
  typealias Send = (String) -> Bool

  let url: String
  private let listener: Int32
  private let answer: @Sendable (_ head: String, _ send: Send) -> Void

  /// - Parameter listens: whether it does at once; until then every connection is refused.
  init(listens: Bool = true, _ answer: @escaping @Sendable (_ head: String, _ send: Send) -> Void) throws {
    self.answer = answer
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    self.listener = listener
    var (place, length) = (sockaddr_in(), socklen_t(MemoryLayout<sockaddr_in>.size))
    place.sin_family = sa_family_t(AF_INET)
    inet_pton(AF_INET, "127.0.0.1", &place.sin_addr)
    let isOpen = withUnsafeMutablePointer(to: &place) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, length) == 0 && getsockname(listener, $0, &length) == 0
      }
    }
    try #require(isOpen)
    url = "http://127.0.0.1:\(UInt16(bigEndian: place.sin_port))"
    if listens { try begin() }
  }

  /// Listens.
  func begin() throws {
    try #require(listen(listener, 8) == 0)
    let (listener, answer) = (listener, answer)
    Thread.detachNewThread {
      while true {
        let connection = accept(listener, nil, nil)
        if connection < 0 { return }
        Thread.detachNewThread {
          defer { close(connection) }
          guard let head = RawServer.head(of: connection) else { return }
          answer(head) { text in
            let bytes = Array(text.utf8)
            return send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
          }
        }
      }
    }
  }

  deinit {
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
  }

  private static func head(of connection: Int32) -> String? {
    var (head, byte) = ([UInt8](), UInt8(0))
    while !head.suffix(4).elementsEqual("\r\n\r\n".utf8) {
      guard recv(connection, &byte, 1, 0) == 1 else { return nil }
      head.append(byte)
    }
    return String(decoding: head, as: UTF8.self)
  }
}

@Suite("An answer as it comes over a socket", .ahead) struct AnswerTests {
  private static func head(_ status: String, _ length: Int, _ fields: [String] = []) -> String {
    (["HTTP/1.1 \(status)", "Content-Length: \(length)", "Connection: close"] + fields).joined(separator: "\r\n")
      + "\r\n\r\n"
  }

  @Test("is waited for ten seconds till its first byte, thirty in all, and must not come too slowly after five")
  func patience() {
    let patience = LiveTransport.Patience()
    #expect(patience.connect == 3 && patience.firstByte == 10 && patience.whole == 30)
    #expect(patience.grace == 5 && patience.slowest == 1024)
  }

  // An hour in all: what ends a request here is what is looked at.
  private static let hour: Int64 = 3600

  @Test("is given up where nothing of it comes in time, unless the hub was asked to hold it back") func silence()
    async throws
  {
    let server = try RawServer { _, _ in sleep(3000) }
    let patience = LiveTransport.Patience(firstByte: 1, whole: Self.hour)
    defer { withExtendedLifetime(server) {} }
    let transport = try LiveTransport(url: server.url, trust: .loopback, patience: patience)
    await #expect(throws: TransportFailure.timeout) {
      try await transport.send(WireRequest(.get, "/v1/hello"), wait: 0)
    }
    let late = try RawServer { _, send in
      sleep(3)
      _ = send(Self.head("204 No Content", 0))
    }
    defer { withExtendedLifetime(late) {} }
    let listening = try LiveTransport(url: late.url, trust: .loopback, patience: patience)
    #expect(try await listening.send(WireRequest(.get, "/v1/wait"), wait: Self.hour).status == 204)
  }

  @Test("comes to the first request after the hub's return, however often a connection was refused before")
  func refusedBefore() async throws {
    let server = try RawServer(listens: false) { _, send in _ = send(Self.head("204 No Content", 0)) }
    defer { withExtendedLifetime(server) {} }
    let transport = try LiveTransport(url: server.url, trust: .loopback, patience: LiveTransport.Patience(connect: 1))
    for _ in 0..<15 {
      await #expect(throws: TransportFailure.self) {
        try await transport.send(WireRequest(.get, "/v1/hello"), wait: 0)
      }
    }
    try server.begin()
    #expect(try await transport.send(WireRequest(.get, "/v1/hello"), wait: 0).status == 204)
  }

  @Test("is given up where it comes too slowly, however long it goes on") func drip() async throws {
    let server = try RawServer { _, send in
      guard send(Self.head("200 OK", 1 << 20, ["Content-Type: application/json"])) else { return }
      while send(" ") { sleep(1) }
    }
    let patience = LiveTransport.Patience(firstByte: Self.hour, whole: Self.hour, grace: 1)
    defer { withExtendedLifetime(server) {} }
    let transport = try LiveTransport(url: server.url, trust: .loopback, patience: patience)
    await #expect(throws: TransportFailure.timeout) {
      try await transport.send(WireRequest(.get, "/v1/hello"), wait: 0)
    }
  }

  @Test("is taken for no other request than its own") func otherRequest() async throws {
    let (mine, other) = (UUIDBytes.random(), UUIDBytes.random())
    let server = try RawServer { head, send in
      let echo = head.contains("/v1/hello") ? other : mine
      let fields = head.contains("/v1/time") ? [] : ["Osce-Request: \(echo)"]
      let status = head.contains("/v1/wait") ? "503 Unavailable" : "200 OK"
      _ = send(Self.head(status, 0, fields))
    }
    defer { withExtendedLifetime(server) {} }
    let transport = try LiveTransport(url: server.url, trust: .loopback)
    for path in ["/v1/hello", "/v1/time"] {
      await #expect(throws: TransportFailure.broken("the answer is not to this request")) {
        try await transport.send(WireRequest(.get, path, id: mine), wait: 0)
      }
    }
    #expect(try await transport.send(WireRequest(.get, "/v1/devices", id: mine), wait: 0).status == 200)
    #expect(
      try await transport.send(WireRequest(.get, "/v1/wait", id: other), wait: 0).status == 503,
      "what a balancer says in the hub's place names nobody's request")
  }

  @Test("says when to come again, also where it is a balancer's page", arguments: ["503 Unavailable", "429 Slow down"])
  func balancer(_ status: String) async throws {
    let page = "<html>no server is available"
    let server = try RawServer { _, send in
      _ = send(Self.head(status, page.utf8.count, ["Content-Type: text/html", "Retry-After: 7"]) + page)
    }
    defer { withExtendedLifetime(server) {} }
    let transport = try LiveTransport(url: server.url, trust: .loopback)
    let answer = try await transport.send(WireRequest(.post, "/v1/sync", id: .random()), wait: 0)
    #expect(HubError(answer) == .notReady(after: 7))
  }
}

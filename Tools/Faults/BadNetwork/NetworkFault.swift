import Gzip

/// What can become of one request between a terminal and its hub.
public enum NetworkFault: String, CaseIterable, Sendable {
  /// 500 and a line of text; the hub gets nothing.
  case error = "500"
  /// 503 with Retry-After, as a balancer says it.
  case balancer503 = "503 of a balancer"
  /// 503 with Retry-After, as a hub says it.
  case hub503 = "503 of a hub"
  /// 429 with Retry-After, as a balancer says it.
  case balancer429 = "429 of a balancer"
  /// 429 with Retry-After, as a hub says it.
  case hub429 = "429 of a hub"
  /// 200 and a page, as of a hotel's network that wants a signature first.
  case page = "a page of HTML"
  /// The connection ends without an answer; the hub gets nothing.
  case nothing
  /// The connection stays and nobody answers; the hub gets nothing.
  case silence
  /// The hub's answer up to its middle, as if it were whole.
  case half = "half a JSON"
  /// The connection ends in the middle of the hub's answer.
  case cut = "an answer that is cut"
  /// The hub gets the request twice; its second answer is given.
  case askedTwice = "asked twice"
  /// The hub's answer twice in a row.
  case answeredTwice = "answered twice"
  /// The hub's answer again a moment later, when something else may have been asked.
  case answeredLate = "answered again later"
  /// A small answer that unpacks to a hundred megabytes; the hub has acted.
  case bomb = "a gzip bomb"
  /// The hub's answer, a byte a second.
  case drip = "a byte a second"
  /// The connection is reset when the hub has acted.
  case reset = "a reset after the commit"

  /// Whether the hub gets the request.
  var reachesHub: Bool {
    switch self {
    case .error, .balancer503, .hub503, .balancer429, .hub429, .page, .nothing, .silence: false
    case .half, .cut, .askedTwice, .answeredTwice, .answeredLate, .bomb, .drip, .reset: true
    }
  }

  /// What is answered in the hub's place; nil where there is no whole answer, or it is made of the hub's.
  var answer: HTTPMessage? {
    switch self {
    case .error: Self.text(500, "Internal Server Error", [])
    case .balancer503: Self.text(503, "no server is available", ["Retry-After: 2"])
    case .hub503: Self.hub(503, "read_only")
    case .balancer429: Self.text(429, "slow down", ["Retry-After: 2"])
    case .hub429: Self.hub(429, "busy")
    case .page:
      HTTPMessage(
        status: 200, fields: ["Content-Type: text/html"],
        body: Array("<!DOCTYPE html><title>Welcome</title><p>Please accept the terms to go on.".utf8))
    case .bomb:
      HTTPMessage(status: 200, fields: ["Content-Type: application/json", "Content-Encoding: gzip"], body: Self.zeros)
    default: nil
    }
  }

  private static func text(_ status: Int, _ text: String, _ fields: [String]) -> HTTPMessage {
    HTTPMessage(status: status, fields: ["Content-Type: text/plain"] + fields, body: Array(text.utf8))
  }

  private static func hub(_ status: Int, _ code: String) -> HTTPMessage {
    let body = "{\"error\":{\"code\":\"\(code)\",\"message\":\"not now\"}}"
    return HTTPMessage(
      status: status, fields: ["Content-Type: application/json", "Retry-After: 2"], body: Array(body.utf8))
  }

  private static let zeros = (try? Gzip.pack([UInt8](repeating: 0x20, count: 100 << 20))) ?? []
}

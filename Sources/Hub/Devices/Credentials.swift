import Journal

/// What a device shows with every request: exam and device in the open, and a secret that the hub knows only the hash of.
struct DeviceToken {
  let exam: UUIDBytes
  let device: UUIDBytes
  private let secret: [UInt8]

  /// A new one.
  init(exam: UUIDBytes, device: UUIDBytes) {
    self.exam = exam
    self.device = device
    secret = Secret.random()
  }

  /// Reads a token; nil for a text that is none.
  init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 4, parts[0] == Self.form, let exam = UUIDBytes(parts[1]), let device = UUIDBytes(parts[2]),
      let secret = Base64URL.decode(parts[3]), secret.count == Secret.length
    else { return nil }
    self.exam = exam
    self.device = device
    self.secret = secret
  }

  /// As the device keeps it.
  var text: String { "\(Self.form).\(exam).\(device).\(Base64URL.encode(secret))" }

  /// What the hub keeps.
  var hash: [UInt8] { StreamDigest.of(secret) }

  /// Tells it from every other, and does not give it away.
  var name: String { "\(exam) \(device) \(Hexadecimal.text(hash))" }

  private static let form = "ot1"
}

/// What a person's session at a device shows beside the device's token.
struct SessionToken {
  private let secret: [UInt8]

  /// A new one.
  init() { secret = Secret.random() }

  /// Reads one; nil for a text that is none.
  init?(_ text: String) {
    guard text.hasPrefix(Self.form), let secret = Base64URL.decode(String(text.dropFirst(Self.form.count))),
      secret.count == Secret.length
    else { return nil }
    self.secret = secret
  }

  /// As the terminal keeps it, in memory only.
  var text: String { Self.form + Base64URL.encode(secret) }

  /// What the hub keeps.
  var hash: [UInt8] { StreamDigest.of(secret) }

  private static let form = "os1."
}

/// Who asks: a device, and where one is open a person's session on it.
struct Caller {
  let token: DeviceToken
  let session: SessionToken?

  var exam: UUIDBytes { token.exam }
  var device: UUIDBytes { token.device }
}

/// Secrets that a hub hands out and keeps only the hash of.
enum Secret {
  /// The number of bytes.
  static let length = 32

  static func random() -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    return (0..<length).map { _ in UInt8.random(in: 0...255, using: &generator) }
  }

  /// Compares in a time that does not depend on where two hashes differ.
  static func isSame(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    guard left.count == right.count else { return false }
    return zip(left, right).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }
}

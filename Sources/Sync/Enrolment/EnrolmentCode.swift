import Journal

/// What a person carries from the hub to a terminal: a one-time code, and the beginning of the hub's key, by which the
/// terminal knows that nobody stands between.
///
/// `XXXX-XXXX-XXXX-PPPP-PPPP-PPPP` in Crockford's base 32: 60 bits of code, 60 bits of the pin.
public struct EnrolmentCode: Hashable, Sendable, CustomStringConvertible {
  /// Twelve letters and digits: what the hub knows the hash of.
  public let code: String
  /// The first 60 bits of the pin, as twelve letters and digits; nil where the way is not encrypted.
  public let pin: String?

  /// Digits and letters without those that are read wrong.
  private static let letters = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")
  private static let length = 12

  /// A new code for a hub with this key.
  /// - Parameter pin: SHA-256 of the hub's public key; nil where the way is not encrypted.
  public static func make(pin: [UInt8]?, using random: inout some RandomNumberGenerator) -> EnrolmentCode {
    EnrolmentCode(
      code: String((0..<length).map { _ in letters[Int.random(in: 0..<32, using: &random)] }),
      pin: pin.map { beginning(of: $0) })
  }

  private init(code: String, pin: String?) {
    (self.code, self.pin) = (code, pin)
  }

  /// Reads what a person typed: case, spaces and hyphens do not matter, and O, I and L are 0 and 1.
  /// - Returns: nil for a text that is none.
  public init?(_ text: String) {
    var letters: [Character] = []
    for character in text.uppercased() where character != "-" && character != " " {
      let letter: Character = character == "O" ? "0" : character == "I" || character == "L" ? "1" : character
      guard Self.letters.contains(letter) else { return nil }
      letters.append(letter)
    }
    switch letters.count {
    case Self.length: self.init(code: String(letters), pin: nil)
    case 2 * Self.length:
      self.init(code: String(letters.prefix(Self.length)), pin: String(letters.suffix(Self.length)))
    default: return nil
    }
  }

  /// Whether a key is the one that the code was made for; true where the code says nothing of one.
  public func isOf(pin: [UInt8]) -> Bool { self.pin.map { $0 == Self.beginning(of: pin) } ?? true }

  /// In groups of four.
  public var description: String {
    let letters = Array(code + (pin ?? ""))
    return stride(from: 0, to: letters.count, by: 4).map { String(letters[$0..<min($0 + 4, letters.count)]) }
      .joined(separator: "-")
  }

  /// The first 60 bits of a hash.
  private static func beginning(of pin: [UInt8]) -> String {
    let bits = pin.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return String((0..<length).map { letters[Int(bits >> UInt64(59 - 5 * $0) & 31)] })
  }
}

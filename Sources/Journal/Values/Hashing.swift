import Crypto

extension HashFunction {
  /// Feeds bytes without going through Foundation's data types.
  mutating func update(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { update(bufferPointer: $0) }
  }
}

/// SHA-256 (FIPS 180-4) over the parts, one after another: 32 bytes.
func sha256(_ first: [UInt8], _ second: [UInt8] = []) -> [UInt8] { digest(first, second).withUnsafeBytes { Array($0) } }

/// Whether these bytes are that hash, without a copy of it.
func isSHA256(_ hash: [UInt8], of first: [UInt8], _ second: [UInt8] = []) -> Bool {
  digest(first, second).withUnsafeBytes { $0.elementsEqual(hash) }
}

private func digest(_ first: [UInt8], _ second: [UInt8]) -> SHA256.Digest {
  var hash = SHA256()
  hash.update(first)
  if !second.isEmpty { hash.update(second) }
  return hash.finalize()
}

/// Hexadecimal text of bytes, lowercase when written.
/// Bytes as hexadecimal digits.
package enum Hexadecimal {
  static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
  }

  static func value(of digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  /// The number of eight lowercase digits, the first in the highest byte; nil if one is none. All eight at once: a check
  /// of a journal reads a hundred for every operation.
  static func word(of digits: UInt64) -> UInt64? {
    let ones: UInt64 = 0x0101_0101_0101_0101
    // Letters have this bit, decimal digits do not.
    var values = (digits & 0x0F0F_0F0F_0F0F_0F0F) + 9 * (digits >> 6 & ones)
    // Written back, anything else is another text, or is beyond 15.
    guard values & 0xF0F0_F0F0_F0F0_F0F0 == 0, digits == self.digits(values: values) else { return nil }
    values = (values | values >> 4) & 0x00FF_00FF_00FF_00FF
    values = (values | values >> 8) & 0x0000_FFFF_0000_FFFF
    return (values | values >> 16) & 0xFFFF_FFFF
  }

  /// The eight digits of a number, the first in the highest byte.
  static func digits(of word: UInt32) -> UInt64 {
    var values = UInt64(word)
    values = (values | values << 16) & 0x0000_FFFF_0000_FFFF
    values = (values | values << 8) & 0x00FF_00FF_00FF_00FF
    return digits(values: (values | values << 4) & 0x0F0F_0F0F_0F0F_0F0F)
  }

  /// Eight values up to 15 as digits.
  private static func digits(values: UInt64) -> UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let letters = (values + 0x76 * ones) >> 7 & ones
    return values + 0x30 * ones + 0x27 * letters
  }

  /// The 32 bytes of a hash in 64 lowercase digits; nil for any other text.
  package static func hash(_ text: String) -> [UInt8]? {
    guard text.utf8.count == 64 else { return nil }
    var bytes: [UInt8] = []
    var high: UInt8?
    for byte in text.utf8 {
      guard let digit = value(of: byte), self.digit(digit) == byte else { return nil }
      if let first = high {
        bytes.append(first << 4 | digit)
        high = nil
      } else {
        high = digit
      }
    }
    return bytes
  }

  /// Two lowercase digits for each byte.
  package static func text(_ bytes: [UInt8]) -> String {
    String(unsafeUninitializedCapacity: 2 * bytes.count) { buffer in
      for (index, byte) in bytes.enumerated() {
        buffer[2 * index] = digit(byte >> 4)
        buffer[2 * index + 1] = digit(byte & 0xF)
      }
      return 2 * bytes.count
    }
  }
}

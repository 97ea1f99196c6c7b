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
enum Hexadecimal {
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

  static func text(_ bytes: [UInt8]) -> String {
    String(unsafeUninitializedCapacity: 2 * bytes.count) { buffer in
      for (index, byte) in bytes.enumerated() {
        buffer[2 * index] = digit(byte >> 4)
        buffer[2 * index + 1] = digit(byte & 0xF)
      }
      return 2 * bytes.count
    }
  }
}

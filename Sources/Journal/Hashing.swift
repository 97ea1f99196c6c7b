import Crypto

extension HashFunction {
  /// Feeds bytes without going through Foundation's data types.
  mutating func update(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { update(bufferPointer: $0) }
  }
}

/// SHA-256 (FIPS 180-4) over the parts, one after another: 32 bytes.
func sha256(_ parts: [UInt8]...) -> [UInt8] {
  var hash = SHA256()
  for part in parts { hash.update(part) }
  return Array(hash.finalize())
}

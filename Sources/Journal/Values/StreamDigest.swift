import Crypto

/// SHA-256 (FIPS 180-4) of bytes that come piece by piece.
public struct StreamDigest: Sendable {
  private var hash = SHA256()

  /// Of nothing yet.
  public init() {}

  /// Takes the next piece.
  public mutating func update(_ bytes: some Sequence<UInt8>) {
    if bytes.withContiguousStorageIfAvailable({ hash.update(bufferPointer: UnsafeRawBufferPointer($0)) }) == nil {
      hash.update(Array(bytes))
    }
  }

  /// The 32 bytes of the hash of all pieces so far.
  public var bytes: [UInt8] { hash.finalize().withUnsafeBytes { Array($0) } }

  /// The hash of all pieces so far in 64 lowercase hexadecimal digits.
  public var text: String { Hexadecimal.text(bytes) }

  /// HMAC-SHA-256 (RFC 2104) of bytes under a key: 32 bytes that nobody can make who has not the key.
  public static func code(of bytes: [UInt8], under key: [UInt8]) -> [UInt8] {
    var code = HMAC<SHA256>(key: SymmetricKey(data: key))
    code.update(data: bytes)
    return code.finalize().withUnsafeBytes { Array($0) }
  }

  /// The hash of bytes that are all here.
  public static func of(_ bytes: [UInt8]) -> [UInt8] { sha256(bytes) }
}

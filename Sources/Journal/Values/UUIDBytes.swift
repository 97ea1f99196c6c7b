import Crypto

/// A universally unique identifier of 128 bits (RFC 9562), ordered by its bytes.
///
/// Its text is lowercase in the form 8-4-4-4-12. The order of values equals the order of their texts.
public struct UUIDBytes: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The first eight bytes, the first of them most significant.
  public let high: UInt64
  /// The last eight bytes, the first of them most significant.
  public let low: UInt64

  /// When a UUIDv7 was made, in milliseconds since 1970-01-01T00:00:00Z.
  public var milliseconds: Int64 { Int64(high >> 16) }

  /// Makes an identifier from its two halves, unchanged.
  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Makes an identifier from exactly 16 bytes; nil for any other count.
  public init?(bytes: some Collection<UInt8>) {
    guard bytes.count == 16 else { return nil }
    self.init(high: Self.word(bytes.prefix(8)), low: Self.word(bytes.dropFirst(8)))
  }

  /// Reads the form 8-4-4-4-12 in hexadecimal digits of either case; nil for anything else.
  public init?(_ text: String) {
    var high: UInt64 = 0
    var low: UInt64 = 0
    var position = 0
    for byte in text.utf8 {
      switch position {
      case 8, 13, 18, 23:
        guard byte == UInt8(ascii: "-") else { return nil }
      case 0..<36:
        guard let digit = Hexadecimal.value(of: byte) else { return nil }
        if position < 19 { high = high << 4 | UInt64(digit) } else { low = low << 4 | UInt64(digit) }
      default: return nil
      }
      position += 1
    }
    guard position == 36 else { return nil }
    self.init(high: high, low: low)
  }

  /// Reads the lowercase text that `description` gives; nil for any other bytes.
  public init?(canonical text: UnsafeRawBufferPointer) {
    let dash = UInt8(ascii: "-")
    guard text.count == 36, text[8] == dash, text[13] == dash, text[18] == dash, text[23] == dash else { return nil }
    func four(_ place: Int) -> UInt64 {
      UInt64(UInt32(bigEndian: text.loadUnaligned(fromByteOffset: place, as: UInt32.self)))
    }
    func eight(_ place: Int) -> UInt64 {
      UInt64(bigEndian: text.loadUnaligned(fromByteOffset: place, as: UInt64.self))
    }
    guard let first = Hexadecimal.word(of: eight(0)), let second = Hexadecimal.word(of: four(9) << 32 | four(14)),
      let third = Hexadecimal.word(of: four(19) << 32 | four(24)), let fourth = Hexadecimal.word(of: eight(28))
    else { return nil }
    self.init(high: first << 32 | second, low: third << 32 | fourth)
  }

  /// The 16 bytes in the order of the text.
  public var bytes: [UInt8] {
    [UInt8](unsafeUninitializedCapacity: 16) { buffer, count in
      for index in 0..<8 {
        let shift = UInt64(56 - 8 * index)
        buffer[index] = UInt8(truncatingIfNeeded: high >> shift)
        buffer[index + 8] = UInt8(truncatingIfNeeded: low >> shift)
      }
      count = 16
    }
  }

  /// The lowercase text in the form 8-4-4-4-12.
  public var description: String {
    String(unsafeUninitializedCapacity: 36) { buffer in
      write(to: buffer)
      return 36
    }
  }

  /// Appends the same text.
  package func write(to bytes: inout [UInt8]) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 36) { buffer in
      write(to: buffer)
      bytes.append(contentsOf: UnsafeBufferPointer(buffer))
    }
  }

  private func write(to buffer: UnsafeMutableBufferPointer<UInt8>) {
    let text = UnsafeMutableRawBufferPointer(buffer)
    func put(_ digits: UInt64, at place: Int) {
      text.storeBytes(of: digits.bigEndian, toByteOffset: place, as: UInt64.self)
    }
    func put(half digits: UInt64, at place: Int) {
      text.storeBytes(of: UInt32(truncatingIfNeeded: digits).bigEndian, toByteOffset: place, as: UInt32.self)
    }
    let second = Hexadecimal.digits(of: UInt32(truncatingIfNeeded: high))
    let third = Hexadecimal.digits(of: UInt32(truncatingIfNeeded: low >> 32))
    put(Hexadecimal.digits(of: UInt32(truncatingIfNeeded: high >> 32)), at: 0)
    put(half: second >> 32, at: 9)
    put(half: second, at: 14)
    put(half: third >> 32, at: 19)
    put(half: third, at: 24)
    put(Hexadecimal.digits(of: UInt32(truncatingIfNeeded: low)), at: 28)
    let dash = UInt8(ascii: "-")
    (buffer[8], buffer[13], buffer[18], buffer[23]) = (dash, dash, dash, dash)
  }

  /// Orders by the bytes, as unsigned numbers.
  public static func < (left: UUIDBytes, right: UUIDBytes) -> Bool {
    left.high != right.high ? left.high < right.high : left.low < right.low
  }

  private static func word(_ bytes: some Sequence<UInt8>) -> UInt64 {
    bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }

  private init(high: UInt64, low: UInt64, version: UInt64) {
    self.high = high & 0xFFFF_FFFF_FFFF_0FFF | version << 12
    self.low = low & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
  }
}

extension UUIDBytes {
  /// A version 4 identifier: 122 random bits.
  public static func random(using generator: inout some RandomNumberGenerator) -> UUIDBytes {
    UUIDBytes(high: generator.next(), low: generator.next(), version: 4)
  }

  /// A version 4 identifier from the system's random numbers.
  public static func random() -> UUIDBytes {
    var generator = SystemRandomNumberGenerator()
    return random(using: &generator)
  }

  /// A version 7 identifier: the time, then 74 random bits.
  ///
  /// - Parameter milliseconds: since 1970-01-01T00:00:00Z; held to 0...2^48 − 1.
  public static func v7(milliseconds: Int64, using generator: inout some RandomNumberGenerator) -> UUIDBytes {
    let time = UInt64(min(max(milliseconds, 0), 0xFFFF_FFFF_FFFF))
    let head: UInt64 = generator.next()
    return UUIDBytes(high: time << 16 | head & 0xFFF, low: generator.next(), version: 7)
  }

  /// A version 7 identifier from the system's random numbers.
  public static func v7(milliseconds: Int64) -> UUIDBytes {
    var generator = SystemRandomNumberGenerator()
    return v7(milliseconds: milliseconds, using: &generator)
  }

  /// A version 5 identifier: SHA-1 of the namespace's bytes and the name's UTF-8 (RFC 9562, section 5.5).
  ///
  /// SHA-1 is what the RFC prescribes; nothing secret or contested rests on it.
  public static func v5(namespace: UUIDBytes, name: String) -> UUIDBytes {
    var hash = Insecure.SHA1()
    hash.update(namespace.bytes)
    hash.update(Array(name.utf8))
    let digest = Array(hash.finalize())
    return UUIDBytes(high: word(digest[0..<8]), low: word(digest[8..<16]), version: 5)
  }
}

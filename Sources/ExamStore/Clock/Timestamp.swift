import Glibc
import Timer

/// Times as commands print and read them: RFC 3339.
public enum Timestamp {
  /// UTC with exactly three decimals and `Z`.
  public static func text(_ instant: Instant) -> String {
    var bytes: [UInt8] = []
    append(instant, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends the same as bytes.
  public static func append(_ instant: Instant, to bytes: inout [UInt8]) {
    let milliseconds = instant.milliseconds
    var seconds = time_t(instant.wholeSeconds)
    let fraction = Int((milliseconds % 1000 + 1000) % 1000)
    var parts = tm()
    gmtime_r(&seconds, &parts)
    func add(_ number: Int, _ width: Int, _ end: Unicode.Scalar) {
      if number < 0 || number > 9999 {
        let text = String(number)
        bytes += Array(repeating: 0x30, count: max(0, width - text.utf8.count)) + Array(text.utf8)
      } else {
        var (divisor, digits) = (1000, 4)
        while digits > 0 {
          if digits <= width || number >= divisor { bytes.append(0x30 + UInt8(number / divisor % 10)) }
          (divisor, digits) = (divisor / 10, digits - 1)
        }
      }
      bytes.append(UInt8(ascii: end))
    }
    add(Int(parts.tm_year) + 1900, 4, "-")
    add(Int(parts.tm_mon) + 1, 2, "-")
    add(Int(parts.tm_mday), 2, "T")
    add(Int(parts.tm_hour), 2, ":")
    add(Int(parts.tm_min), 2, ":")
    add(Int(parts.tm_sec), 2, ".")
    add(fraction, 3, "Z")
  }

  /// Reads `YYYY-MM-DDTHH:MM:SS[.fraction](Z|±HH:MM)`. A fraction beyond milliseconds is cut.
  /// - Returns: nil if the text is not such a time.
  public static func parse(_ text: String) -> Instant? {
    let bytes = Array(text.utf8)
    guard bytes.count >= 20, bytes.count <= 64 else { return nil }
    func number(_ range: Range<Int>) -> Int? {
      guard range.upperBound <= bytes.count else { return nil }
      var value = 0
      for byte in bytes[range] {
        guard (0x30...0x39).contains(byte) else { return nil }
        value = value * 10 + Int(byte - 0x30)
      }
      return value
    }
    guard let year = number(0..<4), bytes[4] == 0x2D, let month = number(5..<7), bytes[7] == 0x2D,
      let day = number(8..<10), bytes[10] | 0x20 == 0x74 || bytes[10] == 0x20, let hour = number(11..<13),
      bytes[13] == 0x3A, let minute = number(14..<16), bytes[16] == 0x3A, let second = number(17..<19),
      (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60, second < 61
    else { return nil }
    var position = 19
    var milliseconds = 0
    if bytes[position] == 0x2E {
      position += 1
      let start = position
      var scale = 100
      while position < bytes.count, (0x30...0x39).contains(bytes[position]) {
        milliseconds += Int(bytes[position] - 0x30) * scale
        scale /= 10
        position += 1
      }
      if position == start { return nil }
    }
    guard position < bytes.count else { return nil }
    var offset = 0
    if bytes[position] | 0x20 == 0x7A {
      guard position + 1 == bytes.count else { return nil }
    } else {
      guard bytes[position] == 0x2B || bytes[position] == 0x2D, bytes.count == position + 6,
        let hours = number(position + 1..<position + 3), bytes[position + 3] == 0x3A,
        let minutes = number(position + 4..<position + 6), hours < 24, minutes < 60
      else { return nil }
      offset = (hours * 60 + minutes) * (bytes[position] == 0x2B ? 60 : -60)
    }
    var parts = tm()
    parts.tm_year = Int32(year - 1900)
    parts.tm_mon = Int32(month - 1)
    parts.tm_mday = Int32(day)
    parts.tm_hour = Int32(hour)
    parts.tm_min = Int32(minute)
    parts.tm_sec = Int32(second)
    let seconds = timegm(&parts)
    guard parts.tm_mday == Int32(day), parts.tm_mon == Int32(month - 1) else { return nil }
    return Instant(milliseconds: (Int64(seconds) - Int64(offset)) * 1000 + Int64(milliseconds))
  }
}

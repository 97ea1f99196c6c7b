/// The bytes in which Excel saves a CSV file in western Europe.
enum Windows1252 {
  /// The characters of the bytes 0x80 to 0x9F; 0 where there is none.
  private static let upper: [UInt32] = [
    0x20AC, 0, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0, 0x017D, 0,
    0, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0, 0x017E,
    0x0178,
  ]

  /// The text of these bytes; nil if one of them is no character, so that they are something else.
  static func text(_ bytes: ArraySlice<UInt8>) -> String? {
    var text = ""
    for byte in bytes {
      let code = 0x80...0x9F ~= byte ? upper[Int(byte) - 0x80] : UInt32(byte)
      guard code != 0, let scalar = Unicode.Scalar(code) else { return nil }
      text.unicodeScalars.append(scalar)
    }
    return text
  }
}

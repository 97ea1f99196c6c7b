import Console
import Glibc

/// A text as a square of dark and light, drawn by the system's libqrencode where that is installed: the hub is built and
/// runs without it.
struct QRCode {
  /// How many modules a side has.
  let width: Int
  private let isDark: [Bool]

  /// - Throws: `CommandFailure` where the library is not installed, or the text is too long for a square.
  init(_ text: String) throws {
    guard let library = Self.library else {
      throw CommandFailure("--qr needs libqrencode, which is not installed; run: apt-get install libqrencode4")
    }
    guard let square = library.encode(text, 0, Self.correction) else {
      throw CommandFailure("the text is too long for a QR code")
    }
    defer { library.free(square) }
    // struct QRcode { int version; int width; unsigned char *data; }
    let side = Int(square.load(fromByteOffset: 4, as: Int32.self))
    let data = square.load(fromByteOffset: 8, as: UnsafePointer<UInt8>.self)
    width = side
    isDark = (0..<side * side).map { data[$0] & 1 == 1 }
  }

  /// Whether a module is dark; what lies around the square is light.
  func isDark(_ column: Int, _ row: Int) -> Bool {
    guard 0..<width ~= column, 0..<width ~= row else { return false }
    return isDark[row * width + column]
  }

  /// The square with its margin, two modules a line and character; light is what is drawn, as on a dark terminal.
  var lines: [String] {
    stride(from: -Self.margin, to: width + Self.margin, by: 2).map { row in
      String(
        (-Self.margin..<width + Self.margin).map { column in
          switch (isDark(column, row), isDark(column, row + 1)) {
          case (false, false): "█"
          case (false, true): "▀"
          case (true, false): "▄"
          case (true, true): " "
          }
        })
    }
  }

  private static let margin = 2
  /// 15 % of the square may be unreadable.
  private static let correction: Int32 = 1

  private typealias Encode = @convention(c) (UnsafePointer<CChar>, Int32, Int32) -> UnsafeMutableRawPointer?
  private typealias Free = @convention(c) (UnsafeMutableRawPointer) -> Void

  private static let library: (encode: Encode, free: Free)? = {
    guard let handle = dlopen("libqrencode.so.4", RTLD_NOW | RTLD_LOCAL),
      let encode = dlsym(handle, "QRcode_encodeString8bit"), let free = dlsym(handle, "QRcode_free")
    else { return nil }
    return (unsafeBitCast(encode, to: Encode.self), unsafeBitCast(free, to: Free.self))
  }()
}

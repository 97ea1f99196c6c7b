import CNcurses.System
import Characters

/// What one cell can show: a printable character with at most four combining marks.
public struct Glyph: Equatable, Sendable {
  /// Most combining marks that a cell keeps; further ones are dropped.
  public static let markLimit = CombiningMarks.limit

  // The widest first: in this order a cell takes 32 bytes, in another 48.
  /// Combining marks, unused places 0.
  private(set) var marks: SIMD4<UInt32>
  /// The base character as a Unicode scalar value; never a control character.
  let scalar: UInt32
  /// Columns taken on the terminal: 1 or 2.
  public let width: UInt8

  init(scalar: UInt32, width: UInt8 = 1) {
    self.scalar = scalar
    self.marks = .zero
    self.width = width
  }

  /// An empty cell.
  public static let blank = Glyph(scalar: 0x20)
  static let unknown = Glyph(scalar: 0xFFFD)
  static let question = Glyph(scalar: 0x3F)
  /// Carries a combining mark that has no character before it.
  static let placeholder = Glyph(scalar: 0x25CC)

  var isBlank: Bool { scalar == 0x20 && marks == .zero }

  mutating func add(mark: UInt32) {
    for place in 0..<Self.markLimit where marks[place] == 0 {
      marks[place] = mark
      return
    }
  }

  package func write(to text: inout String) {
    text.unicodeScalars.append(Unicode.Scalar(scalar) ?? " ")
    for place in 0..<Self.markLimit where marks[place] != 0 {
      text.unicodeScalars.append(Unicode.Scalar(marks[place]) ?? " ")
    }
  }
}

/// What becomes of one scalar of untrusted text.
enum SanitisedScalar {
  case glyph(Glyph)
  case mark(UInt32)
  case dropped

  init(_ scalar: Unicode.Scalar, encoding: TerminalEncoding) {
    let value = scalar.value
    switch value {
    case 0x20...0x7E: self = .glyph(Glyph(scalar: value))
    case 0x09: self = .glyph(.blank)
    case 0x00...0x1F: self = .glyph(encoding == .utf8 ? Glyph(scalar: 0x2400 + value) : .question)
    case 0x7F: self = .glyph(encoding == .utf8 ? Glyph(scalar: 0x2421) : .question)
    case 0x80...0x9F: self = .glyph(encoding == .utf8 ? .unknown : .question)
    default: self = Self.beyondASCII(scalar, encoding: encoding)
    }
  }

  private static func beyondASCII(_ scalar: Unicode.Scalar, encoding: TerminalEncoding) -> SanitisedScalar {
    let value = scalar.value
    switch UnsafeCharacter(scalar) {
    case .hidden: return .dropped
    case .separator: return .glyph(.blank)
    case .control, nil: break
    }
    if encoding == .ascii { return ASCIIForm.of(scalar).map { .glyph(Glyph(scalar: $0.value)) } ?? .dropped }
    switch osce_character_width(value) {
    case 0: return .mark(value)
    case 1: return .glyph(Glyph(scalar: value))
    case 2: return .glyph(Glyph(scalar: value, width: 2))
    default: return .glyph(.unknown)
    }
  }
}

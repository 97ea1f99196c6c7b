/// What the finished escape sequences of the supported terminals mean. Anything not listed means nothing.
enum EscapeSequences {
  /// `ESC O` parameters final.
  static func singleShift(_ final: UInt8, _ parameters: [UInt8]) -> Key? {
    // rxvt: Control with an arrow.
    if parameters.isEmpty, (0x61...0x64).contains(final), let code = letter(final - 0x20) { return Key(code, .control) }
    if let code = letter(final) {
      guard parameters.isEmpty || values(parameters) != nil else { return nil }
      return Key(code, modifiers(values(parameters)?.last ?? 1))
    }
    guard parameters.isEmpty else { return nil }
    switch final {
    case 0x4D: return .enter
    case 0x49: return .tab
    case 0x6A...0x79:
      // The numeric keypad in application mode: * + , - . / 0 … 9.
      return .character(Character(Unicode.Scalar(final - 0x40)))
    case 0x58: return .character("=")
    default: return nil
    }
  }

  /// `ESC [` parameters final.
  static func control(_ final: UInt8, _ parameters: [UInt8]) -> Key? {
    guard let numbers = values(parameters) else { return nil }
    switch final {
    case 0x5A: return Key(.tab, .shift)
    case 0x61...0x64 where parameters.isEmpty:
      // rxvt: Shift with an arrow.
      return letter(final - 0x20).map { Key($0, .shift) }
    case 0x7E: return numbered(numbers, extra: [])
    case 0x24: return numbered(numbers, extra: .shift)
    case 0x5E: return numbered(numbers, extra: .control)
    case 0x40: return numbered(numbers, extra: [.control, .shift])
    // Anything but "1" before the modifier is another sequence, such as a cursor report ending in R.
    default:
      guard numbers.isEmpty || (numbers.count <= 2 && numbers[0] == 1) else { return nil }
      return letter(final).map { Key($0, modifiers(numbers.count == 2 ? numbers[1] : 1)) }
    }
  }

  private static func letter(_ final: UInt8) -> Key.Code? {
    switch final {
    case 0x41: .up
    case 0x42: .down
    case 0x43: .right
    case 0x44: .left
    case 0x46: .end
    case 0x48: .home
    case 0x50...0x53: .function(Int(final) - 0x4F)
    default: nil
    }
  }

  private static func numbered(_ numbers: [Int], extra: Key.Modifiers) -> Key? {
    guard let number = numbers.first, numbers.count <= 2 else { return nil }
    let code: Key.Code? =
      switch number {
      case 1, 7: .home
      case 2: .insert
      case 3: .delete
      case 4, 8: .end
      case 5: .pageUp
      case 6: .pageDown
      case 11...15: .function(number - 10)
      case 17...21: .function(number - 11)
      case 23...26: .function(number - 12)
      case 28, 29: .function(number - 13)
      case 31...34: .function(number - 14)
      default: nil
      }
    return code.map { Key($0, modifiers(numbers.count == 2 ? numbers[1] : 1).union(extra)) }
  }

  /// xterm's modifier number: 1 + shift + 2 alt + 4 control; Meta (8) counts as Alt.
  private static func modifiers(_ number: Int) -> Key.Modifiers {
    let bits = max(0, number - 1)
    var result = Key.Modifiers(rawValue: UInt8(bits & 7))
    if bits & 8 != 0 { result.insert(.alt) }
    return result
  }

  /// Numbers between semicolons; nil for anything else, such as a private sequence.
  private static func values(_ parameters: [UInt8]) -> [Int]? {
    if parameters.isEmpty { return [] }
    var result = [0]
    for byte in parameters {
      switch byte {
      case 0x30...0x39: result[result.count - 1] = min(10_000, result[result.count - 1] * 10 + Int(byte) - 0x30)
      case 0x3B: result.append(0)
      default: return nil
      }
    }
    return result
  }
}

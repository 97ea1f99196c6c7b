import CNcurses.Curses

/// Styles as curses knows them: attributes, and numbered pairs of colours that are made when first used.
@MainActor
struct ColorPairs {
  /// Number of colours of the terminal, 0 for none.
  let colours: Int
  private let hasDefaults: Bool
  private let limit: Int
  private var numbers: [Int: Int16] = [:]

  /// Asks the terminal that curses was started on.
  init() {
    var defaults: Int32 = 0
    colours = Int(osce_start_color(&defaults))
    hasDefaults = defaults == 1
    limit = min(Int(osce_pair_count()), 32_767)
  }

  func attributes(_ style: Style) -> UInt32 {
    var bits: UInt32 = 0
    if style.attributes.contains(.bold) || isBright(style.foreground) { bits |= osce_bold }
    if style.attributes.contains(.dim) { bits |= osce_dim }
    if style.attributes.contains(.reverse) { bits |= osce_reverse }
    if style.attributes.contains(.underline) { bits |= osce_underline }
    return bits
  }

  /// With eight colours a bright one is the plain one in bold.
  private func isBright(_ color: Color) -> Bool {
    colours > 0 && colours < 16 && color.rawValue > Color.white.rawValue
  }

  /// The pair of a style; 0, the terminal's own, if there are no colours or no more pairs.
  mutating func pair(_ style: Style) -> Int16 {
    if colours < 8 || (style.foreground == .terminal && style.background == .terminal) { return 0 }
    let key = Int(style.foreground.rawValue) * 32 + Int(style.background.rawValue)
    if let known = numbers[key] { return known }
    let next = numbers.count + 1
    guard next < limit else { return 0 }
    let made = osce_init_pair(Int16(next), number(style.foreground, or: 7), number(style.background, or: 0))
    let pair: Int16 = made == 0 ? Int16(next) : 0
    numbers[key] = pair
    return pair
  }

  private func number(_ color: Color, or fallback: Int16) -> Int16 {
    if color == .terminal { return hasDefaults ? -1 : fallback }
    return Int16(Int(color.rawValue) - 1) % (colours < 16 ? 8 : 16)
  }
}

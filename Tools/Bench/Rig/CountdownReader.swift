/// Reads which time left a terminal shows. A mark sheet has it in letters; a wall has it in glyphs made of blocks, which
/// are learnt beside a mark sheet while no digit moves.
public struct CountdownReader: Sendable {
  private var glyphs: [String: Character] = [:]

  /// Nothing is learnt yet.
  public init() {}

  /// The digits that have been learnt.
  public var learnt: Set<Character> { Set(glyphs.values).filter(\.isNumber) }

  /// The time left on a mark sheet, as it stands at the end of the first line.
  public static func text(onSheet screen: ScreenText) -> String {
    String(screen.lines[0].split(separator: " ").last ?? "")
  }

  /// Seconds of a time such as `7:05` or `22:21:07`; nil if it is none.
  public static func seconds(_ text: String) -> Int64? {
    let parts = text.split(separator: ":").map { Int64($0) }
    guard parts.count > 1, !parts.contains(nil) else { return nil }
    return parts.reduce(0) { $0 * 60 + ($1 ?? 0) }
  }

  /// Learns the glyphs of a wall that shows a time.
  /// - Throws: `RigError` if it has not as many glyphs as the time has letters, or one that has another meaning.
  public mutating func learn(wall: ScreenText, shows text: String) throws {
    let found = CountdownReader.blocks(wall)
    guard found.count == text.count else {
      throw RigError("a wall shows \(found.count) glyphs, not \(text):\n" + wall.lines.joined(separator: "\n"))
    }
    for (glyph, character) in zip(found, text) {
      if let known = glyphs[glyph], known != character { throw RigError("a wall shows \(known) for \(character)") }
      glyphs[glyph] = character
    }
  }

  /// The time left on a wall in seconds; nil if some of it cannot be read, as in the middle of a change.
  public func seconds(onWall screen: ScreenText) -> Int64? {
    let characters = CountdownReader.blocks(screen).map { glyphs[$0] }
    guard !characters.contains(nil) else { return nil }
    return CountdownReader.seconds(String(characters.compactMap { $0 }))
  }

  private static func isBlock(_ character: Character) -> Bool { "█▀▄".contains(character) }

  /// The glyphs from left to right: columns with blocks between columns without.
  private static func blocks(_ screen: ScreenText) -> [String] {
    let rows = screen.lines.filter { $0.contains(where: isBlock) }.map(Array.init)
    let width = rows.map(\.count).max() ?? 0
    var (found, glyph): ([String], [String]) = ([], [])
    for column in 0...width {
      let cells = String(rows.map { column < $0.count && isBlock($0[column]) ? $0[column] : " " })
      if cells.contains(where: isBlock) {
        glyph.append(cells)
      } else if !glyph.isEmpty {
        found.append(glyph.joined(separator: "\n"))
        glyph = []
      }
    }
    return found
  }
}

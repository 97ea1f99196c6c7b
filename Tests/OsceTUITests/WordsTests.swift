import Foundation
import Testing

/// What the program says, as docs/words.md asks for it.
@Suite("Words")
struct WordsTests {
  /// Phrases that docs/words.md replaces, as they stand in texts.
  private static var leftOver: Regex<Substring> {
    #/\b(?:all the same|anew|is meant|let go|looked after|whoever|taken back)\b/#.ignoresCase()
  }

  @Test("no text of the program has a phrase that docs/words.md replaces")
  func leftOvers() throws {
    let sources = Fixture.root + "/Sources"
    let files = try #require(FileManager.default.enumerator(atPath: sources)).compactMap { $0 as? String }
      .filter { $0.hasSuffix(".swift") }
    #expect(files.count > 300)
    var found: [String] = []
    for file in files {
      let text = try String(contentsOfFile: sources + "/" + file, encoding: .utf8)
      for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
      where Self.texts(String(line)).contains(where: { $0.contains(Self.leftOver) }) {
        found.append("\(file):\(index + 1): \(line)")
      }
    }
    #expect(found == [])
  }

  @Test("no comment of the sources and no page has one either") func comments() throws {
    var found: [String] = []
    for (folder, suffix) in [("Sources", ".swift"), ("docs", ".md"), ("", "README.md")] {
      let root = Fixture.root + "/" + folder
      let files =
        folder.isEmpty
        ? [suffix] : try #require(FileManager.default.enumerator(atPath: root)).compactMap { $0 as? String }
      // The page that names the phrases has them.
      for file in files where file.hasSuffix(suffix) && file != "words.md" {
        let text = try String(contentsOfFile: root + "/" + file, encoding: .utf8)
        if !text.contains(Self.leftOver) { continue }
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
        where line.contains(Self.leftOver) { found.append("\(file):\(index + 1): \(line)") }
      }
    }
    #expect(found == [])
  }

  @Test("every phrase of its last section is looked for")
  func page() throws {
    let page = try String(contentsOfFile: Fixture.root + "/docs/words.md", encoding: .utf8)
    let section = try #require(page.components(separatedBy: "## Left-overs").last)
    let phrases = section.matches(of: #/`([a-z ]+)`/#).map { String($0.output.1) }
    #expect(phrases.count == 7)
    #expect(phrases.allSatisfy { $0.contains(Self.leftOver) })
  }

  /// The quoted texts of a line, comments left out.
  private static func texts(_ line: String) -> [String] {
    if line.contains(#/^\s*\/\//#) { return [] }
    return line.matches(of: #/"(?:[^"\\]|\\.)*"/#).map { String($0.output) }
  }
}

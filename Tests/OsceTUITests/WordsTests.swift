import Foundation
import Testing

/// What the program says, as docs/words.md asks for it.
@Suite("Words")
struct WordsTests {
  /// Phrases that docs/words.md replaces, as they stand in texts.
  private static let leftOver = try! NSRegularExpression(
    pattern: #"\b(?:all the same|anew|is meant|let go|looked after|whoever|taken back)\b"#, options: .caseInsensitive)

  private static func has(_ text: String) -> Bool {
    leftOver.firstMatch(in: text, range: NSRange(location: 0, length: text.utf16.count)) != nil
  }

  @Test("no text of the program, no comment and no page has a phrase that docs/words.md replaces") func leftOvers()
    throws
  {
    var (found, count) = ([String](), 0)
    for (folder, suffixes) in [
      ("Sources", [".swift"]), ("Tools", [".swift", ".c", ".py"]), ("docs", [".md"]), ("deploy", [""]),
      ("script", [""]), ("fixtures", ["README.md"]), ("", ["README.md", "CONTRIBUTING.md"]),
    ] {
      let root = Fixture.root + "/" + folder
      let files =
        folder.isEmpty
        ? suffixes : try #require(FileManager.default.enumerator(atPath: root)).compactMap { $0 as? String }
      // The page that names the phrases has them.
      for file in files where suffixes.contains(where: file.hasSuffix) && file != "words.md" {
        var isFolder: ObjCBool = false
        _ = FileManager.default.fileExists(atPath: root + "/" + file, isDirectory: &isFolder)
        if isFolder.boolValue { continue }
        let text = try String(contentsOfFile: root + "/" + file, encoding: .utf8)
        count += 1
        if !Self.has(text) { continue }
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
        where Self.has(String(line)) { found.append("\(file):\(index + 1): \(line)") }
      }
    }
    #expect(found == [] && count > 300)
  }

  @Test("every phrase of its last section is looked for")
  func page() throws {
    let page = try String(contentsOfFile: Fixture.root + "/docs/words.md", encoding: .utf8)
    let section = try #require(page.components(separatedBy: "## Left-overs").last)
    let phrases = section.matches(of: #/`([a-z ]+)`/#).map { String($0.output.1) }
    #expect(phrases.count == 7)
    #expect(phrases.allSatisfy { Self.has($0) })
  }
}

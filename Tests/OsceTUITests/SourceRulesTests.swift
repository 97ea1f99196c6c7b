import Foundation
import Testing

/// What the sources keep to and no compiler holds.
@Suite("Rules of the sources")
struct SourceRulesTests {
  /// A class whose initialiser fails when all it holds is there is ended as well: a descriptor that both close may by
  /// then be another thread's.
  @Test("nothing but an open file closes a descriptor when it ends") func descriptors() throws {
    let closing = try Self.texts().filter { $0.text.contains(#/deinit \{[^}]*\b(?:Glibc\.)?close\(/#) }.map(\.file)
    // The loop's waker is below that floor, and its initialiser fails only where there is nothing to close.
    #expect(Set(closing) == ["ExamStore/Files/OpenFile.swift", "Terminal/Loop/Waker.swift"])
  }

  @Test("every screen's keys are listed, so that they are documented and can be bound") func listedKeys() throws {
    let texts = try Self.texts()
    let list = try #require(texts.first { $0.file == "OsceTUI/App/Keys/ListedKeys.swift" }).text
    let screens = texts.flatMap { $0.text.matches(of: #/static let keys = KeyTable<(\w+Screen)>/#).map(\.output.1) }
    #expect(!screens.isEmpty)
    for screen in screens { #expect(list.contains("ListedKeys(\(screen).keys"), "\(screen)") }
  }

  private static func texts() throws -> [(file: String, text: String)] {
    let sources = Fixture.root + "/Sources"
    return try #require(FileManager.default.enumerator(atPath: sources)).compactMap { $0 as? String }
      .filter { $0.hasSuffix(".swift") }
      .map { ($0, try String(contentsOfFile: sources + "/" + $0, encoding: .utf8)) }
  }
}

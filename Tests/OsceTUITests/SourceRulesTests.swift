import Foundation
import Testing

/// What the sources keep to and no compiler holds.
@Suite("Rules of the sources")
struct SourceRulesTests {
  /// A class whose initialiser fails when all it holds is there is ended as well: a descriptor that both close may by
  /// then be another thread's.
  @Test("nothing but an open file closes a descriptor when it ends") func descriptors() throws {
    let sources = Fixture.root + "/Sources"
    let files = try #require(FileManager.default.enumerator(atPath: sources)).compactMap { $0 as? String }
      .filter { $0.hasSuffix(".swift") }
    let closing = try files.filter {
      try String(contentsOfFile: sources + "/" + $0, encoding: .utf8)
        .contains(#/deinit \{[^}]*\b(?:Glibc\.)?close\(/#)
    }
    // The loop's waker is below that floor, and its initialiser fails only where there is nothing to close.
    #expect(Set(closing) == ["ExamStore/Files/OpenFile.swift", "Terminal/Loop/Waker.swift"])
  }
}

import Foundation
import FuzzTargets
import Testing

/// Inputs that a reader once broke on, or that lead deep into it, read again with every change.
@Suite("Inputs of the fuzzer")
struct CorpusTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  private static func files(below folder: URL) -> [URL] {
    let all = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: [.isRegularFileKey])
    return (all?.compactMap { $0 as? URL } ?? []).filter {
      (try? $0.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile) == true
    }
  }

  @Test("whatever was found once is read without a trap", arguments: FuzzTarget.allCases)
  func corpus(target: FuzzTarget) throws {
    let files = CorpusTests.files(below: CorpusTests.root.appending(path: "Tools/Fuzz/Corpus/\(target.rawValue)"))
    #expect(!files.isEmpty)
    for file in files { try target.read([UInt8](Data(contentsOf: file))) }
  }

  @Test("every file of the fixtures is read by every reader without a trap", arguments: FuzzTarget.allCases)
  func fixtures(target: FuzzTarget) throws {
    let files = CorpusTests.files(below: CorpusTests.root.appending(path: "fixtures"))
    #expect(!files.isEmpty)
    for file in files { try target.read([UInt8](Data(contentsOf: file))) }
  }
}

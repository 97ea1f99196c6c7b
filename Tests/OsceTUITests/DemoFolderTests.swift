import ExamStore
import Testing

@testable import OsceTUI

@Suite("The folder of a demonstration") struct DemoFolderTests {
  @Test("a store is a demonstration's by its folder, where that lies, and its own name: no other goes without copies")
  func holds() throws {
    let folder = try DemoFolder.make()
    defer { folder.remove() }
    func holds(_ path: String) -> Bool { DemoFolder.holds(StoreLocation(path: path)) }
    #expect(holds(folder.path + "/demo.sqlite"))
    #expect(!holds(folder.path + "/exam.sqlite"))
    #expect(!holds("/srv/osce-demo-2026/demo.sqlite"))
    #expect(!holds("/srv/osce-demo-2026/exam.sqlite"))
  }
}

import Foundation
import Testing

/// The simulation runs in a process of its own: it decides what is random there.
@Suite("Stores and their hub, whatever goes wrong between them", .serialized) struct SimulationTests {
  private static let program: String? = {
    for argument in ["/proc/self/exe"] + CommandLine.arguments {
      let folder = URL(fileURLWithPath: argument).resolvingSymlinksInPath().deletingLastPathComponent().path
      for candidate in [folder, folder + "/.."] where access(candidate + "/osce-simulation", X_OK) == 0 {
        return candidate + "/osce-simulation"
      }
    }
    return nil
  }()

  private func simulate(_ arguments: String...) throws -> (output: String, status: Int32) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: try #require(Self.program, "the program osce-simulation is not built"))
    process.arguments = arguments
    let pipe = Pipe()
    (process.standardOutput, process.standardError) = (pipe, pipe)
    try process.run()
    let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return (output, process.terminationStatus)
  }

  // Always the same ones: what fails here is the change's own. script/simulate takes others.
  @Test("keep what must hold in every history") func histories() throws {
    let run = try simulate("--histories", "3", "--seed", "1")
    #expect(run.status == 0, "\(run.output)")
  }

  @Test("take the same course again from the same seed") func repeats() throws {
    let seed = "5"
    let courses = try (0..<2).map { _ in
      try simulate("--histories", "1", "--steps", "110", "--seed", seed, "--trace").output.split(separator: "\n")
        .filter { !$0.hasSuffix(" s") }
    }
    #expect(courses[0] == courses[1] && courses[0].count > 50, "seed \(seed)")
  }

  @Test(
    "are seen to break what a mistake breaks",
    arguments: [("answerBeforeCommit", "I2"), ("numberOutsideCommit", "I4")])
  func sabotage(_ mistake: String, _ invariant: String) throws {
    let run = try simulate("--histories", "12", "--seed", "1", "--sabotage", mistake)
    #expect(run.status != 0 && run.output.contains("FAULT \(invariant) "), "\(run.output)")
  }
}

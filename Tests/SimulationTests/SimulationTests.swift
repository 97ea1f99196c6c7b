import Foundation
import SystemTesting
import Testing

/// The simulation runs in a process of its own: it decides what is random there.
@Suite("Stores and their hub, whatever goes wrong between them", .serialized, .ahead) struct SimulationTests {
  private static let program: String? = {
    for argument in ["/proc/self/exe"] + CommandLine.arguments {
      let folder = URL(fileURLWithPath: argument).resolvingSymlinksInPath().deletingLastPathComponent().path
      for candidate in [folder, folder + "/.."] where access(candidate + "/osce-simulation", X_OK) == 0 {
        return candidate + "/osce-simulation"
      }
    }
    return nil
  }()

  private func simulate(_ arguments: String...) async throws -> (output: String, status: Int32) {
    let program = try #require(Self.program, "the program osce-simulation is not built")
    let ended = try await EndedProgram.run(program, arguments)
    return (ended.output + ended.failure, ended.code)
  }

  // Always the same ones: what fails here is the change's own. script/simulate takes others.
  @Test("keep what must hold in every history") func histories() async throws {
    let run = try await simulate("--histories", "3", "--seed", "1")
    #expect(run.status == 0, "\(run.output)")
  }

  @Test("take the same course again from the same seed") func repeats() async throws {
    let seed = "5"
    func course() async throws -> [Substring] {
      try await simulate("--histories", "1", "--steps", "110", "--seed", seed, "--trace").output.split(separator: "\n")
        .filter { !$0.hasSuffix(" s") }
    }
    let courses = [try await course(), try await course()]
    #expect(courses[0] == courses[1] && courses[0].count > 50, "seed \(seed)")
  }

  @Test(
    "are seen to break what a mistake breaks",
    arguments: [("answerBeforeCommit", "I2"), ("numberOutsideCommit", "I4")])
  func sabotage(_ mistake: String, _ invariant: String) async throws {
    let run = try await simulate("--histories", "12", "--seed", "1", "--sabotage", mistake)
    #expect(run.status != 0 && run.output.contains("FAULT \(invariant) "), "\(run.output)")
  }
}

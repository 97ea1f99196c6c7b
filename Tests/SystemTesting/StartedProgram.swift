import Foundation
import Glibc

/// A program that was run to its end.
public struct EndedProgram: Sendable {
  /// Its exit code.
  public let code: Int32
  /// What it wrote to standard output.
  public let output: String
  /// What it wrote to standard error.
  public let failure: String

  /// Runs a program, and waits for its end.
  /// - Parameters:
  ///   - environment: besides the tests' own.
  ///   - input: what it reads.
  public static func run(
    _ path: String, _ arguments: [String], environment: [String: String] = [:], input: Data? = nil
  ) async throws -> EndedProgram {
    guard let input else { return await (try StartedProgram(path, arguments, environment: environment)).ended() }
    let (reading, writing) = try StartedProgram.pipe()
    let program = try StartedProgram(path, arguments, environment: environment, input: reading)
    try reading.close()
    async let fed: Void = offPool {
      writing.write(input)
      try writing.close()
    }
    let ended = await program.ended()
    try await fed
    return ended
  }
}

/// A program that runs.
public struct StartedProgram: Sendable {
  /// The program.
  public let process = Process()
  /// What it writes to standard output.
  public let output: FileHandle
  /// What it writes to standard error.
  public let failure: FileHandle
  // `waitUntilExit` turns a run loop round and round, which takes a processor until the program's end.
  private let running = DispatchGroup()

  /// Starts a program.
  /// - Parameters:
  ///   - environment: besides the tests' own.
  ///   - input: what it reads.
  public init(
    _ path: String, _ arguments: [String], environment: [String: String] = [:], input: FileHandle = .nullDevice
  ) throws {
    let (said, complaint) = (try Self.pipe(), try Self.pipe())
    (output, failure) = (said.reading, complaint.reading)
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    (process.standardInput, process.standardOutput, process.standardError) = (input, said.writing, complaint.writing)
    running.enter()
    process.terminationHandler = { [running] _ in running.leave() }
    try process.run()
    for end in [said.writing, complaint.writing] { try end.close() }
  }

  /// A pipe that no program inherits which another test starts meanwhile: its end would never come while that runs.
  static func pipe() throws -> (reading: FileHandle, writing: FileHandle) {
    var ends: [Int32] = [-1, -1]
    guard Glibc.pipe(&ends) == 0 else { throw CocoaError(.fileWriteUnknown) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let handles = ends.map { FileHandle(fileDescriptor: $0, closeOnDealloc: true) }
    return (handles[0], handles[1])
  }

  /// Waits for its end; what it writes is not read, so it has to be little.
  public func waitForEnd() { running.wait() }

  /// Waits for its end, and reads what it has written.
  public func ended() async -> EndedProgram {
    async let said = offPool { output.readDataToEndOfFile() }
    async let complaint = offPool { failure.readDataToEndOfFile() }
    let (text, problem) = await (said, complaint)
    await offPool { waitForEnd() }
    return EndedProgram(
      code: process.terminationStatus, output: String(decoding: text, as: UTF8.self),
      failure: String(decoding: problem, as: UTF8.self))
  }
}

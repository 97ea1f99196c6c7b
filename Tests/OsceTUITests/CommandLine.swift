import ArgumentParser
import Console
import ExamFiles
import ExamStore
import Foundation
import Reports
import SystemTesting

@testable import CircuitModel
@testable import OsceTUI

/// Commands by their lines, each read once.
final class ReadCommands {
  private var commands: [[String]: any ParsableCommand] = [:]

  func command(of arguments: [String]) throws -> any ParsableCommand {
    if let command = commands[arguments] { return command }
    let command = try Osce.command(of: arguments)
    commands[arguments] = command
    return command
  }
}

/// Runs command lines against a store of their own, as a shell would, and keeps what they print.
final class CommandRunner {
  let folder: String
  let store: String

  struct Result {
    let code: Int32
    let output: String
    let failure: String

    /// The output as JSON.
    var json: Any? { try? JSONSerialization.jsonObject(with: Data(output.utf8), options: [.fragmentsAllowed]) }
    var object: [String: Any] { json as? [String: Any] ?? [:] }
    var list: [[String: Any]] { json as? [[String: Any]] ?? [] }
  }

  /// A store with the year 3 exam.
  init() throws {
    folder = try ScratchFolder.make()
    store = folder + "/exam.sqlite"
    let isMade = FileManager.default.createFile(
      atPath: store, contents: CommandRunner.loadedStore, attributes: [.posixPermissions: 0o600])
    precondition(isMade)
  }

  /// The file of a store with the year 3 exam: loaded once, because that takes a while.
  private static let loadedStore: Data = {
    let folder = try! ScratchFolder.make()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let fixture = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("fixtures/year3-osce").path
    let store = try! ExamStore(StoreLocation(path: folder + "/exam.sqlite"), .createIfMissing)
    let outcome = try! ExamImport.load([fixture], into: store)
    precondition(outcome.report != nil, "\(outcome.problems)")
    precondition(store.close())
    return try! Data(contentsOf: URL(fileURLWithPath: folder + "/exam.sqlite"))
  }()

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  func withStore<T>(_ opening: ExamStore.Opening = .existing, _ body: (ExamStore) throws -> T) throws -> T {
    let store = try ExamStore(StoreLocation(path: store), opening)
    defer { store.close() }
    return try body(store)
  }

  /// Gives a member of staff a passcode.
  func givePasscode(_ passcode: String, to username: String) throws {
    let hash = try Passcode.hash(passcode, rounds: 16)
    try withStore { store in
      try store.write(.program) { transaction in
        let member = try StaffMember.find(username: username, in: transaction.db)
        try transaction.set("Staff", String(member.id), ["passcodeHash": .text(hash)])
      }
    }
  }

  /// Runs a command with `--store` behind it.
  func run(_ arguments: String...) -> Result { CommandRunner.run(arguments + ["--store", store]) }

  /// - Parameter reading: commands that were read before: the parser's own checks in a debug build take longer than most
  ///   commands, and a suite may run the same line hundreds of times.
  static func run(_ arguments: [String], reading: ReadCommands = ReadCommands()) -> Result {
    let capture = Output.Capture()
    let code = Output.$capture.withValue(capture) { Osce.run(arguments) { try reading.command(of: $0) } }
    return Result(code: code, output: capture.text(of: 1), failure: capture.text(of: 2))
  }
}

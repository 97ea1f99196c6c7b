import ArgumentParser
import Foundation
import Hub
import Journal
import Sync

/// `osce-hub export`: an exam's log, entry by entry.
struct ExportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Print an exam's log: a line an entry, with the log's hash.")

  @OptionGroup var choice: ExamChoice
  @OptionGroup var options: HubOptions

  func run() async throws {
    let hub = Hub(try options.database(), version: OsceHub.configuration.version)
    let exam = try await choice.chosen(in: hub)
    try await hub.export(exam.id) { line in FileHandle.standardOutput.write(Data(line)) }
  }
}

/// `osce-hub restore`: puts a backup in the place of the hub's database.
struct RestoreCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore", abstract: "Put a backup of the database in its place; terminals bring what it lacks.",
    discussion: "The hub must not be running. What was there is kept beside it.")

  @Argument(help: "A copy of hub.sqlite.")
  var backup: String

  @OptionGroup var options: HubOptions

  func run() async throws {
    let path = try options.folder() + "/hub.sqlite"
    let files = FileManager.default
    guard files.fileExists(atPath: backup) else { throw HubFailure("there is no file \(backup)") }
    // Opened first: what is no hub's database is refused before anything moves.
    let copy = path + ".restored"
    try? files.removeItem(atPath: copy)
    try files.copyItem(atPath: backup, toPath: copy)
    let database = try SQLiteDatabase(path: copy)
    let hub = Hub(database, version: OsceHub.configuration.version)
    for exam in try await hub.exams() { try await hub.beginAnew(exam.id) }
    try database.close()
    if files.fileExists(atPath: path) {
      try? files.removeItem(atPath: path + ".before-restore")
      try files.moveItem(atPath: path, toPath: path + ".before-restore")
    }
    for end in ["-wal", "-shm"] { try? files.removeItem(atPath: path + end) }
    try files.moveItem(atPath: copy, toPath: path)
    for end in [".lock", "-wal", "-shm"] { try? files.removeItem(atPath: copy + end) }
    print("restored; terminals bring what the backup lacks when they next exchange")
  }
}

/// `osce-hub fill`: a new hub in the place of one that is lost.
struct FillCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fill", abstract: "Fill a new hub from the terminals of an exam whose hub is lost.",
    discussion: """
      Without --close: makes an empty exam with the identifier of the lost one; enrol the terminals with \
      osce enrol URL CODE --same-exam. With --close: ends the filling, lists what no terminal had.
      """)

  @Argument(help: "The exam's identifier, as osce sync --json says it on any terminal.")
  var exam: String

  @Option(name: .long, help: "What people call the exam.")
  var name = "exam"

  @Flag(name: .long, help: "End the filling.")
  var close = false

  @OptionGroup var options: HubOptions

  func run() async throws {
    guard let exam = UUIDBytes(exam.lowercased()) else { throw HubFailure("'\(exam)' is no identifier") }
    let hub = Hub(try options.database(), version: OsceHub.configuration.version)
    guard close else {
      try await hub.makeExam(exam, named: name, device: .random(), isFilling: true)
      return print(
        "ready: osce-hub code --uses 100 --minutes 60, then on each terminal: osce enrol URL CODE --same-exam")
    }
    let holes = try await hub.endFilling(exam)
    for hole in holes { print("device \(hole.device): number \(hole.missing) is missing") }
    print(holes.isEmpty ? "filled: every chain is whole" : "filled, with \(holes.count) holes")
  }
}

/// `osce-hub doctor`: whether the database is what was written.
struct DoctorCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor", abstract: "Check every log: its hash, each operation, each device's chain.")

  @OptionGroup var options: HubOptions

  func run() async throws {
    let hub = Hub(try options.database(), version: OsceHub.configuration.version)
    var isSound = true
    for exam in try await hub.exams() {
      let faults = try await hub.examine(exam.id)
      print("\(exam.id)  \(Plain.line(exam.name)): \(faults.isEmpty ? "sound, \(exam.head) entries" : "NOT SOUND")")
      for fault in faults { print("  \(Plain.line(fault))") }
      if !faults.isEmpty { isSound = false }
    }
    if !isSound { throw ExitCode(1) }
  }
}

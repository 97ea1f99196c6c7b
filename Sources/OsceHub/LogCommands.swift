import ArgumentParser
import Foundation
import Hub
import Journal
import Sync

/// `osce-hub export`: an exam's log, entry by entry, or everything as a file.
struct ExportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Print an exam's log: a line an entry, with the log's hash.",
    discussion: """
      With --file: everything that the hub keeps, of all exams, the hashes of tokens and codes included, as a file that \
      osce-hub restore takes, into a folder or into PostgreSQL. The hub may run meanwhile.
      """)

  @Option(name: .long, help: "Write everything into a new file instead.")
  var file: String?

  @OptionGroup var choice: ExamChoice
  @OptionGroup var options: HubOptions

  func run() async throws {
    let database = try await options.database()
    if let file {
      try await save(database, to: file)
      return try database.close()
    }
    let hub = Hub(database, version: OsceHub.configuration.version)
    let exam = try await choice.chosen(in: hub)
    try await hub.export(exam.id) { line in FileHandle.standardOutput.write(Data(line)) }
    try database.close()
  }

  private func save(_ database: any HubDatabase, to path: String) async throws {
    guard !FileManager.default.fileExists(atPath: path) else { throw HubFailure("\(path) is there already") }
    try await DatabaseFile.making(path) { try await database.save(to: $0) }
    print("written: \(path)")
  }
}

/// Files that hold a hub's database and that no hub runs on.
enum DatabaseFile {
  /// Makes or changes a file; when `body` throws, it is gone.
  static func making(_ path: String, _ body: (SQLiteDatabase) async throws -> Void) async throws {
    do {
      let database = try SQLiteDatabase(path: path)
      try await body(database)
      try database.close()
    } catch {
      remove(path)
      throw error
    }
    removeBeside(path)
  }

  /// Removes a file with what lies beside it.
  static func remove(_ path: String) {
    try? FileManager.default.removeItem(atPath: path)
    removeBeside(path)
  }

  private static func removeBeside(_ path: String) {
    for end in [".lock", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + end) }
  }
}

/// `osce-hub restore`: puts a backup in the place of the hub's database.
struct RestoreCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore", abstract: "Put a backup of the database in its place; terminals bring what it lacks.",
    discussion: """
      The hub must not be running. What was there is kept beside it. Into PostgreSQL: into a database without the \
      exams of the backup.
      """)

  @Argument(help: "A copy of hub.sqlite, or what osce-hub export --file wrote.")
  var backup: String

  @Flag(
    name: .long,
    help: "The hub that the file is of was stopped before, and does not run again: terminals notice nothing.")
  var moved = false

  @OptionGroup var options: HubOptions

  func run() async throws {
    let path = try options.folder() + "/hub.sqlite"
    guard FileManager.default.fileExists(atPath: backup) else { throw HubFailure("there is no file \(backup)") }
    // Opened first: what is no hub's database is refused before anything moves.
    let copy = path + ".restored"
    DatabaseFile.remove(copy)
    try FileManager.default.copyItem(atPath: backup, toPath: copy)
    try await DatabaseFile.making(copy) { database in
      if moved { return }
      let hub = Hub(database, version: OsceHub.configuration.version)
      for exam in try await hub.exams() { try await hub.beginAnew(exam.id) }
    }
    if options.address == nil { try replace(path, by: copy) } else { try await load(copy) }
    print(moved ? "moved" : "restored; terminals bring what the backup lacks when they next exchange")
  }

  private func replace(_ path: String, by copy: String) throws {
    let files = FileManager.default
    if files.fileExists(atPath: path) {
      try? files.removeItem(atPath: path + ".before-restore")
      try files.moveItem(atPath: path, toPath: path + ".before-restore")
    }
    for end in ["-wal", "-shm"] { try? files.removeItem(atPath: path + end) }
    try files.moveItem(atPath: copy, toPath: path)
  }

  private func load(_ copy: String) async throws {
    defer { DatabaseFile.remove(copy) }
    let database = try await options.database()
    let file = try SQLiteDatabase(path: copy)
    try await database.load(from: file)
    try file.close()
    try database.close()
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
    let hub = try await options.hub()
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
    let hub = try await options.hub()
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

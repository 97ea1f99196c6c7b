import ArgumentParser
import Console
import ExamStore
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
    let hub = Hub(database, version: OsceHub.configuration.version)
    if let file {
      try await hub.noteExport(of: hub.exams().map(\.id), "file")
      try await save(database, to: file)
      return try database.close()
    }
    let exam = try await choice.chosen(in: hub)
    try await hub.noteExport(of: [exam.id], "log")
    try await hub.export(exam.id) { line in try Output.standard.data(line) }
    try database.close()
  }

  private func save(_ database: any HubDatabase, to path: String) async throws {
    let place = try BackupPlace.take(path)
    guard !FileManager.default.fileExists(atPath: path) else { throw HubFailure("\(path) is there already") }
    try await DatabaseFile.change(place.makePart()) { try await database.save(to: $0) }
    try place.put()
    Output.standard.line("written: \(path)")
  }
}

/// Files that hold a hub's database and that no hub runs on.
enum DatabaseFile {
  /// Changes a file so that afterwards it is whole without the log beside it.
  /// - Parameter original: what the file is a copy of; nil: of none.
  static func change(
    _ path: String, of original: String? = nil, _ body: (SQLiteDatabase) async throws -> Void
  ) async throws {
    let database: SQLiteDatabase
    do { database = try SQLiteDatabase(path: path) } catch let error as StoreError {
      throw HubFailure(original.map { error.description.replacing(path, with: $0) } ?? error.description)
    }
    defer { try? database.close() }
    try await body(database)
    // Closing moves the log only where the last connection to close may write.
    guard try await database.scrub() else {
      throw HubFailure("\(path) could not be written whole; nothing else was changed")
    }
  }

  /// Copies a backup, with its log if it has one, into an empty file.
  /// - Throws: `HubFailure` for what is no file, which would be waited for, and for a database that is in use.
  static func copy(_ backup: String, to path: String) throws {
    if let user = StoreUsers.others(of: StoreLocation(path: backup)).first {
      throw HubFailure(
        "\(backup) is open in \(user.name); end that first, or take a copy that osce-hub export --file made")
    }
    for suffix in ["", "-wal"] where suffix.isEmpty || access(backup + suffix, F_OK) == 0 {
      try write(backup + suffix, to: path + suffix)
    }
  }

  private static func write(_ source: String, to path: String) throws {
    let descriptor = open(source, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw HubFailure("cannot read \(source): \(String(cString: strerror(errno)))") }
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw HubFailure("\(source) is not a file, so it is no backup")
    }
    let flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW
    let written = open(path, flags, 0o600)
    guard written >= 0 else { throw HubFailure("cannot write \(path): \(String(cString: strerror(errno)))") }
    let target = FileHandle(fileDescriptor: written, closeOnDealloc: true)
    while let bytes = try file.read(upToCount: 1 << 20), !bytes.isEmpty { try target.write(contentsOf: bytes) }
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
    let path = try options.folder(makes: true) + "/hub.sqlite"
    try StoreLocation(path: path).refuseIrregular()
    // Held until this process ends: no hub begins meanwhile, and none is running.
    if options.address == nil { try DatabaseUse.takeAlone(path) }
    StoreWait.limit(to: options.wait)
    let place = try BackupPlace.take(path)
    let copy = try place.makePart()
    // Opened first: what is no hub's database is refused before anything moves.
    try DatabaseFile.copy(backup, to: copy)
    try await DatabaseFile.change(copy, of: backup) { database in
      let hub = Hub(database, version: OsceHub.configuration.version)
      let exams = try await hub.exams()
      if exams.isEmpty { throw HubFailure("\(backup) holds no exam; nothing was changed") }
      if !moved { for exam in exams { try await hub.beginAnew(exam.id) } }
    }
    if options.address != nil {
      try await load(copy)
    } else {
      let kept = try StoreLock(storePath: path).holding { try place.put(keepingEarlierAs: path + ".before-restore") }
      if let kept { Output.standard.line("previous database kept as \(kept)") }
    }
    Output.standard.line(moved ? "moved" : "restored; terminals bring what the backup lacks when they next exchange")
  }

  private func load(_ copy: String) async throws {
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

  @Argument(
    help: "The exam's identifier, as osce sync --json says it on any terminal; with --close: may be left out.")
  var exam: String?

  /// What an exam is called whose name nobody says.
  static let usualName = "exam"

  @Option(name: .long, help: "What people call the exam.")
  var name = usualName

  @Flag(name: .long, help: "End the filling.")
  var close = false

  @OptionGroup var options: HubOptions

  func run() async throws {
    let hub = try await options.hub(makes: !close)
    guard close else {
      guard let exam else { throw ValidationError("name the exam that was lost, as osce sync --json says it") }
      return try await Self.begin(exam, named: name, in: hub)
    }
    let holes = try await hub.endFilling(filling(in: hub))
    for hole in holes { Output.standard.line("device \(hole.device): number \(hole.missing) is missing") }
    Output.standard.line(holes.isEmpty ? "filled: every chain is whole" : "filled, with \(holes.count) holes")
  }
}

extension FillCommand {
  /// Makes the exam that terminals fill; nothing where it is there and is being filled.
  static func begin(_ text: String, named name: String, in hub: Hub) async throws {
    let exam = try identifier(text)
    if try await !hub.exams().contains(where: { $0.id == exam && $0.isFilling }) {
      try await hub.makeExam(exam, named: name, device: .random(), isFilling: true)
    }
    Output.standard.line(
      "ready: osce-hub code --uses 100 --minutes 60, then on each terminal: osce enrol URL CODE --same-exam")
  }

  private static func identifier(_ text: String) throws -> UUIDBytes {
    guard let exam = UUIDBytes(text.lowercased()) else { throw HubFailure("'\(text)' is no identifier") }
    return exam
  }

  /// The exam that is named, or the one that is being filled.
  private func filling(in hub: Hub) async throws -> UUIDBytes {
    if let exam { return try Self.identifier(exam) }
    let open = try await hub.exams().filter(\.isFilling)
    guard let only = open.first, open.count == 1 else {
      throw HubFailure(
        open.isEmpty ? "no exam is being filled" : "several exams are being filled: name one; osce-hub exams lists them"
      )
    }
    return only.id
  }
}

/// `osce-hub audit`: who did what at the hub.
struct AuditCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "audit", abstract: "List what was done to an exam at the hub, by which device or at the hub itself.",
    discussion: "A line each: number, time, who, what. osce-hub doctor says whether the list is what was noted.")

  @OptionGroup var list: ListOptions

  func run() async throws {
    let (hub, exam) = try await list.chosen()
    let entries = try await hub.audit(of: exam.id)
    if list.json { return try Output.standard.document(CanonicalJSON.encode(.array(entries.map(\.node)))) }
    for entry in entries {
      Output.standard.line(
        "\(entry.n)  \(HubTime.text(entry.time))  \(entry.actor): \(entry.action)"
          + (entry.detail.isEmpty ? "" : " \(entry.detail)"))
    }
  }
}

extension AuditEntry {
  fileprivate var node: CanonicalJSON.Node {
    .object([
      .init("action", .text(action)), .init("actor", .text(actor)), .init("detail", .text(detail)),
      .init("n", .integer(n)), .init("time", .integer(time)),
    ])
  }
}

/// `osce-hub doctor`: whether logs, chains and audit are what was written.
struct DoctorCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor", abstract: "Check every log and audit: their hashes, each operation, each device's chain.")

  @OptionGroup var options: HubOptions

  func run() async throws {
    let hub = try await options.hub()
    var isSound = true
    let exams = try await hub.exams()
    if exams.isEmpty { Output.standard.line("no exam yet: osce-hub import FOLDER") }
    for exam in exams {
      let faults = try await [exam.importText].compactMap { $0 } + hub.examine(exam.id)
      Output.standard.line("\(exam.id)  \(exam.name): \(faults.isEmpty ? "sound, \(exam.head) entries" : "NOT SOUND")")
      for fault in faults { Output.standard.line("  \(fault)") }
      if !faults.isEmpty { isSound = false }
    }
    if !isSound { throw ExitCode(1) }
  }
}

import ArgumentParser
import Console
import ExamStore
import Hub
import HubServer

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
    let folder = try options.folder(makes: true)
    let path = folder + "/hub.sqlite"
    try StoreLocation(path: path).refuseIrregular()
    // Held until this process ends: no hub begins meanwhile, and none is running.
    if options.address == nil { try DatabaseUse.takeAlone(path) }
    StoreWait.limit(to: options.wait)
    let place = try BackupPlace.take(path)
    let copy = try place.makePart()
    // Opened first: what is no hub's database is refused before anything moves.
    try DatabaseFile.copy(backup, to: copy, as: path)
    try await DatabaseFile.change(copy, as: path, of: backup) { database in
      let hub = Hub(forCommandOn: database)
      let exams = try await hub.exams()
      if exams.isEmpty { throw CommandFailure("\(backup) holds no exam; nothing was changed") }
      if !moved { for exam in exams { try await hub.beginAnew(exam.id) } }
    }
    if options.address != nil {
      try await load(copy)
    } else {
      let kept = try StoreLock(storePath: path).holding { try place.put(keepingEarlierAs: path + ".before-restore") }
      if let kept { Output.standard.line("previous database kept as \(kept)") }
    }
    Output.standard.line(moved ? "moved" : "restored; terminals bring what the backup lacks when they next exchange")
    if !ServerKey.exists(in: folder) {
      Output.standard.line(
        "\(folder) has no key: copy hub-key.pem and hub-certificate.pem of the old hub into it before serve; with another "
          + "key each terminal needs osce enrol URL CODE --same-exam")
    }
  }

  private func load(_ copy: String) async throws {
    try await options.withDatabase { database in
      let file = try SQLiteDatabase(path: copy)
      try await database.load(from: file)
      try file.close()
    }
  }
}

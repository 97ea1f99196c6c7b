import ArgumentParser
import CPowerCut
import CircuitModel
import ExamStore
import Glibc
import Rig
import SeededNumbers

/// The machine's power is cut at random moments: what a disk could hold then must hold every mark that was told of.
///
/// The disk is one that keeps written and synced bytes apart (`CPowerCut`), so a cut does to a store what a kill never
/// does: it takes writes that the kernel had accepted. Store, log and backup are looked at after each.
struct PowerCuts: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "power",
    abstract: "Cuts the power while marks are saved and backups made: nothing that was told of is lost.")

  @Option(help: "How many cuts.") var cuts = 1000
  @Option(help: "Repeats a run; 0: a fresh seed.") var seed: UInt64 = 0
  @Flag(help: "The store only believes that it syncs at each commit: the test has to find losses.")
  var expectLoss = false
  @OptionGroup var place: FolderOption

  /// Marks between one fresh store and the next: enough for several checkpoints.
  private static let marksOfStore = 700
  /// The calls of some five marks: a cut falls into any part of a save.
  private static let reach: UInt64 = 70

  func run() throws {
    let seed = seed == 0 ? UInt64.random(in: 1...(.max)) : seed
    print("power: seed \(seed)")
    let prepared = try PreparedStore(in: place.folder, sheets: 1)
    defer { prepared.scratch.remove() }
    let disk = prepared.scratch.file("disk")
    mkdir(disk, 0o700)
    powercut_install(disk, expectLoss ? 1 : 0)
    var run = CutRun(prepared: prepared, disk: disk, random: Seeded(seed: seed))
    while run.cuts < cuts, run.faults.isEmpty || expectLoss {
      try run.markOneStore(marks: PowerCuts.marksOfStore, reach: PowerCuts.reach, cuts: cuts)
    }
    let seen = "\(run.cuts) cuts, \(run.marks) marks, \(run.backups) backups, \(run.lostBytes) bytes lost by the disk"
    if expectLoss {
      if run.faults.isEmpty { throw RigError("power: \(seen): no loss was found, so this test would find none") }
      print("power: \(seen): \(run.faults.count) losses found, as they had to be")
    } else {
      try report("power, seed \(seed)", run.faults)
      print("power: \(seen): every mark told of was there, chain, integrity and backups ok")
    }
  }
}

/// A run of cuts: one store after the other is marked, and what each cut leaves is looked at.
private struct CutRun {
  let prepared: PreparedStore
  let disk: String
  var random: Seeded
  var cuts = 0
  var marks = 0
  var backups = 0
  var lostBytes: UInt64 = 0
  var faults: [String] = []

  private let picture: String

  init(prepared: PreparedStore, disk: String, random: Seeded) {
    self.prepared = prepared
    self.disk = disk
    self.random = random
    picture = prepared.scratch.file("picture")
    mkdir(picture, 0o700)
  }

  mutating func markOneStore(marks count: Int, reach: UInt64, cuts most: Int) throws {
    for file in ["store.sqlite", "store.sqlite-wal", "store.sqlite-shm", "backup.sqlite"] { unlink(disk + "/" + file) }
    try Files.copy(prepared.path, to: disk + "/store.sqlite")
    let store = try ExamStore(StoreLocation(path: disk + "/store.sqlite"))
    defer { store.close() }
    var seat = try MarkingSeat(sheet: prepared.sheets[0].sheet, staff: prepared.sheets[0].staff, in: store)
    var told: [MarkingProcess.Drawn] = []
    var isBackupTold = false
    set(reach)
    for number in 0..<count where cuts < most {
      let (index, level) = seat.next(number)
      let item = seat.items[index]
      let operation = try store.write(seat.author) { try Marking($0).mark(item, level: level) }
      // A cut within the save found the marks that had been told of before it.
      if powercut_is_taken() != 0 { try look(told, isBackupTold, reach) }
      seat.saved(index, level, as: operation)
      told.append(MarkingProcess.Drawn(line: "drawn \(item.key) \(level.value.scaled) \(operation) 0")!)
      marks += 1
      guard number % 60 == 59 else { continue }
      _ = try store.backup(to: disk + "/backup.sqlite")
      if powercut_is_taken() != 0 { try look(told, isBackupTold, reach) }
      isBackupTold = true
      backups += 1
    }
  }

  private mutating func set(_ reach: UInt64) {
    for file in ["store.sqlite", "store.sqlite-wal", "store.sqlite-shm", "backup.sqlite", "backup.sqlite.part"] {
      unlink(picture + "/" + file)
    }
    powercut_set(powercut_calls() + UInt64.random(in: 1...reach, using: &random), picture, random.next())
  }

  private mutating func look(_ told: [MarkingProcess.Drawn], _ isBackupTold: Bool, _ reach: UInt64) throws {
    cuts += 1
    lostBytes += powercut_lost()
    do {
      let audit = try StoreAudit(picture + "/store.sqlite")
      faults += (audit.problems + audit.missing(told)).prefix(1).map { "cut \(cuts): \($0)" }
    } catch {
      faults.append("cut \(cuts): the store cannot be read: \(error)")
    }
    let backup = picture + "/backup.sqlite"
    if access(backup, F_OK) == 0 {
      do {
        faults += try StoreAudit(backup).problems.prefix(1).map { "cut \(cuts), the backup: \($0)" }
      } catch {
        faults.append("cut \(cuts): the backup cannot be read: \(error)")
      }
    } else if isBackupTold {
      faults.append("cut \(cuts): the backup that was told of is gone")
    }
    set(reach)
  }
}

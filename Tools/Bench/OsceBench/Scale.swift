import ArgumentParser
import CRig
import CircuitModel
import ExamStore
import Glibc
import Rig

/// What whole commands cost as an exam grows: a person waits for them, so a whole process is measured.
struct Scale: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "scale", abstract: "Time and memory of reports, checks and exports by the size of the exam.",
    discussion: """
      Every candidate has ten sheets of forty items, thirty-six of them marked. One store is made and grows from size to \
      size; with --store it is kept there and, where it is large enough already, used as it is.
      """)

  @Option(help: "The sizes, by commas.") var candidates = "250,500,1000,2000"
  @Option(help: "How often each command runs; the median is given.") var runs = 3
  @Option(help: "A store to be used again, made there if it is missing.") var store: String?
  @OptionGroup var measuring: MeasuringOptions

  /// Items of every sheet that have a mark.
  private static let marked = 36

  func run() throws {
    let scratch = try ScratchFolder(in: measuring.folder)
    defer { scratch.remove() }
    let path = store ?? scratch.file("store.sqlite")
    for size in candidates.split(separator: ",").compactMap({ Int($0) }).sorted() {
      let begin = rig_now()
      // In a process of its own: what it needs is not to be counted as that of the processes that are measured.
      try Scale.expectSuccess(
        ProcessFacts.ownPath, ["exam", "--candidates", String(size), "--marked", String(Scale.marked), path])
      let made = (rig_now() - begin) / 1_000_000_000
      let marks = try Scale.marks(in: path)
      print("\(size) candidates, \(marks) marks, store of \(Files.size(path) >> 20) MB, made or found in \(made) s")
      try measure(path, in: scratch)
    }
  }

  private func measure(_ path: String, in scratch: ScratchFolder) throws {
    let (backup, restored) = (scratch.file("backup.sqlite"), scratch.file("restored.sqlite"))
    try command("plan", ["plan"], path)
    try command("status", ["status"], path)
    try command("missing", ["missing"], path)
    try command("results", ["results", "--sheets", "held", "--json"], path)
    try command("doctor", ["doctor"], path)
    try Scale.expectSuccess(osce, ["backup", backup, "--store", path])
    try command("restore", ["restore", backup], restored) {
      for suffix in ["", "-wal", "-shm", ".lock"] { unlink(restored + suffix) }
    }
    unlink(backup)
    for format in ["csv", "json"] {
      try command("export marks, \(format)", ["export", "marks", "--format", format], path, countsRows: true)
    }
  }

  private var osce: String { measuring.osce }

  private func command(
    _ name: String, _ arguments: [String], _ store: String, countsRows: Bool = false, after: () -> Void = {}
  ) throws {
    var (times, processor) = (Timings(), Timings())
    var (peak, lines) = (Int64(0), 0)
    for _ in 0..<max(1, runs) {
      let begin = rig_now()
      let child = try Child(onPipe: osce, arguments + ["--store", store])
      let used = child.finish()
      times.add(rig_now() - begin)
      after()
      guard used.code == 0 else { throw RigError("osce \(arguments[0]) ended with \(used.code)") }
      processor.add(used.processor * 1000)
      peak = max(peak, used.peak)
      lines = used.lines
    }
    let seconds = times.median / 1_000_000
    var line = "  " + name + String(repeating: " ", count: max(1, 20 - name.count))
    line += pad(decimal(seconds, 2), to: 7) + " s, " + pad(decimal(processor.median / 1_000_000, 2), to: 6)
    line += " s of processor, " + pad(decimal(Double(peak) / 1024, 1), to: 6) + " MB"
    // The heading, or the brackets, are lines too: of hundreds of thousands.
    if countsRows { line += ", " + pad(String(Int(Double(lines) / seconds)), to: 7) + " rows a second" }
    print(line)
  }

  private static func marks(in path: String) throws -> Int {
    let opened = try ExamStore(StoreLocation(path: path))
    defer { opened.close() }
    return try opened.read { try LargeExam.marks($0) }
  }

  static func expectSuccess(_ program: String, _ arguments: [String]) throws {
    let code = try Child(onPipe: program, arguments).finish().code
    guard code == 0 else { throw RigError("\(program) \(arguments[0]) ended with \(code)") }
  }
}

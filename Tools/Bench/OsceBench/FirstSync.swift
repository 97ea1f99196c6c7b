import ArgumentParser
import BadNetwork
import CRig
import ExamStore
import Foundation
import HubRig
import Rig

/// What it takes a new store to get a whole exam that is over.
struct FirstSync: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "first", abstract: "A store's first exchange with a large exam: time, bytes, memory of both sides.")

  @Option(help: "How many candidates, each with ten sheets of thirty marked items.") var candidates = 1000
  @OptionGroup var place: FolderOption

  func run() throws {
    let scratch = try ScratchFolder(in: place.folder)
    defer { scratch.remove() }
    let exam = BenchExam(candidates: candidates, sheets: .thirty)
    StandardError.note("the hub takes the plan of \(candidates) candidates")
    let hub = try RigHub(exam, in: scratch.path)
    defer { hub.close() }
    try hub.start()
    let relay = SlowRelay(to: hub.port, delay: 0...0, seed: 1)
    let url = "http://127.0.0.1:\(try relay.open(at: "127.0.0.1"))"
    let codes = try [runBlocking { try await hub.code(for: .lead) }, runBlocking { try await hub.code(for: .station) }]
    usleep(500_000)
    let author = try RigTerminal(scratch.file("author.sqlite"), at: hub.url, code: codes[0])
    let store = try author.store()
    StandardError.note("\(candidates * 300) marks are made, one after another")
    var begin = rig_now()
    try LargeExam.fill(exam, marked: 30, in: store)
    let made = try store.read { try LargeExam.marks($0) }
    author.close()
    StandardError.note("made in \(seconds(since: begin)) s; they are pushed")
    begin = rig_now()
    let pushing = try exchange(["now", "--store", author.path], scratch, or: "the marks did not reach the hub")
    let operations = try runBlocking { try await hub.head() }
    print(
      "\(made) marks, \(operations) entries of the log; pushed in \(seconds(since: begin)) s with \(pushing.peak >> 10) MB"
    )
    StandardError.note("a new store gets all of it")
    begin = rig_now()
    let first = try exchange(
      ["enrol", url, RigTerminal.groups(codes[1]), "--store", scratch.file("new.sqlite")], scratch,
      or: "the new store got no exam")
    print(
      "first exchange: \(seconds(since: begin)) s, \(relay.carried >> 20) MB on the wire (gzip), most memory "
        + "\(first.peak >> 10) MB at the terminal, \(ProcessFacts.peakMemory(of: hub.process) >> 10) MB at the hub; "
        + "store of \(Files.size(scratch.file("new.sqlite")) >> 20) MB")
  }

  /// Runs the uploader to its end.
  /// - Throws: `RigError` with its own last line where it fails.
  private func exchange(
    _ arguments: [String], _ scratch: ScratchFolder, or failure: String
  ) throws -> (code: Int32, lines: Int, processor: Int64, peak: Int64) {
    let log = scratch.file("exchange.log")
    let environment = Child.environment.merging(["OSCE_RIG_LOG": log]) { $1 }
    let use = try Child(
      onPipe: "/bin/sh",
      ["-c", "exec \"$0\" \"$@\" 2>\"$OSCE_RIG_LOG\"", ProcessFacts.ownFolder + "/osce-sync"] + arguments,
      environment: environment
    ).finish()
    if use.code == 0 { return use }
    let text = (try? String(contentsOfFile: log, encoding: .utf8))?.split(separator: "\n").last ?? ""
    throw RigError("\(failure): \(text)")
  }

  private func seconds(since begin: Int64) -> String { decimal(Double(rig_now() - begin) / 1e9, 1) }
}

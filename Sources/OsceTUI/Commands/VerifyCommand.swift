import ArgumentParser
import CircuitModel
import Console
import ExamFiles
import ExamStore
import Glibc
import Reports

/// `osce verify`: whether a copy of a locked exam is what was locked.
struct VerifyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify", abstract: "Prove that a backup or pack of a locked exam is what two people locked.",
    discussion: """
      Computes chains, values, results and the final hash again and holds them against the record of the lock. The file is \
      only read. A pack has no plan, so its values and results are not computed: its chains are, up to the ends that the \
      hash seals. Exit status 0: it is; 1: it is not, with the first difference.
      """)

  @Argument(help: "The backup, or a pack of osce journal --pack.")
  var file: String
  @Option(name: .long, help: "The final hash as it was printed and signed, with or without its spaces.")
  var hash: String?
  @Flag(name: .long, help: "Print JSON.")
  var json = false
  @OptionGroup var options: StoreOptions

  func validate() throws {
    guard let hash else { return }
    let digits = hash.filter { !$0.isWhitespace && $0 != "-" }
    guard digits.count == 64, digits.allSatisfy(\.isHexDigit) else {
      throw ValidationError("--hash takes 64 hexadecimal digits; got \(digits.count) characters")
    }
  }

  func run() throws {
    let line = ProgressLine()
    defer { line.end() }
    let report = try PackReader.isPack(file) ? ofPack(line) : ofBackup(line)
    line.end()
    if json {
      try Output.standard.json(report.json)
    } else {
      Output.standard.line(report.isVerified ? "true" : "false: \(report.first ?? "")")
      if let hash = report.hash { Output.standard.line("  final hash \(hash)") }
    }
    if let first = report.first { throw StoreError("\(file) is not what was locked: \(first)") }
  }

  private func ofPack(_ line: ProgressLine) throws -> SealReport {
    line.say("reading the pack")
    let pack = try PackReader(file)
    return try SealReport.read(pack: pack.forEachOperation, expected: hash)
  }

  private func ofBackup(_ line: ProgressLine) throws -> SealReport {
    options.limitWaiting()
    // The file itself: a store may not be opened through a link, and what is read here need not be a store's.
    guard let path = realpath(file, nil) else {
      throw StoreError("cannot read \(file): \(String(cString: strerror(errno)))")
    }
    defer { free(path) }
    let location = StoreLocation(path: String(cString: path))
    let examined = try Doctor(location, program: ProgramVersion.text).examine(progress: line.progress)
    line.say("computing the results")
    let store = try ExamStore.toRead(location)
    defer { store.close() }
    return try store.read { try SealReport.read(examined, expected: hash, in: $0, at: store.clock.now) }
  }
}

import ArgumentParser
import Damage
import Glibc
import Rig

/// Random damage to the bytes of a store's files, each looked at by the doctor.
struct Corruptions: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "corruptions",
    abstract: "Random damage to file and log: osce doctor names it, or everything reads as before.")

  @OptionGroup var options: DamageRun

  func run() throws { try options.run("corruptions") }
}

/// Changes of a store by SQL, each looked at by the doctor.
struct TypedChanges: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "changes", abstract: "Typed changes by SQL: osce doctor names each, or it changed nothing.")

  @OptionGroup var options: DamageRun

  func run() throws { try options.run("changes") }
}

/// Many damaged stores, looked at in processes of their own, so that one that ends the doctor is seen.
struct DamageRun: ParsableArguments {
  @Option(help: "How many.") var count = 200
  @Option(help: "Repeats a run on the same kind of exam; 0: a fresh seed.") var seed: UInt64 = 0
  @Option(help: "The number of the first one, from 0: looks at single ones again.") var from = 0
  @Flag(help: "Says of each what became of it.") var shows = false
  @OptionGroup var place: FolderOption

  func run(_ name: String) throws {
    let seed = seed == 0 ? UInt64.random(in: 1...(.max)) : seed
    print("\(name): seed \(seed)")
    let scratch = try ScratchFolder(in: place.folder)
    defer { scratch.remove() }
    _ = try DamagedExam.make(in: scratch.path)
    var tally = Tally()
    var next = from
    while next < from + count {
      // Processes are changed now and then: what one leaves behind must not hide what comes later.
      let last = min(next + 500, from + count)
      let child = try Child(
        onPipe: ProcessFacts.ownPath, ["damage-worker", name, scratch.path, String(seed), String(next), String(last)])
      while let line = child.line(within: 120_000) {
        let parts = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 5 else { continue }
        tally.note(parts)
        if shows { print(line) }
        next += 1
      }
      child.signal(SIGKILL)
      let code = child.wait()
      guard next < last else { continue }
      tally.faults.append("number \(next): the process ended with \(code)")
      tally.ended += 1
      next += 1
    }
    tally.print(name)
    try report("\(name), seed \(seed)", tally.faults)
  }

  /// What became of all of them.
  private struct Tally {
    var faults: [String] = []
    var ended = 0
    private var outcomes: [String: Int] = [:]
    private var kinds: [String: [String: Int]] = [:]
    private var checks: [String: Int] = [:]

    mutating func note(_ parts: [String]) {
      let (number, kind, outcome, detail, what) = (parts[0], parts[1], parts[2], parts[3], parts[4])
      outcomes[outcome, default: 0] += 1
      kinds[kind, default: [:]][outcome, default: 0] += 1
      if outcome == "found" {
        for check in detail.components(separatedBy: ", ") { checks[check, default: 0] += 1 }
      } else if outcome != "identical" {
        faults.append("number \(number), \(outcome): \(detail) (\(what))")
      }
    }

    func print(_ name: String) {
      for (kind, found) in kinds.sorted(by: { $0.key < $1.key }) {
        Swift.print(
          "  \(kind): " + found.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", "))
      }
      let named = checks.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "\($0.key) \($0.value)" }
      Swift.print("  named by: " + named.joined(separator: ", "))
      let (found, identical) = (outcomes["found"] ?? 0, outcomes["identical"] ?? 0)
      Swift.print(
        "\(name): \(found + identical + faults.count): \(found) found, \(identical) read as before, "
          + "\(outcomes["missed"] ?? 0) missed, \(ended) ended the process, \(outcomes["words"] ?? 0) in a library's words"
      )
    }
  }
}

extension String {
  fileprivate func components(separatedBy mark: String) -> [String] {
    var parts: [String] = []
    var rest = self[...]
    while let range = rest.firstRange(of: mark) {
      parts.append(String(rest[..<range.lowerBound]))
      rest = rest[range.upperBound...]
    }
    return parts + [String(rest)]
  }
}

/// Damages stores one after the other and says what became of each; started by the other commands.
struct DamageWorker: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "damage-worker", shouldDisplay: false)

  @Argument var name: String
  @Argument var exam: String
  @Argument var seed: UInt64
  @Argument var from: Int
  @Argument var until: Int

  func run() throws {
    let exam = DamagedExam(folder: exam)
    let folder = try ScratchFolder(in: exam.folder)
    defer { folder.remove() }
    let contents = (closed: try exam.content(of: exam.closed), open: try exam.content(of: exam.open))
    for number in from..<until {
      let (kind, path, what, content): (String, String, String, String)
      if name == "changes" {
        let change = try TypedChange(exam, into: folder.path, seed: seed &+ UInt64(number))
        (kind, path, what, content) = (change.kind.rawValue, change.path, change.description, contents.closed)
      } else {
        let damage = try Corruption(exam, into: folder.path, seed: seed &+ UInt64(number))
        let before = damage.isOpen ? contents.open : contents.closed
        (kind, path, what, content) = (damage.kind.rawValue, damage.path, damage.description, before)
      }
      let (outcome, detail) =
        switch Verdict.of(path, before: content) {
        case .found(let checks): ("found", checks)
        case .identical: ("identical", "")
        case .missed(let difference): ("missed", difference)
        case .foreignText(let line): ("words", line)
        }
      print([String(number), kind, outcome, clean(detail), clean(what)].joined(separator: "\t"))
    }
  }

  private func clean(_ text: String) -> String {
    String(text.map { $0.isNewline || $0 == "\t" ? " " : $0 })
  }
}

import ArgumentParser
import CircuitModel
import Console
import ExamFiles
import ExamStore
import Reports

/// `osce close`: what stands between the exam and its closing, and the lock that closes it.
struct CloseCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "close", abstract: "Account for every planned sheet, list what is open, and lock the exam.",
    discussion: """
      Expected sheets follow from the plan alone; each is held, absent, excluded, queued, or open. Nothing is changed \
      without --lock or --reopen, which two people do together: --staff, an exam lead, and --second, another lead or the \
      exam office, each with a passcode. Passcodes are asked for, or read from the files that OSCE_PASSCODE_FILE and \
      OSCE_SECOND_PASSCODE_FILE name. --circuit and --session take a part of the exam: a session that is over can be \
      locked while the next one runs.
      """)

  @Flag(name: .long, help: "Print JSON.")
  var json = false
  @Option(name: .long, help: "Write the report: FILE.txt to be printed and signed, FILE.csv with each sheet's class.")
  var report: String?
  @Flag(name: .long, help: "Lock the exam: every check must be in order or waived.")
  var lock = false
  @Flag(name: .long, help: "Open a locked exam again, as for a re-run; needs --reason.")
  var reopen = false
  @Option(name: .long, help: "Only this circuit, by number, code or name.")
  var circuit: String?
  @Option(name: .long, help: "Only this session: its date and start, as in \"2026-12-07 09:00\".")
  var session: String?
  @Option(name: .long, help: "Who locks with the exam lead: a username.")
  var second: String?
  @Option(name: .long, help: "Why it is opened again.")
  var reason: String?
  @OptionGroup var acting: ActingStaff
  @OptionGroup var options: StoreOptions

  func validate() throws {
    try ReasonOption.check(reason)
    if let report, !report.hasSuffix(".txt"), !report.hasSuffix(".csv") {
      throw ValidationError("--report takes a file that ends in .txt or .csv; got \"\(report)\"")
    }
    if lock && reopen { throw ValidationError("--lock and --reopen exclude each other") }
    if (lock || reopen) && second == nil {
      throw ValidationError("two people do this together: name the other with --second")
    }
    if reopen && reason == nil { throw ValidationError("--reopen needs --reason") }
  }

  func run() throws {
    let hasProved = lock || reopen
    if hasProved { try act() }
    let (store, closing) = try ClosingLook.take(options, scope(in:), for: hasProved ? nil : acting)
    defer { store.close() }
    try PartNote.say(of: store)
    if let report {
      let file = try AtomicFile(report)
      if report.hasSuffix(".csv") {
        try closing.writeSheets { try file.write($0) }
      } else {
        let account = try store.read { try ClosingAccount.read(closing, in: $0, at: store.clock.now) }
        try file.write(account.printed)
      }
      try file.finish()
    }
    if json { return try Output.standard.json(closing.json) }
    Output.standard.text(closing.lines(listing: 5, withIDs: true).joined(separator: "\n") + "\n")
  }

  private func scope(in store: ExamStore) throws -> ExamLock.Scope {
    let name = try store.read { try Circuit.name(of: circuit, at: store.clock.now, in: $0) }
    return .init(circuit: name, session: session)
  }

  private func act() throws {
    let store = try options.open()
    defer { store.close() }
    let scope = try scope(in: store)
    let people = try acting.two(with: second ?? "", in: store)
    let author = Author(staff: people.first.member.id, reason: reason, at: store.clock)
    if reopen {
      try store.write(author) { try ExamLocks.reopen(scope, reason: reason ?? "", by: people, $0) }
    } else {
      let look = try ClosingLook.examine(store)
      try store.write(author) { _ = try Locking.lock(scope, look, by: people, $0) }
    }
  }
}

import ArgumentParser
import CircuitModel
import Console
import ExamStore
import GRDB
import Reports
import Timer

extension ExamPapers.Kind: ExpressibleByArgument {}

/// `osce print`: the papers with which a hall goes on when the host is gone.
struct PrintCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "print", abstract: "Print mark sheets, itineraries, door lists or the roster.",
    discussion: """
      Paper for the day on which the host fails. Text has at most 80 columns and 60 lines a page, with a form feed before \
      each further page; --html makes one page for a browser that needs no network. Send text to a printer with, for \
      example, osce print sheets --session 09:00 | lp.
      """)

  @Argument(help: "What to print.")
  var what: ExamPapers.Kind
  @Flag(name: .long, help: "Write HTML that prints each page on paper of its own.")
  var html = false
  @Option(name: .long, help: "The file to write (default: standard output).")
  var out: String?
  @Option(name: .long, help: "Only this circuit, by number, code or name.")
  var circuit: String?
  @Option(name: .long, help: "Only this session: its start, its date, or both, as \"2026-12-07 09:00\".")
  var session: String?
  @OptionGroup var acting: ActingStaff
  @OptionGroup var options: StoreOptions

  func run() throws {
    let store = try options.openToRead()
    defer { store.close() }
    try acting.permit(.print, store, options)
    let papers = ExamPapers(what, circuit: circuit, session: session)
    try store.read { db in
      guard let out else {
        return try write(papers, breaksPages: !Output.standard.isTerminal, in: db, at: store.clock.now) {
          try Output.standard.data($0)
        }
      }
      let file = try AtomicFile(out)
      let line = ProgressLine()
      defer { line.end() }
      line.say("writing \(what.rawValue)")
      try write(papers, breaksPages: true, in: db, at: store.clock.now) { try file.write($0) }
      try file.finish()
    }
  }

  private func write(
    _ papers: ExamPapers, breaksPages: Bool, in db: Database, at now: Instant, to write: ([UInt8]) throws -> Void
  ) throws {
    var text = PaperText(breaksPages: breaksPages)
    var count = 0
    try papers.forEachPage(in: db, at: now) { page in
      if count == 0 && html { try write(PaperHTML.opening("osce print \(what.rawValue)")) }
      count += 1
      try write(html ? PaperHTML.page(page) : text.page(page))
    }
    if count == 0 { throw StoreError("nobody is planned there: there is nothing to print") }
    if html { try write(PaperHTML.ending) }
  }
}

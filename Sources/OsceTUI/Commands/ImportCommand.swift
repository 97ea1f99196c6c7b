import ArgumentParser
import Characters
import CircuitModel
import Console
import ExamFiles
import ExamStore
import Reports

/// `osce import`: loads exam folders and bundles, all or nothing.
struct ImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import", abstract: "Load exam folders or bundles: all of it, or nothing.",
    discussion: """
      Can be repeated: what is already there and equal is left alone, what was changed by hand since the last import \
      is listed and kept, sheets that were started keep the version of the template that they were made from.

      --rota takes a CSV file for an exam that is loaded: its first line is 'candidate' and codes of stations, each \
      further line a candidate's number and, below each station, when that candidate's round starts there (09:11) or \
      its number. It says who comes where another was planned, as a swap at the desk does; who is not named in a round \
      stays.
      """)

  @Argument(help: "Exam folders, or bundle files.")
  var paths: [String] = []

  @Option(name: .long, help: "A rota: a CSV file of candidates by stations; alone.")
  var rota: String?

  @Flag(
    name: .long,
    help: "Import although signed sheets stop counting (it says how many), and take every mark sheet away.")
  var force = false

  @OptionGroup var acting: ActingStaff
  @OptionGroup var store: StoreOptions

  func validate() throws {
    if paths.isEmpty == (rota == nil) {
      throw ValidationError("name exam folders or bundle files, or a rota with --rota once its exam is loaded")
    }
  }

  func run() throws {
    if let rota { return try follow(rota) }
    let line = ProgressLine()
    defer { line.end() }
    // An exam that cannot be read is refused before a store is made for it. A store that is there is never removed:
    // another process may have filled it meanwhile.
    if try !store.location().exists {
      // Beside others a bundle is not read yet: it may refer to rows of an earlier one.
      line.say("checking what is to be imported")
      let problems =
        paths.count == 1 ? ExamCheck.problems(of: paths[0]) : ExamImport.problems(ofFolders: paths)
      let errors = problems.filter { $0.severity == .error }
      if !errors.isEmpty { try refuse(errors) }
    }
    let opened = try store.open(.createIfMissing)
    defer { opened.close() }
    if let place = try opened.read({ try Enrolment.read($0) }), !place.role.sendsDown {
      throw StoreError("this terminal takes its exam from the hub at \(place.url): import there, with osce-hub import")
    }
    let author = try author(in: opened)
    line.say("importing")
    let outcome = try load(into: opened, by: author)
    line.end()
    guard let report = outcome.report else { return try refuse(outcome.problems.filter { $0.severity == .error }) }
    Output.failure.lines(outcome.problems.inFileOrder().map { "\($0)" })
    Output.standard.lines(report.lines)
    if let foreign = try opened.read({ try ConfigInForce.foreignText($0) }) {
      Output.failure.line("osce: " + foreign)
    }
  }

  private func load(into store: ExamStore, by author: Author) throws -> ExamImport.Outcome {
    do {
      return try ExamImport.load(paths, into: store, by: author, isForced: force, today: MachineDate.today)
    } catch let refusal as ImportRefusal {
      guard case .losesSigned = refusal else { throw refusal }
      throw StoreError("\(refusal): --force imports anyway")
    }
  }

  /// Who acts. A store without staff knows no username: its people are in the exam that is loaded.
  private func author(in store: ExamStore) throws -> Author {
    if try store.read({ try StaffMember.active($0).isEmpty }) {
      return Author(at: store.clock)
    }
    return try acting.author(for: .load, in: store)
  }

  private func follow(_ rota: String) throws {
    let opened = try store.open()
    defer { opened.close() }
    let outcome = try RotaImport.load(rota, into: opened, by: try acting.author(for: .load, in: opened))
    guard let changed = outcome.changed else { return try refuse(outcome.problems.filter { $0.severity == .error }) }
    Output.failure.lines(outcome.problems.map { "\($0)" })
    Output.standard.lines(
      changed.map { session, places in
        "\(session): " + (places == 0 ? "as it was" : "\(Plural.count(places, "place")) changed")
      })
  }

  /// One line: the first mistake, and how many more there are.
  private func refuse(_ errors: [Problem]) throws {
    guard let first = errors.inFileOrder().first else { throw StoreError("nothing was imported") }
    let lists = rota == nil ? "; osce check lists them" : ""
    let more = errors.count > 1 ? " (and \(errors.count - 1) more\(lists))" : ""
    throw StoreError("\(first)\(more); nothing was imported")
  }
}

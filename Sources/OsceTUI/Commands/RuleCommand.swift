import ArgumentParser
import CircuitModel
import Console
import ExamStore
import Journal
import Reports
import Standards

/// `osce rule`: what the exam lead decides.
struct RuleCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rule", abstract: "Rule as the exam lead: exclude, excuse, adjudicate, waive, answer.",
    discussion: """
      Every ruling has a reason, is journalled, and outranks exam.yaml. osce export rulings lists them, osce close the \
      lines and sheets that rulings name.
      """,
    subcommands: [
      RuleExclude.self, RuleExcuse.self, RuleAdjudicate.self, RulePolicy.self, RuleWaive.self, RuleAnswer.self,
      RuleSettle.self, RuleAmend.self, RuleAdmit.self, RuleDismiss.self, RuleWithdraw.self,
    ])
}

/// What every ruling takes.
struct RulingOptions: ParsableArguments {
  @Option(name: .long, help: "Why.")
  var reason: String
  @OptionGroup var acting: ActingStaff
  @OptionGroup var options: StoreOptions

  /// Makes one ruling and prints its key.
  /// - Parameter decision: found in the store in which it is made.
  func rule(
    on scope: ExamRuling.Scope = .init(), _ decision: (JournalTransaction) throws -> Rulings.Decision
  ) throws {
    try act { lead, transaction in
      let decision = try decision(transaction)
      var scope = scope
      scope.circuit = try Circuit.name(of: scope.circuit, at: transaction.clock.now, in: transaction.db)
      let key = try Rulings.make(decision, on: scope, reason: reason, by: lead, transaction)
      return "ruled: \(key)\n"
    }
  }

  /// Does something as the exam lead and prints what came of it.
  func act(_ change: (ExamLead, JournalTransaction) throws -> String) throws {
    let store = try options.open()
    defer { store.close() }
    let lead = try acting.lead(in: store)
    let author = Author(
      staff: lead.member.id, reason: reason, examTime: ExamTime(milliseconds: store.clock.now.milliseconds))
    let line = try store.write(author) { try change(lead, $0) }
    Output.standard.text(line)
  }
}

extension ActingStaff {
  /// The exam lead who acts, proven by a passcode where one is set.
  /// - Throws: `StoreError` if nobody is named, `StaffRefusal` if that is no exam lead or the passcode is wrong.
  func lead(in store: ExamStore) throws -> ExamLead {
    guard let username else { throw StoreError("this is for an exam lead: name one with --staff USERNAME") }
    let member = try store.read { try ExamLead.find(username: username, in: $0) }
    return try ExamLead.authorise(member, by: try proof(of: member, in: store))
  }

  /// The proof of a person's passcode; nil where none is set.
  func proof(of member: StaffMember, in store: ExamStore) throws -> PasscodeProof? {
    guard member.hasPasscode else { return nil }
    let passcode = try PasscodeSource.passcode(of: member, environment: ProcessEnvironment.current)
    return try member.prove(passcode, in: store)
  }
}

/// What a ruling is about.
struct RulingScope: ParsableArguments {
  @Option(name: .long, help: "The station's code.")
  var station: String?
  @Option(name: .long, help: "The item's key.")
  var item: String?
  @Option(name: .long, help: "The circuit, by number, code or name.")
  var circuit: String?
  @Option(name: .long, help: "The session: \"2026-12-01 08:30\".")
  var session: String?
  @Option(name: .long, help: "The candidate's number.")
  var candidate: String?

  var scope: ExamRuling.Scope {
    ExamRuling.Scope(circuit: circuit, session: session, station: station, candidate: candidate, item: item)
  }
}

/// `osce rule exclude`.
struct RuleExclude: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "exclude", abstract: "Leave a station, an item, a candidate or one mark sheet out of the results.",
    discussion: """
      With --seat, one marker's sheet of a candidate at a station is not to be had or does not count, begun or not, \
      while the other marker's does: --station CONSENT --candidate 1001 --seat "seat 2".
      """)

  @OptionGroup var scope: RulingScope
  @Option(name: .long, help: "One mark sheet, by its key: not to be had, or void.")
  var sheet: String?
  @Option(name: .long, help: "Whose sheet: a seat, as lead or \"seat 2\", or its assessor's username.")
  var seat: String?
  @OptionGroup var ruling: RulingOptions

  func validate() throws {
    if seat != nil && (scope.station == nil || scope.candidate == nil || scope.item != nil || sheet != nil) {
      throw ValidationError("--seat goes with --station and --candidate, and with neither --item nor --sheet")
    }
  }

  func run() throws {
    var scope = scope.scope
    scope.sheet = sheet
    guard let seat, let station = scope.station, let candidate = scope.candidate else {
      return try ruling.rule(on: scope) { _ in .exclusion }
    }
    try ruling.act { [scope] lead, transaction in
      let circuit = try Circuit.name(of: scope.circuit, at: transaction.clock.now, in: transaction.db)
      let places = try Rulings.plannedPlaces(
        seat, of: candidate, at: station, circuit: circuit, session: scope.session, in: transaction.db)
      return try places.map { place in
        "ruled: \(try Rulings.exclude(place, reason: ruling.reason, by: lead, transaction))\n"
      }.joined()
    }
  }
}

/// `osce rule excuse`.
struct RuleExcuse: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "excuse", abstract: "Excuse a candidate, a circuit or a session at a station: nothing is due there.")

  @OptionGroup var scope: RulingScope
  @OptionGroup var ruling: RulingOptions

  func validate() throws {
    if scope.station == nil || scope.candidate == nil && scope.circuit == nil && scope.session == nil {
      throw ValidationError("excuse takes --station, and --candidate, --circuit or --session")
    }
  }

  func run() throws { try ruling.rule(on: scope.scope) { _ in .excuse } }
}

/// `osce rule adjudicate`.
struct RuleAdjudicate: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "adjudicate", abstract: "Say which of two markers' scores stands.")

  @Argument(help: "The station's code.")
  var station: String
  @Argument(help: "The candidate's number.")
  var candidate: String
  @Option(name: .long, help: "Whose score and grade stand: a seat, as lead or \"seat 2\", or its assessor's username.")
  var seat: String?
  @Flag(name: .long, help: "The mean of both stands.")
  var mean = false
  @Option(name: .long, help: "A score of its own, in percent.")
  var score: Double?
  @Option(name: .long, help: "The global grade that goes with --score.")
  var grade: Double?
  @OptionGroup var ruling: RulingOptions

  func validate() throws {
    if [seat != nil, mean, score != nil].count(where: { $0 }) != 1 {
      throw ValidationError("adjudicate takes one of --seat, --mean and --score")
    }
    if grade != nil && score == nil { throw ValidationError("--grade goes with --score") }
  }

  func run() throws {
    try ruling.rule(on: .init(station: station, candidate: candidate)) { transaction in
      let named = try seat.map { try Rulings.seat($0, of: candidate, at: station, in: transaction.db) }
      return .adjudication(score.map { .typed(score: $0, grade: grade) } ?? named.map { .seat($0.name) } ?? .mean)
    }
  }
}

/// `osce rule policy`.
struct RulePolicy: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "policy", abstract: "Change by which choices results are made; the options are those of osce results.")

  @OptionGroup var choices: ResultsChoices
  @OptionGroup var ruling: RulingOptions

  func run() throws {
    var document = try choices.document()
    if document == PolicyDocument() { throw ValidationError("name what is chosen, as --k 2") }
    for place in (document.exclude ?? []).indices { document.exclude?[place].reason = ruling.reason }
    let store = try ruling.options.openToRead()
    defer { store.close() }
    // What results cannot be made by is not ruled.
    try choices.check(try store.read { try ResultsReport.read(document, in: $0, at: store.clock.now) })
    let json = PolicyText.json(document)
    let names = PolicyText.names(document).joined(separator: " ")
    try ruling.rule { _ in .policy(json: json, names: names) }
  }
}

/// `osce rule waive`.
struct RuleWaive: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "waive", abstract: "Accept what osce close lists as open, with a reason of at least 10 characters.",
    discussion: """
      A waived sheet without signature is signed by the lead on behalf of its assessor, and so counts. A waiver is void as \
      soon as its line changes.
      """)

  @Argument(help: "The check, as osce close --json names it.")
  var check: ClosingReport.Code
  @Option(name: .long, help: "One line, by its id in osce close --json.")
  var line: String?
  @Option(name: .long, help: "Every line of one station.")
  var station: String?
  @OptionGroup var ruling: RulingOptions

  func validate() throws {
    if line == nil && station == nil {
      throw ValidationError("waive takes --line or --station: one line, or all of one station")
    }
  }

  func run() throws {
    guard check.isWaivable else { throw StoreError("\(check.rawValue) is not waived: it has to be settled") }
    let (store, closing) = try ClosingLook.take(ruling.options)
    store.close()
    let open = closing.checks.first { $0.code == check }?.open ?? []
    let chosen = open.filter { (line ?? $0.id) == $0.id && (station ?? $0.station) == $0.station }
    if chosen.isEmpty { throw StoreError("nothing open of \(check.rawValue) fits; osce close --json lists the lines") }
    let progress = ProgressLine()
    defer { progress.end() }
    try ruling.act { lead, transaction in
      for (index, line) in chosen.enumerated() {
        try line.waive(check, reason: ruling.reason, by: lead, transaction)
        progress.say("waived \(index + 1) of \(chosen.count) lines")
      }
      progress.end()
      return "waived: \(chosen.count) \(chosen.count == 1 ? "line" : "lines") of \(check.rawValue)\n"
    }
  }
}

extension ClosingReport.Code: ExpressibleByArgument {}

/// `osce rule answer`.
struct RuleAnswer: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "answer",
    abstract: "Answer a concern or an identity note, or say that a sheet typed from paper was compared with it.",
    discussion: "The reason says what became of it. Who typed a sheet does not compare it as well.")

  @Argument(help: "Its subject, as osce close --json names it.")
  var subject: String
  @OptionGroup var ruling: RulingOptions

  func run() throws {
    try ruling.rule { transaction in
      let known =
        try Concern.all(in: transaction.db).map(\.key) + IdentityNote.all(in: transaction.db).map(\.entry)
        + PaperSheet.all(in: transaction.db).keys
      guard known.contains(subject) else {
        throw StoreError(
          "there is no concern, identity note or sheet from paper \(subject); osce close --json lists them"
        )
      }
      return .answer(row: subject)
    }
  }
}

/// `osce rule settle`.
struct RuleSettle: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "settle", abstract: "Say which of two values of one field is right, where terminals had not met.",
    discussion: "osce close lists such fields with their values by number, and --json with their subject.")

  @Argument(help: "Its subject, as osce close --json names it.")
  var subject: String
  @Argument(help: "The number of the value that is right, from 1.")
  var value: Int
  @OptionGroup var ruling: RulingOptions

  func run() throws {
    try ruling.act { lead, transaction in
      let named = try Contradiction.all(in: transaction.db).filter { $0.row.id == subject || "\($0.row)" == subject }
      guard let found = named.first else {
        throw StoreError("\(subject) has no field with two values; osce close --json lists them")
      }
      if named.count > 1 {
        throw StoreError("several rows have that key; name one of \(named.map { "\($0.row)" }.joined(separator: ", "))")
      }
      guard found.choices.indices.contains(value - 1) else {
        throw StoreError("the values have the numbers 1 to \(found.choices.count); got \(value)")
      }
      let report = try ContradictionReport.read(found.row, in: transaction.db)
      let key = try found.settle(for: found.choices[value - 1].id, reason: ruling.reason, by: lead, transaction)
      let words = report?.choices[value - 1].words ?? ""
      return "settled: \(report?.subject ?? subject): \(words)\nruled: \(key)\n"
    }
  }
}

/// `osce rule withdraw`.
struct RuleWithdraw: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "withdraw", abstract: "Withdraw a ruling; the journal keeps it.",
    discussion: """
      A mark sheet that a waiver signed on behalf of its assessor is open again, and values that were settled contradict \
      each other again.
      """)

  @Argument(help: "The ruling's key, as osce rule printed it and osce export rulings has it.")
  var key: String
  @OptionGroup var ruling: RulingOptions

  func run() throws {
    try ruling.act { lead, transaction in
      try Rulings.withdraw(key, reason: ruling.reason, by: lead, transaction)
      return "withdrawn: \(key)\n"
    }
  }
}

/// `osce rule amend`.
struct RuleAmend: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "amend", abstract: "Change one answer of a locked exam: two people, each with a passcode.",
    discussion: """
      The lock is kept, the amendment gets the next number and a final hash of its own. Passcodes are taken as by osce \
      close --lock.
      """)

  @Argument(help: "The mark sheet, by its key in osce export marks.")
  var sheet: String
  @Argument(help: "The item, by its key.")
  var item: String
  @Argument(help: "What it is to hold: the value of one of its levels, unable, or blank.")
  var answer: String
  @Option(name: .long, help: "Which copy of the item's section, from 1.")
  var copy: Int = 1
  @Option(name: .long, help: "Who amends with the exam lead: a username.")
  var second: String
  @OptionGroup var ruling: RulingOptions

  func validate() throws { _ = try amendment() }

  private func amendment() throws -> Amendment {
    switch answer {
    case "unable": return Amendment(sheet: sheet, item: item, copy: copy, answer: .unable)
    case "blank": return Amendment(sheet: sheet, item: item, copy: copy, answer: .blank)
    default:
      guard let value = Double(answer).flatMap({ MarkValue($0) }) else {
        throw ValidationError("an answer is a value, unable or blank; got \"\(answer)\"")
      }
      return Amendment(sheet: sheet, item: item, copy: copy, answer: .value(value))
    }
  }

  func run() throws {
    let store = try ruling.options.open()
    defer { store.close() }
    guard let username = ruling.acting.username else { throw StoreError("name the exam lead with --staff USERNAME") }
    let people = try TwoPeople.asked(username, second, in: store)
    let look = try ClosingLook.examine(store)
    let amendment = try amendment()
    let author = Author(
      staff: people.first.member.id, examTime: ExamTime(milliseconds: store.clock.now.milliseconds))
    let made = try store.write(author) {
      try Locking.amend(amendment, look, reason: ruling.reason, by: people, $0)
    }
    let old = made.before.isUnable ? "unable" : made.before.value?.description ?? "blank"
    let lines = [
      "\(made.before.text): \(old), now \(answer)", "before: \(made.results.0.summary)",
      "after:  \(made.results.1.summary)", "final hash \(made.content.hash)",
    ]
    Output.standard.text(lines.joined(separator: "\n") + "\n")
  }
}

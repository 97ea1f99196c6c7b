import CircuitModel
import ExamStore
import GRDB
import Journal

/// Loads exam folders and bundles into a store: all of it, or nothing.
public enum ExamImport {
  /// What came of it.
  public struct Outcome: Sendable {
    /// What was changed; nil if any problem is an error, and then nothing was.
    public var report: ImportReport?
    /// Every error and warning.
    public var problems: [Problem]
  }

  /// Loads folders and bundle files in their order, in one transaction; a bundle may refer to rows of an earlier one.
  /// Several folders are parts of one exam: they agree in its settings, and each brings its own roles and phrases.
  ///
  /// - Parameters:
  ///   - isForced: whether signed sheets may stop counting, and every mark sheet may go.
  ///   - today: the date on which it is loaded; then it warns of the plan and its times, as a check does. Nil: it does not.
  /// - Throws: `StoreError` if the store refuses; nothing is changed then.
  public static func load(
    _ paths: [String], into store: ExamStore, by author: Author = .program, isForced: Bool = false,
    today: String? = nil
  ) throws -> Outcome {
    var sources = Source.read(paths, today: today)
    if let difference = unite(&sources, paths) {
      return Outcome(report: nil, problems: sources.flatMap(\.problems) + [difference])
    }
    return try load(sources, into: store, by: author, isForced: isForced)
  }

  /// What is wrong with folders, each by itself and all together, as far as it is known without a store.
  public static func problems(ofFolders paths: [String]) -> [Problem] {
    var sources = Source.read(paths, today: nil)
    let difference = unite(&sources, paths)
    return sources.flatMap(\.problems) + (difference.map { [$0] } ?? [])
  }

  /// Gives several folders the settings of the exam that they are parts of.
  /// - Returns: why they are not of one exam.
  private static func unite(_ sources: inout [Source], _ paths: [String]) -> Problem? {
    let parts = zip(paths, sources).compactMap { path, source -> ExamParts.Part? in
      if case .folder(let plan?, _, _) = source { (path, plan) } else { nil }
    }
    if parts.count < 2 { return nil }
    let exam = ExamParts(parts)
    if let difference = exam.difference { return difference }
    let settings = exam.settings
    for index in sources.indices {
      guard case .folder(var plan?, let problems, let named) = sources[index] else { continue }
      plan.shared = settings
      sources[index] = .folder(plan, problems, named: named)
    }
    return nil
  }

  /// Loads a plan that was read before.
  ///
  /// - Throws: `StoreError` if the store refuses; nothing is changed then.
  public static func load(_ plan: ExamPlan, into store: ExamStore, by author: Author = .program) throws -> Outcome {
    try load([.folder(plan, [], named: nil)], into: store, by: author, isForced: false)
  }

  private static func load(
    _ sources: [Source], into store: ExamStore, by author: Author, isForced: Bool
  ) throws -> Outcome {
    var problems = sources.flatMap(\.problems)
    if problems.hasErrors { return Outcome(report: nil, problems: problems) }
    // Before the store is locked: a large file, refused or not, keeps no terminal waiting while it is read.
    let prepared = try store.read { db in prepare(sources, db, &problems) }
    if problems.hasErrors { return Outcome(report: nil, problems: problems) }
    let passcodes = try PreparedPasscodes(prepared.flatMap(\.passcodes), in: store)
    do {
      let report = try store.write(author) { transaction in
        var all: [ImportRow] = []
        var forms: [String: Set<Int>] = [:]
        let report = try prepared.reduce(into: nil as ImportReport?) { total, source in
          let rows = try rows(of: source, isForced: isForced, transaction.db, &problems)
          let report = try BundleImport.apply(
            rows, passcodes: passcodes, mayLoseSigned: isForced, completesSheets: false, in: transaction)
          total = total?.adding(report) ?? report
          all += rows
          if let path = source.bundlePath { forms[path, default: []].formUnion(rows.compactMap(\.form)) }
        }
        // Once all files are in: what one leaves out of a sheet the next may bring.
        try BundleImport.completeSheets(of: all, in: transaction)
        problems += try lackedItems(forms, transaction.db)
        if prepared.contains(where: \.isFolder) { problems += try lackedCircuits(all, transaction.db) }
        return report
      }
      return Outcome(report: report, problems: problems)
    } catch is Refused {
      return Outcome(report: nil, problems: problems)
    }
  }

  /// Reads bundles as far as they depend on nothing that is known only once the store is locked: the rows of a folder
  /// get their numbers then.
  private static func prepare(_ sources: [Source], _ db: Database, _ problems: inout [Problem]) -> [Source] {
    var earlier: [String: Bundle.Row] = [:]
    var prepared: [Source] = []
    for source in sources {
      guard case .bundle(let path) = source, !prepared.contains(where: \.isFolder) else {
        prepared.append(source)
        continue
      }
      let answers = StoredEntities(db, earlier: earlier)
      let (bundle, found) = BundleReader.read(path) { answers.find($0, $1, $2) }
      problems += found
      guard let bundle else { return [] }
      for row in bundle.rows { if let key = row.key { earlier[StoredEntities.place(key.entity, key.id)] = row } }
      prepared.append(.rows(path, bundle.rows.compactMap(\.importRow), answers.found))
    }
    return prepared
  }

  /// A warning of each circuit that stays planned although no folder has it.
  private static func lackedCircuits(_ rows: [ImportRow], _ db: Database) throws -> [Problem] {
    try RetiredRows.circuits(without: rows, in: db).map { code in
      let code = Visible.text(code)
      return Problem(
        .warning, file: "exam.yaml", line: 1,
        "the circuit '\(code)' is not in the folder any more: its sessions stay planned; to take them out, put the "
          + "circuit back without sessions")
    }
  }

  /// A warning of each item that a form of a bundle says something of and does not have.
  private static func lackedItems(_ forms: [String: Set<Int>], _ db: Database) throws -> [Problem] {
    if forms.values.allSatisfy(\.isEmpty) { return [] }
    let keys = try QuestionKeys.all(in: db)
    return try forms.sorted { $0.key < $1.key }.flatMap { path, forms in
      try forms.sorted().flatMap { form -> [Problem] in
        let properties = try SheetProperties.of(form, in: db)
        guard !properties.namedItems.isEmpty, let template = try TemplateReader.read(form: form, in: db) else {
          return []
        }
        return properties.lackedItems(of: template, keys).map { name in
          Problem(.warning, file: path, line: 1, BundleRules.lackedItem(name, ofForm: "\(form)"))
        }
      }
    }
  }

  /// Leaves the transaction with nothing changed: the problems say why.
  private struct Refused: Error {}

  private enum Source {
    /// What a folder says, and its path where problems name it: beside other folders.
    case folder(ExamPlan?, [Problem], named: String?)
    case bundle(String)
    /// A bundle that was read, and what the store answered meanwhile.
    case rows(String, [ImportRow], [StoredEntities.Question: String?])

    var problems: [Problem] { if case .folder(_, let found, _) = self { found } else { [] } }
    var isFolder: Bool { if case .folder = self { true } else { false } }

    var bundlePath: String? {
      switch self {
      case .folder: nil
      case .bundle(let path), .rows(let path, _, _): path
      }
    }

    var passcodes: [PreparedPasscodes.Claim] {
      switch self {
      case .folder(let plan, _, _):
        (plan?.staff ?? []).compactMap { member in
          member.passcode.map { PreparedPasscodes.Claim(username: member.username, passcode: $0) }
        }
      case .bundle(let path): BundleReader.passcodes(path)
      case .rows(_, let rows, _):
        rows.compactMap { row in
          guard case .text(let username)? = row.fields["username"], case .text(let passcode)? = row.fields["passcode"]
          else { return nil }
          return PreparedPasscodes.Claim(username: username, passcode: passcode)
        }
      }
    }

    static func read(_ paths: [String], today: String?) -> [Source] {
      paths.map { path in
        guard ExamFiles.isFolder(path) else { return .bundle(path) }
        let named = paths.count > 1 ? path : nil
        let (plan, problems) = ExamFolder.read(path)
        let advice = plan.flatMap { plan in today.map { ExamCheck.advice(on: plan, today: $0) } }
        return .folder(plan, (problems + (advice ?? [])).map { $0.inside(named) }, named: named)
      }
    }
  }

  private static func rows(
    of source: Source, isForced: Bool, _ db: Database, _ problems: inout [Problem]
  ) throws -> [ImportRow] {
    switch source {
    case .folder(let plan, _, let named):
      guard let plan else { throw Refused() }
      var keys = try NaturalKeys(db)
      var bundle = plan.bundle(&keys)
      try AddedEntries.adopt(&bundle, in: db)
      let retired = try RetiredRows.find(bundle, in: db)
      RetiredRows.keepRounds(at: retired.heldRing, &bundle)
      if plan.sheets.isEmpty, !(plan.hasSheetsFolder && isForced),
        retired.rows.contains(where: { $0.row.entity == "AvailableForm" })
      {
        let text =
          plan.hasSheetsFolder
          ? "this folder is empty, and the store has mark sheets from it; put them back, or take them away with --force"
          : "this folder is missing, and the store has mark sheets from it; put it back"
        problems.append(Problem(.error, file: "sheets", line: 1, text).inside(named))
        throw Refused()
      }
      let stay =
        retired.begun.map {
          "the session \(Visible.text($0)) is not in the folder any more, but was begun: it stays planned"
        }
        + retired.begunInPart.map {
          "the session \(Visible.text($0)) has fewer stations in the folder, but was begun: they stay planned, "
            + "and its rounds stay as they are"
        }
      for text in stay {
        let problem = Problem(.warning, file: "exam.yaml", line: 1, text).inside(named)
        if !problems.contains(problem) { problems.append(problem) }
      }
      return retired.rows + bundle.rows.compactMap(\.importRow)
    case .rows(let path, let rows, let answers):
      let isStill = answers.allSatisfy { question, answer in
        StoredEntities.find(question, in: db) == answer
      }
      if isStill { return rows }
      return try Self.rows(of: .bundle(path), isForced: isForced, db, &problems)
    case .bundle(let path):
      let (bundle, found) = BundleReader.read(path) {
        StoredEntities.find(.init(entity: $0, key: $1, field: $2), in: db)
      }
      problems += found.filter { !problems.contains($0) }
      guard let bundle else { throw Refused() }
      return bundle.rows.compactMap(\.importRow)
    }
  }
}

extension ImportRow {
  /// The form's key, if the row is one.
  fileprivate var form: Int? { row.entity == "TypeForm" ? Int(row.id) : nil }
}

extension ImportReport {
  fileprivate func adding(_ other: ImportReport) -> ImportReport {
    var total = self
    total.created += other.created
    total.changed += other.changed
    total.unchanged += other.unchanged
    total.kept += other.kept
    total.leftDeleted += other.leftDeleted
    total.notDeleted += other.notDeleted
    total.places.merge(other.places) { _, place in place }
    total.names.merge(other.names) { _, name in name }
    total.withdrawn += other.withdrawn
    if other.created + other.changed > 0 { total.outdated = other.outdated }
    total.versions += other.versions.filter { !versions.contains($0) }
    return total
  }
}

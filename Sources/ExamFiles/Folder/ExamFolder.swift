/// The exam folder: `exam.yaml`, `candidates.csv`, `staff.csv` and `sheets/CODE.yaml`.
public enum ExamFolder {
  private static let fileLimit = 500

  /// Reads a folder and checks it.
  ///
  /// - Parameter path: the folder.
  /// - Returns: the plan, nil if any problem is an error, and every problem in the order of files and lines.
  public static func read(_ path: String) -> (plan: ExamPlan?, problems: [Problem]) {
    guard isFolder(path) else {
      return (nil, [Problem(.error, file: path, line: 1, "this is not a folder; 'osce new' writes an example")])
    }
    return read(.disk(path))
  }

  /// Reads a folder that is held in memory: texts by path, such as `sheets/CHEST.yaml`.
  public static func read(_ files: [String: String]) -> (plan: ExamPlan?, problems: [Problem]) { read(.memory(files)) }

  private static func read(_ files: FolderFiles) -> (plan: ExamPlan?, problems: [Problem]) {
    let problems = ProblemList()
    let plan = load(files, problems)
    if let plan, !problems.problems.hasErrors { PlanBounds(plan, problems).check() }
    let found = problems.problems.inFileOrder()
    return (found.hasErrors ? nil : plan, found)
  }

  private static func load(_ files: FolderFiles, _ problems: ProblemList) -> ExamPlan? {
    guard let exam = files.source("exam.yaml", problems), let tree = YAMLTree.read(exam, problems: problems) else {
      _ = readSheets(files, scales: [:], problems)
      let people = PeopleReader(problems: problems)
      _ = files.source("candidates.csv", problems).flatMap(people.candidates)
      _ = files.source("staff.csv", problems).flatMap(people.staff)
      return nil
    }
    let reader = ExamReader(file: exam.name, problems: problems)
    let sheets = readSheets(files, scales: reader.scales(tree), problems)
    let people = PeopleReader(problems: problems)
    let candidates = files.source("candidates.csv", problems).flatMap(people.candidates)
    let staff = files.source("staff.csv", problems).flatMap(people.staff)
    guard var plan = reader.read(tree) else { return nil }
    plan.candidates = candidates ?? []
    plan.staff = staff ?? []
    plan.sheets = sheets?.read ?? []
    plan.hasSheetsFolder = sheets != nil
    nameOwnSheets(&plan, unread: sheets?.unread ?? [])
    if candidates != nil { fillSlots(&plan, problems) }
    PlanRules(
      plan, problems, knowsCandidates: candidates != nil, knowsStaff: staff != nil, unread: sheets?.unread ?? []
    ).check()
    return plan
  }

  /// Mark sheets, and the codes by which those would be known that could not be read.
  private struct Sheets {
    var read: [MarkSheet] = []
    var unread: Set<String> = []
  }

  /// Nil if there is no folder of them.
  private static func readSheets(
    _ files: FolderFiles, scales: [String: MarkSheet.SharedScale], _ problems: ProblemList
  ) -> Sheets? {
    let names: [String]
    switch files.sheets {
    case .names(let found): names = found
    case .missing: return nil
    case .unreadable(let reason):
      problems.error(Place(file: "sheets", line: 1), reason)
      return Sheets()
    }
    guard names.count <= fileLimit else {
      problems.error(
        Place(file: "sheets", line: 1), "more than \(fileLimit) files: this is not a folder of mark sheets")
      return Sheets()
    }
    var sheets = Sheets()
    for name in names {
      let shown = "sheets/" + name
      guard name.hasSuffix(".yaml") || name.hasSuffix(".yml") else {
        problems.warning(Place(file: shown, line: 1), "not read: a mark sheet ends in .yaml")
        continue
      }
      let stem = String(name.dropLast(name.hasSuffix(".yaml") ? 5 : 4))
      guard let source = files.source(shown, problems), let tree = YAMLTree.read(source, problems: problems),
        let sheet = MarkSheetReader(file: shown, problems: problems, scales: scales).read(tree, stem: stem)
      else {
        sheets.unread.insert(stem)
        continue
      }
      if let other = sheets.read.first(where: { $0.code.lowercased() == sheet.code.lowercased() }) {
        problems.error(sheet.place, "mark sheet code \(Visible.quoted(sheet.code)) is also in \(other.place.file)")
      } else {
        sheets.read.append(sheet)
      }
    }
    return sheets
  }

  /// A station that names no sheet has the sheet of its own code, if there is one.
  private static func nameOwnSheets(_ plan: inout ExamPlan, unread: Set<String>) {
    let codes = Set(plan.sheets.map(\.code)).union(unread)
    for circuit in plan.circuits.indices {
      for index in plan.circuits[circuit].stations.indices {
        let station = plan.circuits[circuit].stations[index]
        if station.sheets.isEmpty, !station.isRest, codes.contains(station.code) {
          plan.circuits[circuit].stations[index].sheets = [.init(code: station.code, place: station.place)]
        }
      }
    }
  }

  private static func fillSlots(_ plan: inout ExamPlan, _ problems: ProblemList) {
    for index in plan.sessions.indices {
      guard let group = plan.sessions[index].group else { continue }
      let members = plan.candidates.filter { $0.groups.contains(group.code) }
      if members.isEmpty {
        problems.error(
          group.place,
          "session: no candidate is in group \(Visible.quoted(group.code))"
            + NearestName.hint(for: group.code, among: Set(plan.candidates.flatMap(\.groups)).sorted()))
      }
      plan.sessions[index].slots = members.map { .init(code: $0.number, place: group.place) }
    }
  }
}

/// Everything that can be said of an exam folder or a bundle before it is imported.
public enum ExamCheck {
  /// Errors, which an import would refuse, and warnings about the plan and its times, which it would not.
  /// - Parameter today: the date on which it is asked, `2026-12-07`: a session before it is warned of. Nil: no date is.
  public static func problems(of path: String, today: String? = nil) -> [Problem] {
    problems(ofEach: [path], today: today)[0]
  }

  /// The same of each of several, with what is wrong between the people of bundles. Files of a folder are named with its
  /// path where there is anything beside it.
  public static func problems(ofEach paths: [String], today: String?) -> [[Problem]] {
    var names = TakenNames()
    return paths.map { path in
      guard isFolder(path) else {
        let (bundle, problems) = BundleReader.read(path, stored: nil)
        return problems + (bundle.map { BundleAdvice.warnings($0, beside: &names) } ?? [])
      }
      let (plan, problems) = ExamFolder.read(path)
      let found = problems + (plan.map { advice(on: $0, today: today) } ?? [])
      return found.map { $0.inside(paths.count > 1 ? path : nil) }
    }
  }

  /// What a folder or a bundle calls its exam; nil where it does not say.
  public static func examName(in path: String) -> String? {
    if isFolder(path) { return ExamFolder.read(path).plan?.name }
    let row = BundleReader.read(path).bundle?.rows.first { $0.entity == "Config" }
    guard case .text(let name)? = row?.values["examName"] else { return nil }
    return name
  }

  /// The warnings about a plan and its times.
  /// - Parameter today: as of `problems`.
  static func advice(on plan: ExamPlan, today: String?) -> [Problem] {
    let advised = PlanAdvice.warnings(plan)
    guard let today else { return advised }
    let past = plan.sessions.filter { $0.date < today }.map { session in
      Problem(
        .warning, at: session.place,
        "session: \(Visible.text(session.date)) is in the past; today is \(today)")
    }
    return advised + past
  }
}

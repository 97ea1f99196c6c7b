import ArgumentParser
import CRig
import Foundation
import Glibc
import Rig

/// The whole day of an exam, played by scripted people at real terminals whose clocks run faster.
struct ExamDay: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "day",
    abstract:
      "The example exam's whole day at real terminals, sixty times as fast: every planned sheet, locked, reported, proved.",
    discussion: """
      An invigilator at the desk starts the rounds of two circuits and stops them once for a fire alarm; fifteen \
      assessors check who comes, mark, and sign; after the afternoon the lead names and accepts what is open, and two \
      people lock the exam. Every sheet that was planned must be held and every item on it answered, the results must \
      name every candidate, the store be sound, and a copy of it proved by the final hash.
      """)

  @Option(help: "How much faster the clocks run.") var factor = 60
  @Option(help: "The exam's folder.") var exam = "fixtures/year3-osce"
  @Flag(help: "One circuit of four stations instead of two of eight, with the same bells and the same two sessions.")
  var short = false
  @Flag(help: "One assessor leaves out one item: the day must not end well then.") var leaveOneOut = false
  @Option(help: "For how many seconds a session may go on before the day is given up.") var patience = 900
  @Option(help: "The library that makes clocks faster; by default beside this program.") var library: String?
  @OptionGroup var measuring: MeasuringOptions

  func run() throws {
    let library = library ?? ProcessFacts.ownFolder + "/osce-faster.so"
    guard access(library, R_OK) == 0 else { throw RigError("\(library) is not there: script/faults builds it") }
    let plan = short ? DayPlan.short : .whole
    let scratch = try ScratchFolder(in: measuring.folder)
    defer { scratch.remove() }
    let day = try PlayedDay(
      in: scratch, osce: measuring.osce, exam: exam, plan: plan, library: library,
      factor: factor)
    var faults = try play(plan, day)
    if faults.isEmpty { faults = try DayEnd(day, plan).faults() }
    if !leaveOneOut { return try report("day", faults) }
    guard !faults.isEmpty else { throw RigError("day: an item was left out, and nothing was found") }
    print("day: an item was left out, and that was found:\n\(faults[0].prefix(2000))")
  }

  /// Plays both sessions to their last bell.
  /// - Returns: what went wrong.
  private func play(_ plan: DayPlan, _ day: PlayedDay) throws -> [String] {
    let begin = now()
    for (index, half) in plan.halves.enumerated() {
      day.sleep(until: half.opening)
      let assessors = try half.seats.map { try day.assessor($0.username, timetable: $0.timetable) }
      assessors[0].leavesOneOut = leaveOneOut && index == 0
      let desk = try day.desk("wbarker")
      var faults: [String] = []
      do { try PlayedDay.play(desk, assessors, patience: patience) } catch {
        faults.append("the \(half.name): \(error)")
      }
      let keys = assessors.reduce(0) { $0 + $1.keys }
      print(
        "day: the \(half.name) played to its last bell: \(assessors.count) assessors pressed \(keys) keys, "
          + "\((now() - begin) / 1_000_000_000) s so far")
      for terminal in assessors.map(\.terminal) + [desk.terminal] { terminal.child.hangUp() }
      for terminal in assessors.map(\.terminal) + [desk.terminal] { terminal.child.wait() }
      if !faults.isEmpty { return faults }
    }
    return []
  }
}

/// What is planned for a day, and what must come of it.
struct DayPlan {
  /// One of the sessions: when it begins, and its station sessions with who marks there.
  struct Half {
    let name: String
    /// Seconds since 1970 at which its terminals are opened.
    let opening: Int64
    let seats: [(timetable: Int, username: String)]
  }

  let halves: [Half]
  /// The numbers of those who are examined.
  let candidates: [Int]
  /// How many sheets there are to be: one for each candidate and station, and one for each second assessor.
  let sheets: Int
  /// What stands in exam.yaml; nil: what the exam's folder has.
  let yaml: String?

  /// - Parameters:
  ///   - assessors: who marks at each station session of the morning, in their order; empty at a rest station.
  ///   - cover: who stands in at the second of them in the afternoon; nil: nobody.
  private init(
    assessors: [String], cover: String?, secondAssessor: Int, candidates: [Int], sheets: Int, yaml: String? = nil
  ) {
    (self.candidates, self.sheets, self.yaml) = (candidates, sheets, yaml)
    // 7 December 2026, 08:59 and 13:29 in London.
    halves = [(name: "morning", opening: 1_796_633_940 as Int64), ("afternoon", 1_796_650_140)].enumerated().map {
      index, half in
      var seats = assessors.enumerated().filter { !$0.element.isEmpty }
        .map { (timetable: index * assessors.count + $0.offset + 1, username: $0.element) }
      if index == 1, let cover { seats[1].username = cover }
      seats.append((timetable: index * assessors.count + secondAssessor, username: "rfitzgerald"))
      return Half(name: half.name, opening: half.opening, seats: seats)
    }
  }

  /// As the example exam plans it: thirty candidates at seven stations, sixteen of them with a second assessor at one.
  static let whole = DayPlan(
    assessors: [
      "nokafor", "hyamamoto", "mlindqvist", "psharma", "", "doneill", "aalrashid", "tnguyen",
      "gmoreau", "jadeyemi", "skowalska", "lchen", "", "bthomas", "evasquez", "ipetrov",
    ], cover: "fhaddad", secondAssessor: 3, candidates: Array(30101...30130), sheets: 30 * 7 + 16)

  /// The same bells, people and mark sheets: eight candidates at three stations, all of them with a second assessor at one.
  static let short = DayPlan(
    assessors: ["nokafor", "hyamamoto", "mlindqvist", ""], cover: "fhaddad", secondAssessor: 3,
    candidates: Array(30101...30104) + Array(30116...30119), sheets: 8 * 3 + 8,
    yaml: """
      exam: Short OSCE
      timeZone: Europe/London
      phases:
        - reading 60 s, manual start
        - rotation 8 min
        - changeover 60 s
      warnings:
        - { phase: rotation, left: 2 min, level: amber, text: "Two minutes remaining." }
        - { phase: rotation, left: 0 s, level: red, text: "Stop now and move to the next station." }
      stations:
        - { code: CHEST, name: Chest pain history, simulatedPatient: true, lead: nokafor }
        - { code: ABDO, name: Abdominal examination, patients: true }
        - { code: CONSENT, name: Consent for gastroscopy, simulatedPatient: true, lead: mlindqvist }
        - { code: REST, name: Rest station, rest: true }
      circuits:
        - { code: BLUE, name: Blue circuit, disciplines: [Medicine, Dentistry] }
      sessions:
        - name: Morning
          date: 2026-12-07
          start: "09:00"
          end: "10:30"
          circuits:
            BLUE:
              assessors: { CHEST: nokafor, ABDO: hyamamoto, CONSENT: mlindqvist }
              coMarkers: { CONSENT: rfitzgerald }
              slots: [30101, 30102, 30103, 30104]
        - name: Afternoon
          date: 2026-12-07
          start: "13:30"
          end: "15:00"
          circuits:
            BLUE:
              assessors: { CHEST: nokafor, ABDO: hyamamoto, CONSENT: mlindqvist }
              coMarkers: { CONSENT: rfitzgerald }
              cover: { ABDO: fhaddad }
              slots: [30116, 30117, 30118, 30119]

      """)
}

/// What is done after the last bell: the exam closed, locked, reported and proved.
struct DayEnd {
  private let day: PlayedDay
  private let plan: DayPlan
  private let lead = ["--staff", "cdubois"]

  init(_ day: PlayedDay, _ plan: DayPlan) { (self.day, self.plan) = (day, plan) }

  private struct Fault: Error {
    let text: String
  }

  /// What is wrong.
  func faults() throws -> [String] {
    do {
      try close()
      let hash = try lock()
      try results()
      try prove(hash)
      let items = try marks()
      print(
        "day: \(plan.sheets) planned sheets, all held and signed, \(items) items on them, each answered; locked by two, "
          + "its copy proved, the store sound, results and board report of \(plan.candidates.count) candidates")
      return []
    } catch let fault as Fault { return [fault.text] }
  }

  /// Runs a command that must succeed and say something.
  @discardableResult
  private func run(_ arguments: [String], saying text: String = "") throws -> [String] {
    let said = try day.osce(arguments)
    guard said.code == 0, text.isEmpty || said.lines.contains(where: { $0.contains(text) }) else {
      throw Fault(
        text: "osce \(arguments.joined(separator: " ")) (\(said.code)), expected: \(text)\n"
          + said.lines.joined(separator: "\n"))
    }
    return said.lines
  }

  /// Accounts for every sheet, and accepts line by line what scripts cannot settle: two assessors who differ, critical items,
  /// cuts of few candidates. The second copy's age follows from a file's time, which runs no faster here.
  private func close() throws {
    let identity = "\(plan.sheets) expected = \(plan.sheets) held + 0 absent + 0 excluded + 0 queued"
    try run(["close"] + lead, saying: identity)
    let accepted: Set = ["doubleMarks", "critical", "cuts", "secondCopy"]
    var waived = 0
    for check in try checks() where check.open > 0 {
      guard accepted.contains(check.code) else {
        throw Fault(text: "\(check.open) open of \(check.code), which a played day should not leave: \(check.lines)")
      }
      for line in check.lines {
        guard let what = line["what"] as? String, !what.isEmpty, let id = line["id"] as? String else {
          throw Fault(text: "a line of \(check.code) has no words or no key: \(line)")
        }
        let isOfPerson = check.code == "doubleMarks" || check.code == "critical"
        guard !isOfPerson || line["station"] is String && line["candidate"] is String else {
          throw Fault(text: "a line of \(check.code) names no candidate at a station: \(line)")
        }
        try run(["rule", "waive", check.code, "--line", id, "--reason", "played by scripts"] + lead)
        waived += 1
      }
    }
    try run(["close"] + lead, saying: "everything is in order")
    print("day: closed: \(waived) lines named and accepted one by one")
  }

  /// The checks as `osce close --json` has them.
  private func checks() throws -> [(code: String, open: Int, lines: [[String: Any]])] {
    guard let closing = try object(["close", "--json"] + lead), let found = closing["checks"] as? [[String: Any]] else {
      throw Fault(text: "osce close --json gives no checks")
    }
    return found.map { check in
      let lines = (check["lines"] as? [[String: Any]] ?? []).filter { $0["waived"] as? Bool != true }
      return (check["code"] as? String ?? "", check["open"] as? Int ?? -1, lines)
    }
  }

  /// What a command prints as one JSON object.
  private func object(_ arguments: [String]) throws -> [String: Any]? {
    // What is open, or does not verify, ends it with 1 and may say so in a line of its own.
    let text = try day.osce(arguments).lines.filter { !$0.hasPrefix("osce: ") }.joined(separator: "\n")
    return try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
  }

  /// - Returns: the final hash.
  private func lock() throws -> String {
    try run(["close", "--lock"] + lead + ["--second", "kmensah"], saying: "LOCKED")
    let lock = try object(["close", "--json"] + lead)?["lock"] as? [String: Any]
    guard let hash = lock?["hash"] as? String, lock?["by"] as? [String] == ["cdubois", "kmensah"] else {
      throw Fault(text: "the lock is not by two people, or has no hash: \(lock ?? [:])")
    }
    return hash
  }

  /// Every candidate has a result, none of them incomplete; the board report and the closing report name the lock.
  private func results() throws {
    let results = try object(["results", "--json"] + lead)
    let candidates = results?["candidates"] as? [[String: Any]] ?? []
    let outcomes = candidates.reduce(into: [:]) { $0["\($1["outcome"] ?? "none")", default: 0] += 1 }
    let numbers = candidates.compactMap { ($0["number"] ?? $0["candidate"]) as? String }.sorted()
    guard numbers == plan.candidates.map(String.init), Set(outcomes.keys).isSubset(of: ["pass", "fail"]) else {
      throw Fault(text: "the results are of \(numbers.count) candidates, \(outcomes), not of \(plan.candidates.count)")
    }
    guard outcomes.count == 2 else {
      throw Fault(text: "all have one outcome, \(outcomes): what was typed does not tell candidates apart")
    }
    for name in ["board.html", "closing.txt"] {
      let file = day.scratch.file(name)
      try run(name == "board.html" ? ["report", file] + lead : ["close", "--report", file] + lead)
      let text = try Files.text(file)
      guard plan.candidates.allSatisfy({ name != "board.html" || text.contains(String($0)) }),
        !text.contains("NOT LOCKED"), !text.contains("NOT FINAL")
      else { throw Fault(text: "\(name) does not name everybody, or is not of a locked exam") }
    }
  }

  /// The store is sound, and a copy is what was locked.
  private func prove(_ hash: String) throws {
    let copy = day.scratch.file("locked.sqlite")
    try run(["backup", copy], saying: copy)
    let proof = try object(["verify", copy, "--hash", hash, "--json"])
    guard proof?["verified"] as? Bool == true else { throw Fault(text: "osce verify: \(proof ?? [:])") }
    let digit: Character = hash.first == "0" ? "1" : "0"
    guard
      try object(["verify", copy, "--hash", String(digit) + hash.dropFirst(), "--json"])?["verified"] as? Bool == false
    else { throw Fault(text: "osce verify proves a hash that is another's") }
    try run(["doctor"], saying: "sound")
  }

  /// Every item with levels on every sheet is answered.
  /// - Returns: how many there are.
  private func marks() throws -> Int {
    let text = try run(["export", "marks", "--format", "json"] + lead).joined(separator: "\n")
    guard let rows = (try? JSONSerialization.jsonObject(with: Data(text.utf8))) as? [[String: Any]] else {
      throw Fault(text: "osce export marks gives no rows")
    }
    let scored = rows.filter { $0["maximum"] is NSNumber }
    let sheets = Set(scored.compactMap { $0["sheet"] as? String })
    let blank = scored.filter { !($0["value"] is NSNumber) && $0["unable"] as? Bool != true }
    guard sheets.count == plan.sheets, blank.isEmpty, scored.allSatisfy({ $0["signed_at"] is String }) else {
      let which = Set(blank.map { "\($0["station"] ?? "") \($0["item_key"] ?? "")" }).sorted()
      throw Fault(
        text: "\(sheets.count) of \(plan.sheets) sheets have marks, \(blank.count) items on them are blank: "
          + which.joined(separator: ", "))
    }
    return scored.count
  }
}

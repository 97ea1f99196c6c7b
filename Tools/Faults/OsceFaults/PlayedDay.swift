import CRig
import Glibc
import Rig

/// An exam whose people are scripts at real terminals.
final class PlayedDay {
  let scratch: ScratchFolder
  private let program: String
  private let store: String
  private let factor: Int64
  private var environment: [String: String]
  private let since = rig_boot_now()
  private let from: Int64
  private var slept: Int64 = 0

  /// Loads an exam; its lead, its office and its invigilator get passcodes.
  /// - Parameters:
  ///   - osce: the program.
  ///   - exam: the exam's folder.
  ///   - plan: what is planned; the wall clock shows its beginning now.
  ///   - library: makes clocks faster.
  /// - Throws: `RigError` if the exam is not taken.
  init(in scratch: ScratchFolder, osce: String, exam: String, plan: DayPlan, library: String, factor: Int) throws {
    self.scratch = scratch
    program = osce
    store = scratch.file("exam.sqlite")
    self.factor = Int64(factor)
    from = plan.halves[0].opening
    let folder = scratch.file("exam")
    guard system("cp -r '\(exam)' '\(folder)' && chmod -R u+w '\(folder)'") == 0 else {
      throw RigError("\(exam) cannot be copied")
    }
    let people = try Files.text(folder + "/staff.csv").split(separator: "\n", omittingEmptySubsequences: false).map {
      line in
      let username = String(line.prefix { $0 != "," })
      return line + (["cdubois": "first one", "kmensah": "second one", "wbarker": "third one"][username] ?? "")
    }
    try Files.write(Array(people.joined(separator: "\n").utf8), to: folder + "/staff.csv")
    if let yaml = plan.yaml { try Files.write(Array(yaml.utf8), to: folder + "/exam.yaml") }
    for (file, passcode) in [("first", "first one"), ("second", "second one"), ("third", "third one")] {
      try Files.write(Array(passcode.utf8), to: scratch.file(file))
      chmod(scratch.file(file), 0o600)
    }
    environment = [
      "LD_PRELOAD": library, "OSCE_FASTER_BY": String(factor), "OSCE_FASTER_SINCE": String(since),
      "OSCE_FASTER_DATE": String(from), "OSCE_PASSCODE_FILE": scratch.file("first"),
      "OSCE_SECOND_PASSCODE_FILE": scratch.file("second"), "HOME": scratch.path, "LANG": "C.UTF-8",
      "TZ": "Europe/London", "OSCE_BACKUP": scratch.file("backup.sqlite"), "PATH": "/usr/bin:/bin",
    ]
    let loaded = try self.osce(["import", folder])
    // The scratch folder is removed file by file: what lies in a folder of its own would stay.
    _ = system("rm -rf '\(folder)'")
    guard loaded.code == 0 else { throw RigError("the exam is not taken:\n" + loaded.lines.joined(separator: "\n")) }
  }

  /// Lets all clocks go on to a time at once, as if nothing had run until then; no terminal may be open.
  func sleep(until instant: Int64) {
    let shown = from + slept + (rig_boot_now() - since) * factor / 1_000_000_000
    slept += max(0, instant - shown)
    environment["OSCE_FASTER_SLEPT"] = String(slept)
  }

  /// Runs a command.
  func osce(_ arguments: [String]) throws -> (code: Int32, lines: [String]) {
    let child = try Child(
      onPipe: "/bin/sh", ["-c", "exec \"$@\" 2>&1", "sh", program] + arguments + ["--store", store, "--wait", "1200"],
      environment: environment)
    let lines = child.remainingLines()
    return (child.wait(), lines)
  }

  /// Sits somebody down at a station.
  func assessor(_ username: String, timetable: Int) throws -> ScriptedAssessor {
    ScriptedAssessor(
      username,
      try TerminalSession(
        program, ["mark", "--timetable", String(timetable), "--staff", username, "--store", store, "--wait", "1200"],
        environment: environment))
  }

  /// Sits an invigilator down at the desk of all circuits.
  func desk(_ username: String) throws -> ScriptedInvigilator {
    var environment = environment
    environment["OSCE_PASSCODE_FILE"] = scratch.file("third")
    return ScriptedInvigilator(
      try TerminalSession(
        program, ["wall", "--desk", "--bell", "none", "--staff", username, "--store", store, "--wait", "1200"],
        environment: environment, rows: 40, columns: 120))
  }

  /// Lets everybody do what their screen asks for, until the session is over and every sheet is signed.
  /// - Throws: `RigError` with a screen where somebody does not come on.
  static func play(_ desk: ScriptedInvigilator, _ assessors: [ScriptedAssessor], patience: Int) throws {
    let deadline = now() + Int64(patience) * 1_000_000_000
    while true {
      try desk.step()
      for assessor in assessors { try assessor.step() }
      if desk.isFinished && assessors.allSatisfy(\.isFinished) { return }
      if now() > deadline {
        let waiting = assessors.filter { !$0.isFinished }
        let screens = ([desk.terminal] + waiting.prefix(2).map(\.terminal)).map {
          $0.screen.lines.joined(separator: "\n")
        }
        throw RigError("\(waiting.count) assessors are not done:\n" + screens.joined(separator: "\n----\n"))
      }
      usleep(2000)
    }
  }
}

/// The invigilator of both circuits: starts every round by hand, and stops the third one for a fire alarm.
final class ScriptedInvigilator {
  let terminal: TerminalSession
  private var nextKey: Int64 = 0
  private var alarm = Alarm.before
  private var pauseEnds: Int64 = 0

  private enum Alarm { case before, asked, paused }

  init(_ terminal: TerminalSession) { self.terminal = terminal }

  private var header: String { terminal.screen.lines[0] }

  /// Whether both circuits are through.
  var isFinished: Bool { header.contains("FINISHED") }

  /// Takes in what is shown, and presses at most one key.
  /// - Throws: `RigError` if the desk has ended.
  func step() throws {
    guard terminal.pump(quiet: 0) else { throw RigError("the desk has ended") }
    guard now() > nextKey, let key else { return }
    terminal.child.type(key)
    // A slow machine shows the answer late: an Enter too many would open what lies under the box.
    nextKey = now() + (key.hasSuffix("\r") ? 1_500_000_000 : 300_000_000)
  }

  /// What a person would press who looks at the screen.
  private var key: String? {
    let screen = terminal.screen
    if screen.shows("Enter confirm") { return "\r" }
    if alarm == .asked, screen.shows("Reason:") {
      alarm = .paused
      pauseEnds = now() + 1_500_000_000
      return "Fire alarm\r"
    }
    if screen.shows("(Esc closes)") || screen.shows("press a key from the box") { return "\u{1B}" }
    if header.contains("NOT STARTED") || header.contains("WAITING FOR READING") { return "As" }
    switch alarm {
    case .before where header.contains("ROUND 3 of") && header.contains("STATION"):
      alarm = .asked
      return "P"
    case .paused where header.contains("PAUSED") && now() > pauseEnds: return "Ar"
    default: return nil
    }
  }
}

/// An assessor who reads the screen and presses the next key, as somebody who knows the program would.
final class ScriptedAssessor {
  let username: String
  let terminal: TerminalSession
  /// How many keys were pressed.
  private(set) var keys = 0
  /// Whether one item is still to be left out.
  var leavesOneOut = false
  private var nextKey: Int64 = 0
  private var lastKey = ""
  private var lastRow = ""
  private var tries = 0
  /// Until when the row with the focus may take to answer the last key.
  private var answerBy: Int64 = 0

  init(_ username: String, _ terminal: TerminalSession) {
    self.username = username
    self.terminal = terminal
  }

  private var lines: [String] = []
  private var isSheet: Bool { lines[2].contains(" marked") }
  private var isSigned: Bool { lines[2].contains("SIGNED") }

  private var isOver: Bool { lines[0].contains("FINISHED") }
  private var isRoster: Bool { shows("Rd Number") }

  /// Whether the session is over and nothing is left to do here.
  private(set) var isFinished = false

  private func shows(_ text: String) -> Bool { lines.contains { $0.contains(text) } }

  /// Takes in what is shown, and presses at most one key.
  /// - Throws: `RigError` with the screen if the terminal has ended.
  func step() throws {
    guard terminal.pump(quiet: 0) else {
      throw RigError("the terminal of \(username) has ended:\n" + lines.joined(separator: "\n"))
    }
    guard now() > nextKey else { return }
    nextKey = now() + 40_000_000
    lines = terminal.screen.lines
    isFinished =
      shows("You have left")
      || isOver && isRoster && !entries.isEmpty && entries.allSatisfy(isSigned)
    guard let key else { return }
    terminal.child.type(key)
    keys += 1
    lastKey = key
    // A person reads the answer to a key before the next one.
    nextKey = now() + (["s", "\r", "q"].contains(key) ? 350_000_000 : key == ">" ? 1_000_000_000 : 40_000_000)
  }

  private var key: String? {
    if shows("Enter  sign") { return "\r" }
    if lines.contains(where: { $0.contains(#/ S +sign with it blank/#) }) { return "S" }
    if shows("Check the candidate") {
      // The sheet begins behind it, whatever was tried there before.
      lastRow = ""
      return shows("not due yet") ? nil : "\r"
    }
    if ["Enter OK", "(Esc saves)", "Esc save and close"].contains(where: shows) {
      return "\u{1B}"
    }
    if shows("press a key from the box") || shows("Enter or Tab goes on") { return "\u{1B}" }
    // A slow answer to q, and the next one leaves the station: the list of what is missing comes, and is left again.
    if shows("Before you leave: ") { return "\u{1B}" }
    if isSheet {
      // What a form asks for beside the marks is left: that the program asks twice is part of the day.
      if !isSigned, lines.contains(where: { $0.contains("NOT RECORDED") && $0.contains("S signs anyway") }) {
        return "S"
      }
      // Nothing is marked before the candidate is in the room.
      let before = [" NOT YET HERE ", " READING OUTSIDE ", " AT THE DOOR "]
      if !isSigned { return before.contains(where: lines[1].hasPrefix) ? nil : markingKey }
      // On a written item letters do nothing.
      if isOver { return shows("letters do nothing") ? "\u{1B}[B" : "q" }
      return lines[1].contains("LEFT (round") ? ">" : nil
    }
    if !isRoster || isFinished || lines[0].contains("NOT STARTED") { return nil }
    return isOver ? keyToUnsigned : ">"
  }

  /// The roster's rows of candidates, each after its round: below them stands a line on one of them.
  private var entries: [(offset: Int, element: String)] {
    lines.enumerated().filter { $0.offset > 2 && $0.element.contains(#/^[▸ ] *[0-9]+ +[0-9]{5} /#) }
  }

  /// Whether a row says that its sheet is signed, with all that is required or without what a form asks for.
  private func isSigned(_ entry: (offset: Int, element: String)) -> Bool {
    entry.element.contains("✓ signed") || entry.element.contains("✗ signed")
  }

  /// The key on the roster that goes to a candidate whose sheet is not signed.
  private var keyToUnsigned: String? {
    guard let open = entries.first(where: { !isSigned($0) })?.offset,
      let focus = lines.firstIndex(where: { $0.hasPrefix("▸") })
    else { return nil }
    return focus == open ? "\r" : focus < open ? "j" : "k"
  }

  /// The key for the row with the focus.
  private var markingKey: String? {
    guard let row = lines.first(where: { $0.hasPrefix("▌") }) else { return "j" }
    if row.contains("END OF SHEET") {
      lastRow = ""
      return "s"
    }
    // On a slow machine the answer is late, and the next key would pass over an item that was not looked at.
    if row == lastRow && now() < answerBy { return nil }
    tries = row == lastRow ? tries + 1 : 0
    lastRow = row
    answerBy = now() + 1_500_000_000
    let levels = levels(of: row)
    if leavesOneOut && !levels.isEmpty {
      leavesOneOut = false
      tries = 2
      return "j"
    }
    switch tries {
    case 0...1 where !levels.isEmpty: return levels[level(of: levels.count)]
    case 0...1 where row.contains(" of ") || levels.isEmpty && !row.contains("Enter"): return "\u{1B}[C\r"
    default: return "j"
    }
  }

  /// Which of so many levels the candidate reaches: some reach more of them than others, and nobody always the same.
  private func level(of count: Int) -> Int {
    let number = lines[1].split(separator: " ").compactMap { Int($0) }.first { $0 > 9999 } ?? 0
    let ability = Double(number * 7 % 11) / 10
    return min(count - 1, Int(ability * Double(count)) + (keys % 5 == 0 ? 1 : 0))
  }

  /// The keys that stand at the end of a row: digits, alone or before what they are worth.
  private func levels(of row: String) -> [String] {
    var found: [String] = []
    for word in row.split(separator: " ").reversed() {
      // The focus has a bar at both ends of its row.
      if word == "u" || word == "▐" { continue }
      guard let first = word.first, "0123456789ht".contains(first), word.count == 1 || word.dropFirst().first == "="
      else {
        break
      }
      found.append(String(first))
    }
    return found
  }
}

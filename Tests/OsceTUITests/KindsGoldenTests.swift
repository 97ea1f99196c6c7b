import GRDB
import Journal
import Terminal
import TerminalTesting
import Testing

@testable import CircuitModel
@testable import ExamStore
@testable import OsceTUI
@testable import Reports

/// The sheet with every kind of item in every state, as text files that a person has looked at.
@MainActor @Suite("Every kind of item on the screen")
struct KindsGoldenTests {
  private func expect(
    _ name: String, _ play: Rehearsed, styled: Bool = false, at place: SourceLocation = #_sourceLocation
  ) {
    for (width, height) in [(80, 24), (100, 30), (132, 43), (200, 60)] {
      play.resize(width, height)
      let difference = GoldenScreen.difference(styled ? play.styled : play.screen, "kinds-\(name)-\(width)x\(height)")
      #expect(difference == nil, Comment(rawValue: difference ?? ""), sourceLocation: place)
    }
    play.resize(80, 24)
  }

  private func go(_ play: Rehearsed, to number: Int) { play.press("'").type("\(number)\n") }

  /// Marks something of every kind.
  private func mark(_ play: Rehearsed) {
    for (number, key) in [(1, "3"), (2, "1"), (3, "2"), (4, "y"), (5, "n"), (6, "y"), (7, "1"), (8, "4")] {
      go(play, to: number)
      play.type(key)
    }
    go(play, to: 9)
    play.press("=").type("12\n")
    go(play, to: 10)
    play.press("u")
    go(play, to: 1)
    play.press("e").type("Warm and clear.").press(.escape, "T").type("1").press(.escape)
    go(play, to: 11)
    play.type("13")
    go(play, to: 13)
    play.press(.enter).type("Upper left\n3\n2\nSteady hands").press(.escape)
    go(play, to: 14)
    play.type("3").press("k", .enter).type("Forceps\n\n4").press(.escape)
    go(play, to: 16)
    play.press(.enter).type("Kept the patient informed throughout.").press(.escape)
    go(play, to: 12)
    play.press("k", "k", .enter).type("36\n2\n")
  }

  @Test("blank, with long names in the line of the candidate")
  func blank() throws {
    let play = try Rehearsed.allKinds()
    expect("blank", play)
    go(play, to: 2)
    expect("long-descriptors", play)
    play.press(.left)
    expect("long-descriptors-read-on", play)
  }

  @Test("marked: every kind with an answer, and each in full")
  func marked() throws {
    let play = try Rehearsed.allKinds()
    mark(play)
    expect("section", play)
    let items = [
      (1, "matrix"), (4, "binary"), (6, "boolean"), (8, "scale-of-ten"), (9, "scale-of-twenty"), (10, "unable"),
      (13, "record"), (14, "procedure"), (16, "text"), (18, "feedback"), (19, "global"),
    ]
    for (number, name) in items {
      go(play, to: number)
      expect(name, play)
    }
    go(play, to: 19)
    play.type("4")
    expect("end", play)
    play.press("S", "S")
    expect("signed", play)
  }

  @Test("forms and boxes: a record, a procedure, a section, tags")
  func forms() throws {
    let play = try Rehearsed.allKinds()
    go(play, to: 13)
    play.press(.enter)
    expect("record-form-empty", play)
    play.type("Upper left\n3\n2\nSteady hands")
    expect("record-form", play)
    play.press(.escape)
    go(play, to: 14)
    play.press(.enter)
    expect("procedure-form", play)
    play.press(.escape)
    go(play, to: 1)
    play.press("T").type("1")
    expect("tags", play)
    play.press(.escape, "]", "]", "]", .enter)
    expect("section-form", play)
    play.type("97\n")
    expect("section-form-refused", play)
  }

  @Test("sections folded, and copied to the most there may be")
  func sections() throws {
    let play = try Rehearsed.allKinds()
    play.press("]", "]", .space)
    expect("folded", play)
    play.press("]", "d", "d")
    expect("copied", play)
  }

  @Test("on its way to the disk, refused by it, and two values that need a person")
  func places() throws {
    let play = try Rehearsed.allKinds()
    play.type("3")
    let holder = try play.holdLock()
    play.type("2")
    expect("saving", play)
    play.isHeld = false
    holder.release()
    play.settle()
    try play.fork(item: 1, level: 2)
    play.press("k", "k")
    expect("fork", play)
    play.press("q")
    expect("fork-roster", play)
    play.press(.enter)
    try play.signElsewhere()
    play.press("g", "1", "k")
    expect("failed", play)
  }

  @Test("what a hub has is said of each mark, and how much waits for it")
  func hub() throws {
    let play = try Rehearsed.allKinds()
    play.type("321")
    try play.acknowledge()
    play.type("1").pass(seconds: 1)
    expect("hub", play)
  }

  @Test("LEFT, NOT YET HERE and PRACTICE")
  func presence() throws {
    let play = try Rehearsed.allKinds()
    play.pass(seconds: 480)
    expect("left", play)
    play.press(">")
    expect("identity", play)
    play.press("<", ">", ">")
    play.press("E", .enter, .enter)
    expect("not-yet-here", play)
    play.press(.escape, "q", "g", .enter, .enter)
    expect("practice", play)
    play.press("q", "G", .enter, "E", .enter, .enter)
    expect("long-name", play)
  }

  @Test("monochrome and ASCII say the same")
  func plain() throws {
    let mono = try Rehearsed.allKinds(theme: .monochrome())
    mark(mono)
    go(mono, to: 1)
    expect("monochrome", mono, styled: true)
    let ascii = try Rehearsed.allKinds(theme: .monochrome(.ascii))
    mark(ascii)
    go(ascii, to: 8)
    expect("ascii", ascii)
  }
}

extension Rehearsed {
  /// Another person at another terminal gives an item of the open sheet a level at the same moment.
  func fork(item number: Int, level: Int) throws {
    let item = item(number)
    let other = try member("hyamamoto")
    try store.write(Author(staff: other.id)) { transaction in
      // What that person saw was blank.
      var seen = item
      seen.shown = [:]
      try Marking(transaction).mark(seen, level: item.template.levels[level])
    }
    settle()
    pass(seconds: 1)
  }

  /// Plays a hub that has taken everything so far.
  func acknowledge() throws {
    try store.acknowledge()
    pass(seconds: 1)
    send(.resumed)
  }
}

extension ExamStore {
  /// Takes a place at a hub that is not there.
  func enrol(as role: DeviceRole = .station) throws {
    try enrol(
      Enrolment(
        url: "https://hub.example:8443", exam: UUIDBytes.random(), epoch: UUIDBytes.random(), role: role,
        enrolledAt: clock.now, cursorHash: [UInt8](repeating: 0, count: 32), scope: "{}"))
  }

  /// Plays a hub that has taken everything so far.
  func acknowledge() throws {
    if try !read({ try Enrolment.exists($0) }) { try enrol() }
    let answers = try read { db in
      let last = try Int64.fetchOne(db, sql: "SELECT max(hubSeq) FROM operation") ?? 0
      return try Row.fetchAll(
        db, sql: "SELECT id, sends = 0 FROM operation WHERE hubSeq IS NULL ORDER BY device, deviceSeq"
      ).enumerated().map { place, row in
        HubAnswer(
          id: OperationID(row[0])!, hubSeq: last + 1 + Int64(place), result: row[1] ? .withheld : .applied)
      }
    }
    try ingest(answers: answers) { _ in }
  }
}

import GRDB
import Journal
import Testing

@testable import CircuitModel
@testable import ExamStore
@testable import Reports

@Suite("What the journal shows of marks")
struct JournalViewsTests {
  private func recent(_ exam: MarkedExam, _ key: String, _ count: Int = 8) throws -> [RecentMarks.Mark] {
    let sheet = try exam.sheet(key)
    return try exam.store.read { try RecentMarks.last(count, of: sheet.items, in: $0) }
  }

  @Test("the last marks of a sheet come newest first, in words, with the exam's time and by whom")
  func recentMarks() throws {
    let exam = try MarkedExam()
    let key = try exam.open(1).key
    try exam.mark(key, item: 0, level: 1)
    exam.test.time.pass(2000)
    let item = try exam.sheet(key).items[1]
    let time = exam.store.clock.now
    let author = Author(staff: 2, examTime: ExamTime(milliseconds: time.milliseconds))
    try exam.store.write(author) { _ = try Marking($0).mark(item, level: item.template.levels[3]) }
    try exam.write(key, item: 1, "Calm")
    try exam.write(key, item: 2, "Words")
    let other = try exam.open(2).key
    try exam.mark(other, item: 1, level: 0)
    let marks = try recent(exam, key)
    #expect(marks.map(\.text) == ["Words", "feedback: Calm", "4", "1 Yes"])
    #expect(marks[2].time == time && marks[2].name == "Murphy" && marks[2].item == item.key)
    #expect(try recent(exam, key, 2).map(\.text) == ["Words", "feedback: Calm"])
    let operation = marks[2].operation
    try exam.store.write(author) { _ = try $0.undo(operation) }
    #expect(try recent(exam, key, 1).map(\.text) == ["cleared"])
  }

  @Test("an item's history has every value with who, when, from where, why, and which stands")
  func history() throws {
    let exam = try MarkedExam()
    let staff = try exam.store.read { try StaffMember.find(username: "adavies", in: $0) }
    let sitting = try exam.store.write(exam.author) {
      let place = TerminalInfo(process: 1, tty: "/dev/pts/5", host: "192.0.2.7")
      return try SignIn.begin(staff, timetable: 1, device: exam.store.device, from: place, in: $0)
    }
    let key = try exam.open(1).key
    func item() throws -> SheetItem { try exam.sheet(key).items[1] }
    let blank = try item()
    try exam.store.write(sitting.author(at: exam.store.clock)) {
      _ = try Marking($0).mark(blank, level: blank.template.levels[1])
    }
    let first = try item()
    try exam.store.write(Author(staff: 2, reason: "misread")) {
      _ = try Marking($0, paper: PaperEntry(judge: 1)).mark(first, level: first.template.levels[2])
    }
    let second = try item()
    try exam.store.write(exam.author) { _ = try Marking($0).markUnable(second) }
    let now = try item()
    let changes = try exam.store.read { try ItemHistory.read(now, in: $0) }
    #expect(changes.map(\.text) == ["2", "3", "unable to assess"])
    #expect(changes.map(\.name) == ["Dr Davies", "Murphy", "Dr Davies"])
    #expect(changes.map(\.judge) == [nil, "Dr Davies", nil])
    #expect(changes.map(\.isFromPaper) == [false, true, false])
    #expect(changes.map(\.reason) == [nil, "misread", nil])
    #expect(changes.map(\.isStanding) == [false, false, true])
    #expect(changes.allSatisfy { $0.held == .disk })
    #expect(changes[0].examTime != nil && changes[0].place.hasPrefix("at pts/5 from 192.0.2.7"))
    // Where nobody sat, as by a command, it was at no terminal.
    #expect(!changes[1].place.hasPrefix("at"))
  }

  @Test("a whole sheet is typed in from paper with who judged and who typed; nobody and strangers are refused")
  func paper() throws {
    let exam = try MarkedExam()
    let sheet = try exam.open(1)
    try exam.store.write(Author(staff: 2)) { transaction in
      let marking = try Marking(transaction, paper: PaperEntry(judge: 1))
      for item in sheet.items where !item.template.kind.isWritten {
        try marking.mark(item, level: item.template.levels[0])
      }
      try marking.write(sheet.items[2], "As on paper")
    }
    let after = try exam.sheet(sheet.key)
    #expect(after.items.allSatisfy { $0.judge == 1 && $0.enteredBy == 2 })
    for (author, judge) in [(Author.program, 1), (Author(staff: 2), 99), (Author(staff: 2), 11)] {
      #expect(throws: MarkingRefusal.self) {
        try exam.store.write(author) { _ = try Marking($0, paper: PaperEntry(judge: judge)) }
      }
    }
  }

  @Test("what is added from paper to a mark that was given live leaves the mark with who gave it") func liveAndPaper()
    throws
  {
    let exam = try MarkedExam()
    let sheet = try exam.open(1)
    let first = sheet.items[0]
    try exam.store.write(exam.author) { _ = try Marking($0).mark(first, level: first.template.levels[1]) }
    let live = try exam.sheet(sheet.key).items[0]
    try exam.store.write(exam.author) {
      _ = try Marking($0, paper: PaperEntry(judge: 2)).write(live, "As on paper")
    }
    let after = try exam.sheet(sheet.key).items[0]
    #expect(after.feedback == "As on paper")
    #expect([after.judge, after.enteredBy] == [live.judge, live.enteredBy])
  }

  @Test("jots are their author's: listed with the phase, offered to nobody else")
  func jots() throws {
    let exam = try MarkedExam()
    let entry = SmallExam.entry(1)
    try exam.store.write(exam.author) {
      _ = try Jots.add("shook", entry: entry, phase: "rotation 1, 3:10 left", in: $0)
    }
    try exam.store.write(Author(staff: 2)) { _ = try Jots.add("mine", entry: entry, phase: nil, in: $0) }
    func lines(_ staff: Int) throws -> [Jots.Line] {
      try exam.store.read { try Jots.all(entry: entry, author: staff, in: $0) }
    }
    #expect(try lines(1).map(\.text) == ["shook"])
    #expect(try lines(1).map(\.phase) == ["rotation 1, 3:10 left"])
    #expect(throws: JotRefusal.empty) {
      try exam.store.write(exam.author) { _ = try Jots.add(" ", entry: entry, phase: nil, in: $0) }
    }
  }
}

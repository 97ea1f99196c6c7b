import GRDB
import Journal
import Testing

@testable import CircuitModel
@testable import ExamStore
@testable import Reports

@Suite("Sheets")
struct SheetsTests {
  @Test("two machines that open the same sheet make the same rows")
  func derivedKeys() throws {
    let keys = try (0..<2).map { _ in
      let exam = try MarkedExam()
      let sheet = try exam.open(1)
      return [sheet.key] + sheet.sections.map(\.key) + sheet.items.map(\.key)
    }
    #expect(keys[0] == keys[1])
    let exam = try MarkedExam()
    let first = try exam.open(1)
    #expect(try exam.open(1).key == first.key)
    #expect(try exam.open(1, seat: Seat(name: "second")).key != first.key)
    #expect(try exam.open(2).key != first.key)
  }

  @Test("a sheet keeps the template that it was made from; later sheets have the changed one")
  func versions() throws {
    let exam = try MarkedExam()
    let old = try exam.open(1)
    let report = try exam.store.write(.program) {
      try BundleImport.apply(
        [
          SmallExam.row(
            "TypeQuestion", "1",
            ["text": .text("Washes hands twice"), "questionType": .text("binary"), "mandatory": .bool(true)])
        ],
        in: $0)
    }
    #expect(report.versions.count == 1)
    #expect(try exam.sheet(old.key).items[0].template.text == "Washes hands")
    #expect(try exam.open(2).items[0].template.text == "Washes hands twice")
  }

  @Test("required are the mandatory items, or every scaled item where none is mandatory")
  func required() throws {
    let exam = try MarkedExam()
    let sheet = try exam.open(1)
    #expect(sheet.blanks.map(\.template.text) == ["Washes hands", "Listens"])
    let free = try MarkedExam([
      SmallExam.row("TypeQuestion", "1", ["text": .text("A"), "questionType": .text("binary")]),
      SmallExam.row("TypeQuestion", "2", ["text": .text("B"), "questionType": .text("rating")]),
    ])
    #expect(try free.open(1).blanks.map(\.template.text) == ["A", "B"])
  }

  @Test("going on opens the sheet last worked on while it is unsigned, else the round's")
  func resume() throws {
    let exam = try MarkedExam()
    func entry(_ round: Int) throws -> String? {
      try exam.store.read { try SheetResume.entry(timetable: 1, seat: .lead, round: round, in: $0) }
    }
    #expect(try entry(1) == SmallExam.entry(1))
    #expect(try entry(2) == SmallExam.entry(2))
    #expect(try entry(3) == nil)
    let first = try exam.open(1)
    exam.test.time.pass(1000)
    try exam.open(2)
    #expect(try entry(1) == SmallExam.entry(2))
    exam.test.time.pass(1000)
    // One mark among blanks decides, whichever row of the sheet it is on.
    try exam.mark(first.key, item: 1, level: 0)
    #expect(try entry(2) == SmallExam.entry(1))
    try exam.sign(first.key)
    #expect(try entry(2) == SmallExam.entry(2))
    let other = try exam.store.read {
      try SheetResume.entry(timetable: 1, seat: Seat(name: "second"), round: 1, in: $0)
    }
    #expect(other == SmallExam.entry(1))
  }

  @Test("a section is copied only where it may be, and as often as it may be")
  func copies() throws {
    let exam = try MarkedExam()
    let plain = try exam.open(1)
    #expect(throws: SheetRefusal.notCopied) {
      try exam.store.write(exam.author) { _ = try SectionCopies.add(plain.sections[0], of: plain, in: $0) }
    }
    let copied = try MarkedExam([
      SmallExam.row(
        "TypeSection", "1", ["name": .text("Opening"), "duplicable": .bool(true), "maximumQuantity": .integer(2)])
    ])
    let sheet = try copied.open(1)
    try copied.store.write(copied.author) { _ = try SectionCopies.add(sheet.sections[0], of: sheet, in: $0) }
    let after = try copied.sheet(sheet.key)
    #expect(after.sections.map(\.copy) == [1, 2])
    #expect(after.items.count == sheet.items.count * 2)
    #expect(throws: SheetRefusal.mostCopies(2)) {
      try copied.store.write(copied.author) { _ = try SectionCopies.add(after.sections[0], of: after, in: $0) }
    }
  }

  @Test("a copied section counts in the sheet's total once anything in it is answered")
  func totalOfCopies() throws {
    let exam = try MarkedExam([
      SmallExam.row("TypeSection", "1", ["name": .text("Opening"), "duplicable": .bool(true)])
    ])
    let sheet = try exam.open(1)
    let maximum = sheet.total.maximum
    try exam.store.write(exam.author) { _ = try SectionCopies.add(sheet.sections[0], of: sheet, in: $0) }
    let copied = try exam.sheet(sheet.key)
    #expect(copied.sections.count == sheet.sections.count + 1 && copied.total.maximum == maximum)
    let section = try #require(copied.sections.first { $0.copy == 2 })
    let item = try #require(section.items.first { $0.template.kind.takesLevel })
    let level = try #require(item.template.levels.first)
    try exam.store.write(exam.author) { _ = try Marking($0).mark(item, level: level) }
    #expect(try exam.sheet(sheet.key).total.maximum > maximum)
  }

  @Test("an item has one number everywhere: the sheet's, which counts those of copied sections")
  func numbers() throws {
    let exam = try MarkedExam([
      SmallExam.row("TypeSection", "1", ["name": .text("Opening"), "duplicable": .bool(true)])
    ])
    let sheet = try exam.open(1)
    try exam.store.write(exam.author) { _ = try SectionCopies.add(sheet.sections[0], of: sheet, in: $0) }
    let count = try exam.sheet(sheet.key).items.count
    var exported: [Int] = []
    var missing: [Int] = []
    try exam.store.read { db in
      let export = Export(.marks, format: .csv)
      let column = try #require(export.columns.firstIndex(of: "item"))
      let copy = try #require(export.columns.firstIndex(of: "copy"))
      let entry = try #require(export.columns.firstIndex(of: "round"))
      try export.forEachRow(in: db, at: exam.store.clock.now) { row in
        guard row[entry] == .integer(1), case .integer(let number) = row[column] else { return }
        exported.append(Int(number))
        #expect(row[copy] == .integer(number > Int64(count / 2) ? 2 : 1))
      }
      try MissingMark.forEach(in: db, at: exam.store.clock.now) {
        if $0.sheet.held?.key == sheet.key, let item = $0.item { missing.append(item.number) }
      }
    }
    #expect(exported == Array(1...count))
    #expect(!missing.isEmpty && missing.contains { $0 > count / 2 } && Set(missing).count == missing.count)
  }

  @Test(
    "teeth are named by two digits of the FDI notation",
    arguments: [
      ("36", 3, 6), ("3 6", 3, 6), ("3.6", 3, 6), ("11", 1, 1), ("48", 4, 8), ("85", 8, 5),
    ])
  func teeth(text: String, quadrant: Int, place: Int) {
    let tooth = SectionFacts.Tooth(text)
    #expect(tooth?.quadrant == quadrant && tooth?.place == place)
  }

  @Test("no other text is a tooth", arguments: ["", "3", "369", "09", "90", "49", "56", "86", "ab", "-36", "３６"])
  func noTeeth(text: String) { #expect(SectionFacts.Tooth(text) == nil) }

  @Test("tooth and difficulty are kept on the section")
  func facts() throws {
    let exam = try MarkedExam([
      SmallExam.row(
        "TypeSection", "1", ["name": .text("Tooth"), "quadAndTooth": .bool(true), "maximumDifficulty": .integer(3)])
    ])
    let sheet = try exam.open(1)
    try exam.store.write(exam.author) { transaction in
      try SectionFacts.record(SectionFacts.Tooth("36")!, of: sheet.sections[0], in: transaction)
      try SectionFacts.record(difficulty: 2, of: sheet.sections[0], in: transaction)
    }
    let section = try exam.sheet(sheet.key).sections[0]
    #expect(section.quadrant == "3" && section.tooth == "6" && section.difficulty == 2)
    for difficulty in [0, 4] {
      #expect(throws: MarkingRefusal.difficulty(1...3)) {
        try exam.store.write(exam.author) { _ = try SectionFacts.record(difficulty: difficulty, of: section, in: $0) }
      }
    }
    try exam.store.write(exam.author) { _ = try SectionFacts.record(difficulty: nil, of: section, in: $0) }
    #expect(try exam.sheet(sheet.key).sections[0].difficulty == nil)
  }

  @Test("quantity and quadrant are kept, checked and taken back; a tooth of another quadrant goes")
  func moreFacts() throws {
    let exam = try MarkedExam([
      SmallExam.row(
        "TypeSection", "1", ["name": .text("Tooth"), "quadAndTooth": .bool(true), "maximumQuantity": .integer(4)])
    ])
    let key = try exam.open(1).key
    func record(_ body: @escaping (SheetSection, JournalTransaction) throws -> OperationID) throws -> SheetSection {
      let section = try exam.sheet(key).sections[0]
      try exam.store.write(exam.author) { _ = try body(section, $0) }
      return try exam.sheet(key).sections[0]
    }
    #expect(try record { try SectionFacts.record(quantity: 4, of: $0, in: $1) }.quantity == 4)
    #expect(throws: MarkingRefusal.times(1...4)) {
      _ = try record { try SectionFacts.record(quantity: 5, of: $0, in: $1) }
    }
    #expect(try record { try SectionFacts.record(quantity: nil, of: $0, in: $1) }.quantity == nil)
    _ = try record { try SectionFacts.record(SectionFacts.Tooth("36"), of: $0, in: $1) }
    let same = try record { try SectionFacts.record(quadrant: 3, of: $0, in: $1) }
    #expect(same.quadrant == "3" && same.tooth == "6")
    let other = try record { try SectionFacts.record(quadrant: 8, of: $0, in: $1) }
    #expect(other.quadrant == "8" && other.tooth == nil)
    #expect(throws: SheetRefusal.quadrant(9)) {
      _ = try record { try SectionFacts.record(quadrant: 9, of: $0, in: $1) }
    }
    #expect(throws: SheetRefusal.noDifficulty) {
      _ = try record { try SectionFacts.record(difficulty: 1, of: $0, in: $1) }
    }
    let cleared = try record { try SectionFacts.record(nil, of: $0, in: $1) }
    #expect(cleared.quadrant == nil && cleared.tooth == nil)
  }
}

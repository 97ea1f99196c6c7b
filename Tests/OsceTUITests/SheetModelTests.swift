import Journal
import Testing

@testable import CircuitModel
@testable import ExamStore
@testable import OsceTUI
@testable import Reports

/// The sheet as it is worked on, without a screen.
@MainActor @Suite("A sheet's model")
struct SheetModelTests {
  private let play: Rehearsed
  private let entry: RosterEntry

  init() throws {
    play = try Rehearsed()
    let timetable = try play.session("CHEST").timetable
    entry = try play.store.read {
      try Roster.entries(timetable: timetable, seat: .lead, in: $0).first { $0.candidate != nil }!
    }
  }

  private func pass(_ entry: RosterEntry) throws {
    try play.store.write(.program) { _ = try Attendance.passIdentityStep(entry: entry, seat: .lead, in: $0) }
  }

  private func mark(_ item: SheetItem) throws {
    try play.store.write(.program) { _ = try Marking($0).mark(item, level: item.template.levels[0]) }
  }

  /// An open sheet.
  private func opened() throws -> SheetModel {
    try pass(entry)
    var model = SheetModel(entry: entry.key, seat: .lead)
    _ = try model.reload(play.store)
    model.list()
    return model
  }

  @Test("before the identity step there is an entry and no sheet; after it a sheet, with the focus on its first blank")
  func opens() throws {
    var model = SheetModel(entry: entry.key, seat: .lead)
    #expect(try !model.reload(play.store).isClosed)
    model.list()
    #expect(model.entry?.key == entry.key && model.sheet == nil && model.rows.rows.isEmpty)
    try pass(entry)
    #expect(try !model.reload(play.store).isClosed)
    model.list()
    model.focusFirstBlank()
    #expect(model.focusedItem?.key == model.sheet?.items.first?.key)
    try mark(model.sheet!.items[0])
    _ = try model.reload(play.store)
    model.list()
    #expect(model.focusedItem?.key == model.sheet?.items[0].key, "what is marked elsewhere moves no focus")
    model.focusFirstBlank()
    #expect(model.focusedItem?.key == model.sheet?.items[1].key)
    #expect(model.index.answered == 1)
  }

  @Test("a level that is read is forgotten with the focus")
  func reads() throws {
    var model = try opened()
    model.focusFirstBlank()
    model.readLevel = 1
    #expect(model.readLevel == 1)
    model.rows.step()
    #expect(model.readLevel == nil)
  }

  @Test("folding a section hides its items and keeps their numbers")
  func folds() throws {
    var model = try opened()
    let sections = try #require(model.sheet?.sections)
    let last = try #require(sections.last?.items.last)
    let (rows, number) = (model.rows.rows.count, model.rows.number(of: last))
    model.folded = [sections[0].key]
    model.list()
    #expect(model.rows.rows.count == rows - sections[0].items.count)
    #expect(model.rows.number(of: last) == number)
  }

  @Test("a sheet of somebody who is not recorded as present any more is closed, and what was done on it is not undone")
  func closes() throws {
    var model = try opened()
    model.history.add([])
    model.folded = [model.sheet!.sections[0].key]
    let entry = try #require(model.entry)
    try play.store.write(.program) { try Attendance.record(nil, for: entry, in: $0) }
    #expect(try model.reload(play.store).isClosed)
    #expect(model.sheet == nil && model.history.undoStep == nil && model.folded.isEmpty && !model.isExchanged)
    #expect(try !model.reload(play.store).isClosed, "it is closed once")
  }

  @Test("only what is read again of some items changes")
  func takes() throws {
    var model = try opened()
    let item = try #require(model.sheet?.items.first)
    try mark(item)
    let places = model.places
    let read = try #require(try play.store.read { try ReadItems.read([item], places, in: $0) })
    let templates = model.templates
    model.take(read)
    #expect(model.sheet?.items[0].isBlank == false && model.index.answered == 1 && model.templates == templates)
  }
}

/// Who has a sheet open.
@Suite("Whose the open sheet is")
struct SheetOwnershipTests {
  private func terminal(_ name: String) -> OpenSheets.OtherTerminal {
    OpenSheets.OtherTerminal(sitting: UUIDBytes(high: 1, low: 2), name: name, place: "pts/3", since: nil)
  }

  @Test("shown, told to the disk, opened elsewhere too, taken over, taken back")
  func takenBack() {
    var sheet = SheetOwnership()
    #expect(sheet.state == .none && sheet.isHere && !sheet.canTakeOver)
    sheet.show("a", takenOverBy: [])
    #expect(sheet.state == .opening && !sheet.wasOpened)
    #expect(sheet.opened("a") && sheet.state == .here && sheet.wasOpened)
    let other = terminal("Dr Haddad")
    #expect(sheet.look(others: [other], isHere: true) == .alsoOpen(other))
    #expect(sheet.look(others: [other], isHere: true) == .nothing)
    #expect(sheet.isHere && sheet.canTakeOver)
    #expect(sheet.look(others: [other], isHere: false) == .takenOver)
    #expect(sheet.state == .lost && sheet.isTakenOver && !sheet.isHere)
    #expect(sheet.look(others: [other], isHere: false) == .nothing, "it is said once")
    #expect(sheet.look(others: [], isHere: false) == .fewer)
    sheet.takeOver()
    #expect(sheet.state == .here && sheet.isHere && !sheet.canTakeOver)
  }

  @Test("what was taken over before it was shown here was never open here")
  func elsewhere() {
    var sheet = SheetOwnership()
    sheet.show("a", takenOverBy: [terminal("Dr Haddad")])
    #expect(sheet.state == .elsewhere && sheet.isTakenOver && !sheet.wasOpened)
    #expect(sheet.opened("a") && sheet.isTakenOver, "the disk's answer takes nothing back")
  }

  @Test("the disk's answer for a sheet that is not shown any more opens nothing; a sheet left keeps nothing")
  func late() {
    var sheet = SheetOwnership()
    sheet.show("a", takenOverBy: [])
    sheet.show("b", takenOverBy: [])
    #expect(!sheet.opened("a") && sheet.state == .opening)
    sheet.wait()
    #expect(!sheet.isHere && sheet.canTakeOver)
    sheet.close()
    #expect(sheet.sheet == nil && sheet.state == .none && sheet.isHere)
  }
}

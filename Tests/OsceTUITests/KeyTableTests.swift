import CircuitModel
import Foundation
import Terminal
import TerminalTesting
import Testing

@testable import OsceTUI

/// The tables that feed dispatch, footer, help, palette and the page of keys.
@MainActor @Suite("Keys")
struct KeyTableTests {
  /// Every screen, each with the keys of every screen appended, in the order in which an assessor meets them.
  private func tables() throws -> [BindingTable<BindingID>] {
    let play = try Rehearsed()
    var tables: [BindingTable<BindingID>] = []
    play.context.push(RolesScreen(play.context))
    tables.append(play.table)
    play.press(.enter)
    tables.append(play.table)
    play.type("okafor\n")
    tables.append(play.table)
    try play.startClock()
    play.press(.enter)
    tables.append(play.table)
    play.press(.enter)
    tables.append(play.table)
    play.press(.enter)
    tables.append(play.table)
    play.press("c")
    tables.append(play.table)
    play.press("q", "M", "m")
    tables.append(play.table)
    play.press("q", "m")
    tables.append(play.table)
    play.press("q", "ctrl-t")
    tables.append(play.table)
    play.press("q", "p")
    tables.append(play.table)
    play.press(.enter)
    tables.append(play.table)
    // Only of a session that does not run any more does leaving lead to the next one.
    try play.clock(.stop)
    play.press("q", "q", "q")
    tables.append(play.table)
    play.press("y")
    tables.append(play.table)
    let desk = try play.atSameStore().desk("psharma")
    for page: Key in ["1", "2", "3", "4", "5", "6", "7", "8", "9"] {
      desk.press(page)
      tables.append(desk.table)
    }
    return try tables + leadTables(at: play)
  }

  private func leadTables(at play: Rehearsed) throws -> [BindingTable<BindingID>] {
    let lead = try play.atSameStore().lead()
    var tables = [lead.table]
    for keys: [Key] in [["m"], ["q", "v"], [.enter], ["i"], ["x"], ["q", "q", "q", "q", "c"]] {
      for key in keys { lead.press(key) }
      tables.append(lead.table)
    }
    let closing = try #require(lead.context.screen as? ClosingScreen)
    lead.context.push(ClosingLinesScreen(lead.context, closing, .unsigned))
    tables.append(lead.table)
    lead.context.push(AdjudicationScreen(lead.context, closing, .init("two assessors are 12 points apart")))
    tables.append(lead.table)
    lead.context.push(ContradictionScreen(lead.context, closing, .init("two values stand")))
    return tables + [lead.table]
  }

  @Test("no screen has a key or an id twice, and every binding has its words")
  func tablesAreInOrder() throws {
    for table in try tables().map(\.listing) + ListedKeys.screens.map(\.listing) + [ListedKeys.wall.listing] {
      #expect(table.duplicates.isEmpty, "\(table.title): \(table.duplicates)")
      #expect(table.duplicateIDs.isEmpty, "\(table.title): \(table.duplicateIDs)")
      for binding in table.bindings {
        #expect(!binding.label.isEmpty && !binding.help.isEmpty && !binding.group.isEmpty, "\(binding.id.rawValue)")
        #expect(!binding.keys.isEmpty, "\(binding.id.rawValue)")
        #expect(!binding.help.hasSuffix("."), "\(binding.id.rawValue)")
        #expect(binding.shownKeys(.ascii).width <= 20, "\(binding.id.rawValue)")
        // At 80 columns the help has a line for each key.
        #expect(SafeText(binding.help).width <= 54, "\(binding.id.rawValue): \(binding.help)")
        let asks = ["(asks first)", "; asks for a reason", "; asks for the reason afterwards"]
        let isOrdinary = !binding.help.contains("asks") || asks.contains { binding.help.hasSuffix($0) }
        #expect(isOrdinary, "\(binding.id.rawValue): \(binding.help)")
      }
    }
  }

  @Test("on every screen each key of the table does something or says why not; help and palette can be reached")
  func everywhere() throws {
    for table in try tables() {
      for key: Key in ["?", ":", "ctrl-c", "ctrl-l"] {
        guard case .action = table.dispatch(key) else {
          Issue.record("\(key.name) does nothing on \(table.title)")
          continue
        }
      }
    }
  }

  @Test("? lists the keys of a text that is typed, and those of the editor and of forms are each in order")
  func typing() throws {
    for table in TextKeys.tables {
      #expect(table.duplicates.isEmpty && table.duplicateIDs.isEmpty, "\(table.title)")
      for binding in table.bindings { #expect(binding.shownKeys(.ascii).width <= 20, "\(binding.id.rawValue)") }
    }
    let play = try Rehearsed().mark("nokafor", at: "CHEST").press("?", "G")
    #expect(play.lines.contains { $0.contains("ctrl-z") && $0.contains("Undo what was typed last") })
    #expect(play.lines.contains { $0.contains("shift-tab") && $0.contains("The field before") })
    let desk = try play.atSameStore().desk("psharma").press("?", "G")
    #expect(desk.screen.contains("Delete the word before"))
    #expect(!desk.screen.contains("Put in a phrase"))
    play.press(.escape, "/").type("pain of").press("ctrl-left").type("x")
    #expect(play.lines[22].contains("pain xof"))
  }

  @Test("the keys that the rules of marking name are those of the table")
  func keysOfTheRules() throws {
    let table = try tables()[5]
    let expected: [(Key, BindingID)] = [
      ("u", "sheet.unable"), ("x", "sheet.clear"), (.left, "sheet.read"), (.right, "sheet.readNext"),
      (.enter, "sheet.open"), ("e", "sheet.feedback"), ("'", "sheet.goTo"), ("[", "sheet.previousSection"),
      ("]", "sheet.nextSection"), (.space, "sheet.fold"), ("d", "sheet.duplicate"), (">", "sheet.nextRound"),
      ("<", "sheet.previousRound"), ("a", "sheet.attendance"), ("c", "comment.candidate"), ("C", "comment.station"),
      ("ctrl-o", "comment.circuit"), ("f", "comment.concern"), ("m", "station.missing"), ("b", "sheet.blanks"),
      ("s", "sheet.sign"), ("!", "help.call"), ("i", "instructions"), ("z", "sheet.undo"), ("Z", "sheet.redo"),
      ("=", "sheet.number"), (.tab, "sheet.nextForm"), ("q", "back"), ("Q", "quit"), ("ctrl-z", "sheet.undo"),
      ("M", "station.wrongCandidate"), ("L", "station.lock"), (",", "sheet.jot"), ("\\", "sheet.privacy"),
      ("H", "sheet.history"), ("r", "sheet.strip"), ("N", "sheet.pad"), ("p", "station.person"),
      ("P", "station.paper"), ("O", "sheet.takeOver"), ("h", "sheet.half"), ("t", "sheet.ten"), ("y", "sheet.yes"),
      ("n", "sheet.no"),
    ]
    for (key, id) in expected {
      #expect(table.bindings.first { $0.keys.contains(key) }?.id == id, "\(key.name)")
    }
    for key in "0123456789" {
      #expect(table.bindings.first { $0.keys.contains(.character(key)) }?.id == "sheet.level", "\(key)")
    }
  }

  @Test("what an item offers beside a mark comes last in the footer, and moves nothing else there")
  func footerStandsStill() throws {
    let play = try Rehearsed().mark("doneill", at: "RESUS")
    // The keys of the item stand in eight columns of their own.
    let (keys, still) = (8, "mark  z undo  > next  s sign  m missing  ")
    var ends = Set<String>()
    for number in 1...play.sheet.items.count where !play.item(number).template.kind.isWritten {
      play.press("'").type("\(number)\n")
      let line = play.lines[23]
      #expect(line.dropFirst(keys).hasPrefix(still), "item \(number)")
      ends.insert(line.dropFirst(keys + still.count).prefix { $0 != "?" }.trimmingCharacters(in: .whitespaces))
    }
    #expect(ends == ["e feedback  x clear", "u unable"])
  }

  @Test("the footer names only keys that act on the focused row")
  func footer() throws {
    let play = try Rehearsed().mark("nokafor", at: "CHEST")
    #expect(play.lines[23].hasPrefix("0 1 n y mark  z undo  > next  s sign  m missing  e feedback  "))
    play.press("'").type("18\n")
    #expect(play.lines[23].hasPrefix("Enter write  ↓ next item  > next  ! help call  "))
    play.press("G", "j")
    #expect(play.lines[23].hasPrefix("z undo  > next  s sign  m missing  c comment  ! help call  "))
  }

  @Test("a configuration is checked against the keys that each screen really has")
  func known() throws {
    let known = Dictionary(grouping: ListedKeys.screens, by: \.title)
    for table in try tables() {
      let listed = try #require(known[table.title]?.first, "\(table.title) is not in ListedKeys.screens")
      #expect(known[table.title]?.count == 1, "\(table.title)")
      // The key that leaves anyway is there only for who is leaving.
      let names = listed.names.filter { $0.id != "missing.leave" || table[$0.id] != nil }
      #expect(names.map(\.id) == table.bindings.map(\.id), "\(table.title)")
      #expect(names.map(\.keys) == table.bindings.map(\.keys), "\(table.title)")
      #expect(names.map { $0.range != nil } == table.bindings.map { $0.keysLabel != nil }, "\(table.title)")
    }
    #expect(try Set(tables().map(\.title)) == Set(known.keys), "a screen that this test never opens")
  }

  @Test("docs/keys.md is written from the tables; write it anew with OSCE_UPDATE_GOLDEN=1")
  func page() throws {
    var page = """
      # Keys

      Every key of the assessor's screens and of the invigilator's desk, written from the tables that the program itself uses: what a key does, the
      footer, `?` and `:` read the same ones. A key that cannot act now says why.

      While a text is typed, letters are letters; Esc leaves, and keeps what was written.


      """
    var seen: Set<String> = []
    var seenDeskKeys: Set<BindingID> = []
    let common = Set(ListedKeys.everywhere.names.map(\.id))
    for table in ListedKeys.screens.map(\.listing) where seen.insert(table.title).inserted {
      // What every page of the desk has stands under the first.
      let own = table.bindings.filter { !common.contains($0.id) && !seenDeskKeys.contains($0.id) }
      seenDeskKeys.formUnion(own.map(\.id).filter { $0.rawValue.hasPrefix("desk.") })
      if !own.isEmpty { page += BindingTable(table.title, own).markdown + "\n" }
    }
    page += ListedKeys.wall.listing.markdown + "\n"
    page += ListedKeys.everywhere.listing.markdown
    for table in TextKeys.tables { page += "\n" + table.markdown }
    let path = Fixture.root + "/docs/keys.md"
    if GoldenScreen.isUpdating {
      try page.write(toFile: path, atomically: true, encoding: .utf8)
    }
    let written = try? String(contentsOfFile: path, encoding: .utf8)
    #expect(written == page, "docs/keys.md is stale: run this test with OSCE_UPDATE_GOLDEN=1")
  }

  @Test("a key asks whether it can act, and no other is asked before a list of keys is drawn")
  func asksLate() throws {
    let play = try Rehearsed()
    let screen = AskedScreen(play.context)
    play.context.push(screen)
    play.press("a")
    #expect(screen.asked == ["a"] && screen.done == ["a"])
    // The footer names what can be done.
    #expect(play.screen.contains("c can") && !play.screen.contains("d cannot"))
    play.press("b")
    #expect(screen.asked == ["a", "b"] && screen.done == ["a"] && play.message == "not now")
    play.press("?")
    #expect(play.screen.contains("Never acts (not now: not now)"))
    #expect(Set(screen.asked.dropFirst(2)) == ["a", "b"])
  }
}

/// A screen that notes of which of its keys it is asked whether they can act.
@MainActor
private final class AskedScreen: AppScreen {
  nonisolated static let keys = KeyTable<AskedScreen>(
    "Asked",
    [
      KeyBinding("asked.a", ["a"], "a", help: "Acts", group: "Asked", inFooter: false, when: { $0.ask("a", .enabled) })
      {
        screen, _ in screen.done.append("a")
      },
      KeyBinding(
        "asked.b", ["b"], "b", help: "Never acts", group: "Asked", inFooter: false,
        when: { $0.ask("b", .disabled("not now")) }
      ) { screen, _ in screen.done.append("b") },
      KeyBinding("asked.c", ["c"], "can", help: "Acts", group: "Asked") { _, _ in },
      KeyBinding("asked.d", ["d"], "cannot", help: "Never acts", group: "Asked", when: { _ in .disabled("never") }) {
        _, _ in
      },
    ])

  let context: AppContext
  var asked: [String] = []
  var done: [String] = []

  init(_ context: AppContext) { self.context = context }

  func ask(_ key: String, _ answer: Availability) -> Availability {
    asked.append(key)
    return answer
  }

  var heading: Heading { Heading(text: "Asked") }
  func draw(on canvas: inout Canvas, in region: Rect) {}
}

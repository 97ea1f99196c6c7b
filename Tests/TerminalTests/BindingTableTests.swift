import TerminalTesting
import Testing

@testable import Terminal

enum SheetAction: Sendable, Equatable { case down, up, mark, sign, help, quit }

func sheetTable(signable: Bool = true, sign: Key = "s") -> BindingTable<SheetAction> {
  BindingTable(
    "Mark sheet",
    [
      Binding("move.down", ["j", "down"], "down", help: "Next item", group: "Move", action: .down),
      Binding("move.up", ["k", "up"], "up", help: "Previous item", group: "Move", action: .up),
      Binding(
        "sheet.mark", ["0", "1", "2"], "mark", help: "Mark the focused item and step on", group: "Mark",
        keysLabel: "0–2", action: .mark),
      Binding(
        "sheet.sign", [sign], "sign", help: "Sign the sheet", group: "Mark",
        signable ? .enabled : .disabled("3 items are blank"), action: .sign),
      Binding("screen.help", ["?"], "help", help: "All keys of this screen", group: "Screen", action: .help),
      Binding("screen.quit", ["q"], "back", help: "Leave this screen", group: "Screen", action: .quit),
    ])
}

@Suite("Binding table")
struct BindingTableTests {
  init() { useUTF8() }

  @Test("a key does its action, or gives the reason why not, or means nothing")
  func dispatch() {
    guard case .action(.down) = sheetTable().dispatch("down") else {
      Issue.record("down does nothing")
      return
    }
    guard case .refused("3 items are blank") = sheetTable(signable: false).dispatch("s") else {
      Issue.record("no reason")
      return
    }
    guard case .unbound = sheetTable().dispatch("w") else {
      Issue.record("w is bound")
      return
    }
  }

  @Test("two bindings of one key are found")
  func duplicates() {
    #expect(sheetTable().duplicates.isEmpty)
    let doubled = sheetTable(sign: "q")
    #expect(doubled.duplicates.map(\.key) == ["q"])
    #expect(doubled.duplicates.map(\.ids) == [["sheet.sign", "screen.quit"]])
    #expect(sheetTable().duplicateIDs.isEmpty)
    #expect(sheetTable().appending(sheetTable()).duplicateIDs.count == 6)
  }

  @Test("a disabled binding stays in help and palette with its reason")
  func disabled() {
    let table = sheetTable(signable: false)
    #expect(table.palette(matching: "sign sheet").map(\.id) == ["sheet.sign"])
    #expect(table.groups.map(\.name) == ["Move", "Mark", "Screen"])
  }

  @Test("the documents list every key")
  func markdown() {
    #expect(GoldenScreen.difference(sheetTable().markdown, "keys") == nil)
  }
}

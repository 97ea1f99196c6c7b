import SeededNumbers
import TerminalTesting
import Testing

@testable import Terminal

@Suite("Lists and tables")
struct ListTests {
  init() { useUTF8() }

  @Test("the focused row is always in view, and moving stops at the ends")
  func selection() {
    let seed = Seeded.seed
    var random = Seeded(seed: seed)
    let keys: [Key] = ["j", "k", "g", "G", "pgup", "pgdn", "home", "end", "up", "down"]
    for _ in 0..<300 {
      var selection = Selection(
        count: Int.random(in: 0...40, using: &random), page: Int.random(in: 0...12, using: &random))
      for _ in 0..<30 {
        _ = selection.update(keys.randomElement(using: &random) ?? "j")
        if Bool.random(using: &random) { selection.count = Int.random(in: 0...40, using: &random) }
        let height = Int.random(in: 0...15, using: &random)
        let visible = selection.visible(height)
        #expect(visible.count == min(height, selection.count), "OSCE_SEED=\(seed)")
        if height > 0 && selection.count > 0 { #expect(visible.contains(selection.index), "OSCE_SEED=\(seed)") }
      }
    }
  }

  @Test("moving within the page does not scroll")
  func steady() {
    var selection = Selection(count: 30, page: 10)
    for _ in 0..<12 { _ = selection.update("j") }
    #expect(selection.visible(10) == 3..<13)
    _ = selection.update("k")
    #expect(selection.visible(10) == 3..<13)
    _ = selection.update("G")
    #expect(selection.visible(10) == 20..<30)
  }

  @Test("rows that come, go or change places leave the focus on what it was on")
  func focusFollows() {
    func rows(_ ids: String) -> [Table.Row] { ids.map { Table.Row([SafeText(String($0))], id: String($0)) } }
    var table = Table([.init("", width: 4)], rows: rows("abcd"))
    table.selection.index = 2
    for (shown, focused) in [("xabcd", 3), ("cdabx", 0), ("zzzzzzc", 6), ("c", 0)] {
      table.rows = rows(shown)
      #expect(table.selection.index == focused, "\(shown)")
    }
    // What it was on is gone: the row that stands there now, or the last.
    table.rows = rows("abcde")
    table.selection.index = 4
    table.rows = rows("abd")
    #expect(table.selection.index == 2)
  }

  @Test("what a list shows has a focused one, an empty list none, also while its rows are not filled yet")
  func focusedLine() {
    #expect(Selection(count: 3, index: 1).focused(of: ["a", "b", "c"]) == "b")
    #expect(Selection(count: 3, index: 2).focused(of: ["a", "b"]) == nil)
    #expect(Selection().focused(of: [String]()) == nil)
  }

  @Test("other keys are not a list's")
  func foreign() {
    var list = List([List.Row("a")])
    #expect(list.update("x") == false)
    #expect(list.update("1") == false)
  }

  @Test("a list shows its focus by pointer, look and cursor, and that there is more")
  func list() {
    var list = List(oddNames.map { List.Row(SafeText($0)) })
    list.selection.page = 6
    for _ in 0..<7 { _ = list.update("j") }
    var canvas = Canvas(size: Size(width: 24, height: 6))
    list.draw(on: &canvas, in: canvas.bounds, theme: .standard())
    #expect(GoldenScreen.difference(canvas.styledText, "list") == nil)
  }

  @Test("a table shares out its width")
  func tableWidths() {
    let table = Table([
      Table.Column("No", width: 3, .right), Table.Column("Candidate", width: 8, stretch: 2),
      Table.Column("Station", width: 6, stretch: 1),
    ])
    #expect(table.widths(in: 19) == [3, 8, 6])
    #expect(table.widths(in: 49) == [3, 28, 16])
    #expect(table.widths(in: 10) == [3, 6, 0])
    #expect(table.widths(in: 0) == [0, 0, 0])
    #expect(Table([]).widths(in: 10) == [])
  }

  @Test("a column at the end that would be a fragment is left out, and the others have its room")
  func fragments() {
    let columns: [Table.Column] = [
      .init("Number", width: 6), .init("State", width: 12, stretch: 3), .init("Since", width: 5),
    ]
    let rows = [Table.Row(["30101", "not sent yet", "09:00"])]
    #expect(Table(columns, rows: rows).widths(in: 25) == [6, 12, 5])
    #expect(Table(columns, rows: rows).widths(in: 21) == [6, 8, 5])
    #expect(Table(columns, rows: rows).widths(in: 20) == [6, 13, 0])
    #expect(Table(columns, rows: rows).widths(in: 12) == [6, 0, 0])
    var canvas = Canvas(size: Size(width: 23, height: 2))
    Table(columns, rows: rows).draw(on: &canvas, in: canvas.bounds, theme: .standard())
    #expect(!canvas.plainText.contains("…") && !canvas.plainText.contains("09"), "\(canvas.plainText)")
  }

  @Test("a table keeps its columns under odd names")
  func table() {
    var table = Table(
      [
        Table.Column("No", width: 3, .right), Table.Column("Candidate", width: 10, stretch: 1),
        Table.Column("Marks", width: 5, .right),
      ],
      rows: oddNames.enumerated().map { index, name in
        Table.Row(["\(index + 1)", SafeText(name), "\(index * 7)"], role: index == 2 ? .error : .normal)
      })
    _ = table.update("j")
    var canvas = Canvas(size: Size(width: 40, height: 17))
    table.draw(on: &canvas, in: canvas.bounds, theme: .standard())
    #expect(GoldenScreen.difference(canvas.styledText, "table") == nil)
  }
}

@Suite("Overlays and lines")
struct OverlayTests {
  init() { useUTF8() }

  private func canvas(_ width: Int, _ height: Int, _ draw: (inout Canvas) -> Void) -> Canvas {
    var canvas = Canvas(size: Size(width: width, height: height))
    draw(&canvas)
    return canvas
  }

  private func yesOrNo(_ title: SafeText, _ message: String, yes: SafeText) -> Modal<Bool> {
    Modal(title, message, [Modal.Choice("y", yes, true), Modal.Choice("n", "no", false)])
  }

  @Test("a column that fits takes what its heading and cells need, and the others have the rest")
  func fittingColumns() {
    let columns: [Table.Column] = [
      .init("No", width: 8, fits: true), .init("Name", width: 4, stretch: 3),
      .init("Why", width: 9, stretch: 1, fits: true),
    ]
    #expect(Table(columns, rows: [.init(["123", "a", "late"])]).widths(in: 30) == [3, 21, 4])
    #expect(
      Table(columns, rows: [.init(["123456789", "a", "why it took so long that nobody waited for it"])]).widths(in: 30)
        == [8, 9, 11])
    #expect(Table(columns).widths(in: 30) == [2, 23, 3])
  }

  @Test("a question is answered by its own keys only")
  func modal() {
    let question = yesOrNo("Sign", "Sign the sheet of 1042 Zoë O'Brien?", yes: "sign it")
    guard case .answered(true) = question.update("y"), case .answered(false) = question.update("n"),
      case .dismissed = question.update("esc"), case .open = question.update("enter"), case .open = question.update("1")
    else {
      Issue.record("a key does what it should not")
      return
    }
    let screen = canvas(60, 12) { question.draw(on: &$0, in: $0.bounds, theme: .standard()) }
    #expect(GoldenScreen.difference(screen.styledText, "modal") == nil)
    // The answers stand under one another, whatever keys they have.
    let lines = screen.plainText.split(separator: "\n").map(String.init)
    func column(_ label: String) -> Int? {
      lines.lazy.compactMap { line in
        line.firstRange(of: "  " + label).map { line.distance(from: line.startIndex, to: $0.lowerBound) }
      }.first
    }
    #expect(column("cancel") != nil && column("cancel") == column("no"), "\(lines)")
  }

  @Test("the footer shows whole entries and the way to the rest")
  func footer() {
    let entries = [Footer.Entry("0–2", "mark"), .init("s", "sign"), .init("?", "help"), .init("q", "back")]
    for width in 0...60 {
      let screen = canvas(width, 1) { Footer.draw(entries, on: &$0, in: $0.bounds, theme: .standard()) }
      let text = screen.plainText
      if width >= 11 { #expect(text.hasSuffix("? all keys\n")) }
      if width == 60 { #expect(text == "0–2 mark  s sign  ? help  q back                  ? all keys\n") }
      if width == 30 { #expect(text == "0–2 mark  s sign    ? all keys\n") }
    }
  }

  @Test("a footer begins with the keys that are needed most, and leaves out the others where there is no room")
  func footerRanks() {
    let entries = [Footer.Entry("0–2", "mark"), .init("s", "sign"), .init("q", "back", rank: 1)]
    let screen = canvas(30, 1) { Footer.draw(entries, on: &$0, in: $0.bounds, theme: .standard()) }
    #expect(screen.plainText == "q back  0–2 mark    ? all keys\n")
  }

  @Test("the help lists every binding, with the reason where one is off")
  func help() {
    let table = sheetTable(signable: false)
    let screen = canvas(60, 14) { HelpOverlay().draw(table, on: &$0, in: $0.bounds, theme: .standard()) }
    #expect(GoldenScreen.difference(screen.styledText, "help") == nil)
    #expect(HelpOverlay.lineCount(table) == 11)
    let ascii = canvas(60, 14) { HelpOverlay().draw(table, on: &$0, in: $0.bounds, theme: .standard(.ascii)) }
    #expect(ascii.plainText.contains("j Down"))
  }

  @Test("the help scrolls no further than its end and closes by Esc, ? and q")
  func helpScrolls() {
    var help = HelpOverlay()
    let table = sheetTable()
    for _ in 0..<50 {
      let stays = help.update("j", lines: 11, height: 4)
      #expect(stays)
    }
    let screen = canvas(50, 6) { help.draw(table, on: &$0, in: $0.bounds, theme: .standard()) }
    #expect(screen.plainText.contains("Leave this screen"))
    for key: Key in ["esc", "?", "q"] {
      let stays = help.update(key, lines: 11, height: 4)
      #expect(!stays)
    }
  }

  @Test("the palette finds an action by words, does it, and tells why it cannot")
  func palette() {
    let table = sheetTable(signable: false)
    var palette = Palette()
    for key: Key in ["s", "i", "g", "n"] { _ = palette.update(key, table) }
    let screen = canvas(60, 6) { palette.draw(table, on: &$0, in: $0.bounds, theme: .standard()) }
    #expect(GoldenScreen.difference(screen.styledText, "palette") == nil)
    guard case .refused("3 items are blank") = palette.update(.enter, table) else {
      Issue.record("no reason")
      return
    }
    guard case .chosen(.sign) = palette.update(.enter, sheetTable()) else {
      Issue.record("not chosen")
      return
    }
    _ = palette.update("x", table)
    guard case .open = palette.update(.enter, table), case .closed = palette.update(.escape, table) else {
      Issue.record("nothing matches, yet something happened")
      return
    }
  }

  @Test(
    "a key that is off is dim, and its reason costs no line: at the end of the row, and in the palette's focus alone")
  func disabledKeys() {
    let table = sheetTable(signable: false)
    let wide = canvas(60, 14) { HelpOverlay().draw(table, on: &$0, in: $0.bounds, theme: .standard()) }
    #expect(wide.plainText.contains("Sign the sheet (not now: 3 items are blank)"))
    let narrow = canvas(40, 14) { HelpOverlay().draw(table, on: &$0, in: $0.bounds, theme: .standard()) }
    #expect(narrow.plainText.contains("Sign the sheet") && !narrow.plainText.contains("not now"))
    var palette = Palette()
    func draw(_ width: Int) -> Canvas {
      canvas(width, 12) { palette.draw(table, on: &$0, in: $0.bounds, theme: .standard()) }
    }
    #expect(!draw(60).plainText.contains("not now"))
    for key: Key in ["s", "i", "g", "n"] { _ = palette.update(key, table) }
    #expect(draw(60).plainText.contains("s  Sign the sheet (not now: 3 items are blank)"))
    #expect(draw(45).plainText.contains("s  sign (not now: 3 items are blank)"))
  }

  @Test("a message goes when its time is over")
  func message() {
    var line = MessageLine()
    line.show("AMBER: two minutes", .amber, until: 500)
    line.expire(at: 499)
    #expect(line.text == "AMBER: two minutes")
    line.expire(at: 500)
    #expect(line.text.isEmpty && line.deadline == nil)
    line.show("Signed", .good)
    line.expire(at: 1_000_000)
    #expect(line.text == "Signed")
  }

  @Test("every widget is drawn on any size without leaving its region")
  func sizes() {
    let table = sheetTable(signable: false)
    let theme = Theme.standard()
    for width in [0, 1, 2, 3, 7, 20, 80] {
      for height in [0, 1, 2, 3, 8, 24] {
        let size = Size(width: width + 2, height: height + 2)
        let region = Rect(x: 1, y: 1, width: width, height: height)
        let draw: [(inout Canvas) -> Void] = [
          { List(oddNames.map { List.Row(SafeText($0)) }).draw(on: &$0, in: region, theme: theme) },
          { HelpOverlay().draw(table, on: &$0, in: region, theme: theme) },
          { Palette().draw(table, on: &$0, in: region, theme: theme) },
          { yesOrNo("Sign", "A long question.", yes: "sign").draw(on: &$0, in: region, theme: theme) },
          { Footer.draw([.init("s", "sign"), .init("q", "back")], on: &$0, in: region, theme: theme) },
          {
            TextArea(target: "On 1042", text: oddNames.joined(separator: "\n")).draw(on: &$0, in: region, theme: theme)
          },
          { TextField(prompt: "/", text: "find").draw(on: &$0, in: region, theme: theme) },
        ]
        for (number, draw) in draw.enumerated() {
          var canvas = Canvas(size: size)
          canvas.fill(canvas.bounds, with: ".")
          draw(&canvas)
          let frame = canvas.row(0) + canvas.row(size.height - 1)
          let clean = frame.allSatisfy { $0.glyph == Glyph(scalar: 0x2E) }
          #expect(clean, "widget \(number) at \(width)x\(height)")
        }
      }
    }
  }
}

import TerminalTesting
import Testing

@testable import Terminal

@Suite("Forms and boxes to switch")
struct FormTests {
  init() { useUTF8() }

  private func form() -> Form {
    Form(
      target: "Item 13",
      [
        Form.Field("What", .line(20), hint: "the answer"), Form.Field("How often", .number(1...999), hint: "once"),
        Form.Field("Note", .line(20), text: "kept", hint: "may be left out"),
      ])
  }

  @Test("Enter, Tab and Down go on, Shift-Tab and Up back; Enter on the last field and Esc finish")
  func order() {
    var form = form()
    for key: Key in [.enter, .tab] { #expect(form.update(key) == .moved) }
    #expect(form.focus == 2)
    #expect(form.update(.enter) == .finished)
    #expect(form.update("shift-tab") == .moved && form.update(.up) == .moved && form.focus == 0)
    #expect(form.update(.up) == .ignored)
    #expect(form.update(.escape) == .finished)
  }

  @Test("a number field takes nothing that is no number of its range, typed or pasted")
  func numbers() {
    var form = form()
    _ = form.update(.tab)
    for key: Key in ["0", "a", " ", "-"] { #expect(form.update(key) == .refused("a number from 1 to 999"), "\(key)") }
    #expect(form.paste("12x") == .refused("a number from 1 to 999"))
    #expect(form.paste("99") == .edited)
    #expect(form.update("9") == .edited)
    #expect(form.update("9") == .refused("a number from 1 to 999"))
    #expect(form.update(.backspace) == .edited)
    #expect(form.texts == ["", "99", "kept"])
  }

  @Test("a line takes no more than it may, and control characters never")
  func lines() {
    var form = form()
    _ = form.paste("a\u{1B}[2J\nb" + String(repeating: "c", count: 40))
    #expect(form.texts[0] == "a[2J bcccccccccccccc")
  }

  @Test("a form shows its fields with their hints, and the cursor in the field that has the focus")
  func drawing() {
    var form = form()
    _ = form.paste("Upper left")
    _ = form.update(.tab)
    var canvas = Canvas(size: Size(width: 50, height: 12))
    form.draw(on: &canvas, in: canvas.bounds, theme: .standard())
    #expect(GoldenScreen.difference(canvas.styledText, "form") == nil)
    for height in 0...8 {
      var small = Canvas(size: Size(width: 30, height: height))
      form.draw(on: &small, in: small.bounds, theme: .standard())
    }
  }

  @Test("a box of switches tells which is switched, by number, by Space or Enter, and ends with Esc")
  func checklist() {
    var list = Checklist()
    #expect(list.update("2", count: 3) == .toggled(1))
    #expect(list.update("j", count: 3) == .open)
    #expect(list.update(.space, count: 3) == .toggled(2))
    #expect(list.update("4", count: 3) == .open)
    #expect(list.update(.enter, count: 0) == .open)
    #expect(list.update(.escape, count: 3) == .closed)
    var canvas = Canvas(size: Size(width: 60, height: 10))
    let rows = [Checklist.Row("safety", isOn: true), Checklist.Row("recommended", isOn: false)]
    list.draw(title: "Item 1", rows, on: &canvas, in: canvas.bounds, theme: .monochrome(.ascii))
    #expect(GoldenScreen.difference(canvas.plainText, "checklist") == nil)
  }
}

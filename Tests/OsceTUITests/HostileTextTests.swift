import Characters
import CircuitModel
import Console
import ExamStore
import Foundation
import SystemTesting
import Terminal
import TerminalTesting
import Testing

@testable import ExamFiles
@testable import OsceTUI
@testable import Reports

/// Whatever an exam's files, names and comments hold, nothing of it can steer the terminal.
@MainActor @Suite("Hostile text")
struct HostileTextTests {
  /// A program on a store that holds the hostile exam.
  private func hostileExam() throws -> (rehearsal: Rehearsal<ScreenProgram>, store: ExamStore, folder: String) {
    TestLocale.use()
    let folder = try ScratchFolder.make()
    let store = try ExamStore(StoreLocation(path: folder + "/exam.sqlite"), .createIfMissing)
    let outcome = try ExamImport.load([Fixture.root + "/fixtures/hostile"], into: store)
    #expect(outcome.report != nil, "\(outcome.problems)")
    let context = AppContext(store: store, theme: .standard())
    context.push(SignInScreen(context))
    return (Rehearsal(ScreenProgram(context)), store, folder)
  }

  /// Characters that a terminal obeys, or that turn the direction of what follows.
  private nonisolated func commands(in screen: String) -> [Unicode.Scalar] {
    screen.unicodeScalars.filter { scalar in
      scalar != "\n" && UnsafeCharacter(scalar) != nil
    }
  }

  @Test("no control character of an exam's files reaches the screen, from signing in to the sheet and its comments")
  func screens() throws {
    var (play, store, folder) = try hostileExam()
    defer {
      store.close()
      try? FileManager.default.removeItem(atPath: folder)
    }
    let ended = DispatchSemaphore(value: 0)
    store.onCompletion { ended.signal() }
    func settle() {
      play.send(.woken)
      while store.pendingWrites > 0 {
        ended.wait()
        play.send(.woken)
      }
    }
    var seen = 0
    func look(_ what: String) {
      let found = commands(in: play.screen)
      #expect(found.isEmpty, "\(what): \(found.map { String($0.value, radix: 16) })")
      seen += play.screen.count
    }
    look("sign in")
    let steps: [(String, [Key])] = [
      ("sessions", [.enter]), ("all sessions", [.tab]), ("roster", [.tab, .enter]), ("next row", ["j", "j"]),
      ("sheet", [.enter]), ("override", ["y"]), ("items", [.enter, "1", "j", "j"]), ("instructions", ["i"]),
      ("back", [.escape]), ("comments", ["c", "n"]),
    ]
    for (what, keys) in steps {
      for key in keys {
        play.press(key)
        settle()
      }
      look(what)
    }
    play.send(.paste("pasted \u{1B}]0;title\u{07} \u{9B}31m \u{202E}reversed"))
    look("paste")
    play.press(.escape)
    settle()
    look("comment list")
    #expect(seen > 5_000, "the screens were empty")
  }

  @Test("no output of the program lets an unsafe character through, whatever the character")
  nonisolated func allCharacters() {
    TestLocale.use()
    let outputs: [(String, (String) -> String)] = [
      ("screen", { SafeText($0).plain }), ("ASCII screen", { SafeText($0, encoding: .ascii).plain }),
      ("list", PlainText.cell), ("lines", PlainText.lines), ("message about a file", { Visible.text($0, limit: .max) }),
      ("JSON", { JSONDocument.object([($0, .text($0))]).text }),
      ("data on a terminal", { String(decoding: PlainText.shown(Array($0.utf8)).bytes, as: UTF8.self) }),
      (
        "table",
        { text in
          var table = TextTable()
          table.row([text, text])
          return table.text
        }
      ),
      ("announcement", { AnnouncementCall.clean($0) }),
    ]
    // All of the first plane and of the one with tags; of the others, where most is unassigned, one stretch of eight.
    for start in stride(from: UInt32(0), to: 0x110000, by: 128) {
      let isWhole = start < 0x10000 || start >= 0xE0000 && start < 0xF0000
      guard isWhole || start % 1024 == 0 else { continue }
      let scalars = (start..<start + 128).compactMap { Unicode.Scalar($0) }
      let text = scalars.map { "a\($0)b" }.joined()
      for (name, output) in outputs {
        for scalar in commands(in: output(text)) {
          Issue.record("\(name) lets U+\(String(scalar.value, radix: 16)) through")
        }
      }
    }
  }
}

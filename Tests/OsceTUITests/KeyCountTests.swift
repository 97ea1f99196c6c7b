import CircuitModel
import ExamStore
import Reports
import Terminal
import Testing

@testable import OsceTUI

/// How many keys things take.
@MainActor @Suite("Keys counted")
struct KeyCountTests {
  @Test("a sheet of twenty items takes twenty-three keys: the identity, twenty marks, s and Enter")
  func twenty() throws {
    // Rehearsed.allKinds passes the identity step by one Enter.
    let play = try Rehearsed.allKinds(as: "hyamamoto", at: "TWENTY")
    let before = play.context.messages.keyCount
    #expect(before == 1)
    let keys = "11010" + "34210" + "12345" + "10113"
    #expect(keys.count == 20 && play.sheet.items.count == 20)
    for (place, key) in keys.enumerated() {
      #expect(play.focus == place + 1)
      play.press(.character(key))
    }
    #expect(play.sheet.isFilled && play.sheet.items.allSatisfy { !$0.isBlank })
    #expect(play.sheet.items.map { $0.rating?.description ?? "" }.joined() == keys)
    #expect(play.lines.contains { $0.contains("END OF SHEET") })
    play.press("s", .enter)
    #expect(play.sheet.isSigned && play.context.messages.keyCount == 23)
  }

  @Test("any item is reached from any other in at most four keys")
  func reach() throws {
    let play = try Rehearsed.allKinds()
    let items = play.sheet.items.count
    for from in [1, 9, items] {
      for to in 1...items {
        play.press("'").type("\(from)\n")
        let keys: [Key] = ["'"] + "\(to)".map { Key.character($0) } + [.enter]
        #expect(keys.count <= 4)
        for key in keys { play.press(key) }
        #expect(play.focus == to)
      }
    }
  }

  @Test("after every key and every tick of the clock the cursor is on the focused item, at every size")
  func cursor() throws {
    for size in [(80, 24), (100, 30), (132, 43), (200, 60)] {
      let play = try Rehearsed.allKinds(size)
      for key: Key in ["3", "j", "1", "k", "]", "j", "x", "u", "[", .space, "G", "g", "j", .right, "2", "pgdn", "pgup"]
      {
        play.press(key)
        #expect(pointed(play), "\(key) at \(size)")
        play.pass(seconds: 1)
        #expect(pointed(play), "a tick after \(key) at \(size)")
      }
    }
  }

  @Test("on the exam lead's grid the cursor is on the focused cell after every key, at every size")
  func leadCursor() throws {
    for size in [(80, 24), (100, 30), (132, 43), (200, 60)] {
      let lead = try Rehearsed(size).lead()
      for key: Key in ["j", .right, .right, "G", "k", .left, "g", "pgdn"] {
        lead.press(key)
        let cursor = try #require(lead.canvas.cursor, "\(key) at \(size)")
        let line = lead.lines[cursor.y]
        #expect(line.dropFirst(cursor.x).hasPrefix("[") && line.contains("]"), "\(key) at \(size): \(line)")
      }
    }
  }

  private func pointed(_ play: Rehearsed) -> Bool {
    guard let cursor = play.canvas.cursor, play.lines.indices.contains(cursor.y) else { return false }
    return cursor.x == 0 && play.lines[cursor.y].hasPrefix("▌")
  }
}

import ExamStore
import Foundation
import SystemTesting
import Terminal
import Testing

@testable import OsceTUI

/// A message goes when what it is about leaves the screen.
@MainActor @Suite("What a message is about")
struct MessageSubjectTests {
  @Test("what was said of one of a candidate's sheets is not said over the other")
  func sheet() throws {
    let play = try Rehearsed()
    try play.addSheet(of: "ABDO", to: "CHEST")
    try play.mark("nokafor", at: "CHEST").press("1")
    #expect(play.message.hasPrefix("item 1: 1"))
    play.press(.tab)
    #expect(play.lines[2].hasPrefix("sheet 2 of 2") && play.message.isEmpty, "\(play.message)")
  }

  @Test("a refusal about an item goes with the focus; what was marked stays beside the next item")
  func item() throws {
    let play = try Rehearsed().mark("nokafor", at: "CHEST").press("9")
    #expect(play.message.contains("9"))
    play.press("j")
    #expect(play.message.isEmpty, "\(play.message)")
    play.press("1")
    #expect(play.message.hasPrefix("item 2: 1"))
    play.press("j")
    #expect(play.message.hasPrefix("item 2: 1"))
  }

  @Test("why a key was refused goes with the row, the page and the screen that it was refused for")
  func refusal() throws {
    let play = try Rehearsed()
    play.context.push(RolesScreen(play.context))
    play.press(.enter).type("okafor\n").press("D")
    #expect(play.message == "it is the exam lead's")
    play.press("j")
    #expect(play.message.isEmpty, "\(play.message)")
    try play.startClock("Green circuit")
    let desk = try play.atSameStore().desk("psharma").press(.tab)
    desk.pass(seconds: 1)
    let empty = try #require(desk.lines.dropFirst(6).firstIndex { $0.contains("- empty slot -") })
    for _ in 6..<empty { desk.press("j") }
    desk.press("a")
    #expect(desk.message == "the slot is empty")
    desk.press("k")
    #expect(desk.message.isEmpty, "\(desk.message)")
  }

  @Test("a refusal because the rotation has not begun goes when it begins")
  func phase() throws {
    let play = try Rehearsed()
    try play.startClock(seconds: 30)
    try play.sit("nokafor", at: "CHEST").press(.enter, "1")
    #expect(play.message.hasPrefix("NOT CHANGED: 30101 is not due yet"), "\(play.screen)")
    play.pass(seconds: 20)
    #expect(play.message.hasPrefix("NOT CHANGED"))
    play.pass(seconds: 15)
    #expect(play.lines[0].contains("STATION") && !play.message.contains("not due yet"), "\(play.message)")
  }

  @Test("the frame that is made before a phase begins has no line about the phase before it")
  func frameOfPhase() throws {
    let play = try Rehearsed()
    try play.startClock(seconds: 59)
    try play.sit("nokafor", at: "CHEST").press(.enter, "1")
    #expect(play.message.hasPrefix("NOT CHANGED: 30101 is not due yet"), "\(play.screen)")
    let frame = play.prerender().lines
    #expect(frame[0].contains("STATION") && !frame.contains { $0.contains("not due yet") }, "\(frame)")
    #expect(!play.message.contains("not due yet"))
  }

  @Test("a timed backup that fails is said as soon as that is known, and that it is made again takes its place")
  func timedBackup() throws {
    let play = try Rehearsed().mark("nokafor", at: "CHEST")
    let backup = play.store.timedBackup
    let folder = play.folder + "/second"
    backup.use(BackupChoice(path: folder + "/exam.sqlite"))
    play.pass(seconds: 61)
    eventually { backup.warning != nil }
    play.passTime(200)
    #expect(play.message.hasPrefix("THE TIMED BACKUP FAILED"), "\(play.message)")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    play.pass(seconds: 61)
    eventually { backup.warning == nil }
    play.passTime(200)
    #expect(play.message == "timed backup made again")
  }

  @Test("the answer to an earlier key does not stand under a question")
  func question() throws {
    let play = try Rehearsed().mark("nokafor", at: "CHEST").press("1")
    #expect(play.message.hasPrefix("item 1: 1"))
    play.press("!")
    #expect(play.message.isEmpty && play.screen.contains("Call for help?"), "\(play.message)")
  }
}

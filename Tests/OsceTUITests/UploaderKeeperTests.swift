import Foundation
import Synchronization
import Testing

@testable import ExamStore
@testable import OsceTUI

@MainActor @Suite("The uploader beside a terminal")
struct UploaderKeeperTests {
  @Test("a terminal that was open when its store was given a place at a hub sees to the exchange within a minute")
  func enrolledLater() throws {
    let play = try Rehearsed()
    let location = play.store.location
    // With the turn taken no other program is started.
    let turn = try #require(try UploaderTurn(of: location))
    let keeper = UploaderKeeper(location)
    UploaderKeeper.ofTerminal.withLock { $0 = keeper }
    defer {
      UploaderKeeper.ofTerminal.withLock { $0 = nil }
      keeper.stop()
    }
    func hasBegun() -> Bool { keeper.hasBegun.load(ordering: .relaxed) }
    play.pass(seconds: 61)
    #expect(!hasBegun())
    #expect(FileManager.default.createFile(atPath: location.hubCredentialPath, contents: Data()))
    play.pass(seconds: 61)
    #expect(hasBegun())
    withExtendedLifetime(turn) {}
  }
}

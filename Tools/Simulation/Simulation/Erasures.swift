import ExamStore
import GRDB
import Glibc
import Hub
import Journal
import Reports

/// Candidates whose texts the hub erases, and what must be left of them then.
extension History {
  static let candidateComment = "CommentMetaStationCandidate"

  /// The beginning of each text that tells of a candidate.
  static func secret(_ number: String) -> String { "SECRET-\(number)-" }

  /// Somebody writes about a candidate.
  func writeAbout(_ terminal: SimulatedTerminal, _ number: String) throws {
    let index = Int(number) ?? 0
    let (key, text) = ("p\(pick(0..<2)).\(number)", Self.secret(number) + String(pick(0..<1000)))
    let author = Author(staff: 1, reason: chance(20) ? text : nil)
    try write(terminal, "\(key) \(text)", by: author) { transaction in
      let made = try transaction.create(
        Self.candidateComment, key, ["text": .text(text), "attendanceLog": .text(Slot.entry(index))])
      if made == nil { try transaction.set(Self.candidateComment, key, ["text": .text(text)]) }
    }
  }

  /// The office has a candidate erased.
  func erase() async throws {
    if try await isUnaware() { return }
    let number = Slot.numbers[pick(0..<Slot.numbers.count)]
    _ = try await erase(number, settles: chance(60))
    try await reviveHub()
  }

  /// - Returns: whether nothing is left of it at the hub; else somebody has to look first.
  private func erase(_ number: String, settles: Bool) async throws -> Bool {
    var isGone = false
    for name in [number] + (pseudonyms[number] ?? []).sorted() {
      do {
        let report = try await hub.hub.erase(name, in: slot.exam, reason: "asked for", settles: settles)
        pseudonyms[number, default: []].insert(report.pseudonym)
        note("erased", number)
        isGone = true
        ring()
      } catch let refusal as HubRefusal {
        note("erasure refused", "\(refusal)")
        if "\(refusal)".contains("nothing tells") { isGone = true }
        if !isGone && !"\(refusal)".contains("nobody has") { return false }
      } catch is Crash { return false }
    }
    return isGone
  }

  /// What came back from elsewhere is erased again, as the office does after a restore; then nobody holds any of it.
  func eraseForGood() async throws {
    if pseudonyms.isEmpty { return }
    var gone: [String] = []
    for number in pseudonyms.keys.sorted() where try await erase(number, settles: true) { gone.append(number) }
    try await becomeQuiet()
    guard try await hub.hub.scrub() else { throw Finding(.erased, "the hub cannot clear its files") }
    try checkErased(gone, at: slot.hubPath, "the hub", .erased)
    for terminal in alive where try terminal.store.exchangeStanding() != nil {
      // While a clock runs nobody may wait, and the pages wait.
      guard try terminal.store.clearErasedPages() else { continue }
      try checkErased(gone, at: slot.path(terminal.index), "t\(terminal.index)", .erased)
    }
  }

  private func checkErased(_ numbers: [String], at path: String, _ name: String, _ invariant: Invariant) throws {
    let files = StoreImage(of: path, besides: [".hub"])
    for number in numbers {
      if let place = files.place(of: Self.secret(number)) {
        throw Finding(invariant, "\(name) holds a text of \(number), who was erased: \(place)")
      }
    }
  }

  /// What the doctor says of the machine, or leaves to people: a lead may let in a ruling by which nobody counts as an
  /// assessor any more.
  private static let ofPeople: Set<String> = ["clock", "device", "outbox", "authors"]

  /// A store says of itself that it is sound.
  func checkSound() throws {
    for terminal in alive {
      let diagnosis = try Doctor(terminal.store.location, program: "simulation").examine()
      if let failed = diagnosis.checks.first(where: { $0.result == .failed && !Self.ofPeople.contains($0.name) }) {
        throw Finding(.erased, "t\(terminal.index) is not sound: \(failed.name): \(failed.detail) \(failed.problems)")
      }
    }
  }
}

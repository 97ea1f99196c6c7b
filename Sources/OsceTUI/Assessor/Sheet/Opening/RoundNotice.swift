import CircuitModel
import Reports
import Terminal
import Timer

/// What is said as the bell of a round has rung: where the key for the next candidate leads.
@MainActor
struct RoundNotice {
  /// The round that the assessor was told of last.
  private struct Announced: Equatable {
    let round: Int
    let isRerun: Bool
  }

  private var announced: Announced?
  /// What the line of messages says of it, while it does.
  var said: SafeText?

  /// Takes in the round of the clock.
  /// - Returns: whether it is another than the last.
  mutating func take(_ clock: ClockPanel) -> Bool {
    guard let round = clock.state?.round else { return false }
    let now = Announced(round: round, isRerun: clock.isRerun)
    defer { announced = now }
    return now != announced
  }

  /// Whether the round is after a candidate's own. One for whom the re-run does not ask has been here before it.
  func isAfter(_ entry: RosterEntry, _ clock: ClockPanel) -> Bool {
    guard let announced, let own = clock.round(of: entry) ?? (announced.isRerun ? 0 : nil) else { return false }
    return own < announced.round
  }

  /// The way back from a practice sheet; nil before any round.
  func back(_ context: AppContext) -> SafeText? {
    announced.map {
      SafeText("round \($0.round): \(context.key(of: EveryScreen.back).plain) goes back to the roster")
    }
  }

  /// Where the key for the next candidate leads; nil before any round.
  func next(_ context: AppContext, to next: RosterEntry?) -> SafeText? {
    guard let round = announced?.round else { return nil }
    guard let next, let candidate = next.candidate else {
      return "round \(round): no more candidates here"
    }
    let goes = context.key(of: SheetScreen.Keys.nextRound) + " goes to " + SafeText(context.title(of: candidate))
    guard let place = context.clock.round(of: next) else {
      return "round \(round): empty slot; " + goes + " (added, no round)"
    }
    if place == round { return "round \(round): " + goes }
    return "round \(round): " + (place > round ? "empty slot; " : "") + goes + " (round \(place))"
  }
}

extension SheetScreen {
  /// Says that a round has begun, to who still has the sheet of an earlier one open.
  func sayRound() {
    guard roundNotice.take(context.clock), let entry else { return }
    if entry.isPractice {
      if let text = roundNotice.back(context) { context.showMessage(text, .warning) }
      return
    }
    guard roundNotice.isAfter(entry, context.clock) else { return }
    let next = candidate(after: 1)
    guard let text = roundNotice.next(context, to: next) else { return }
    context.showMessage(text, .warning)
    roundNotice.said = text
  }

  /// Says again where the key for the next candidate leads, where that has changed since the bell.
  func renewRoundMessage() {
    guard let said = roundNotice.said, said == context.message.text,
      let text = roundNotice.next(context, to: surroundings.following ?? neighbour(1))
    else { return roundNotice.said = nil }
    if text == said { return }
    context.message.show(text, context.message.role, until: context.message.deadline)
    roundNotice.said = text
  }
}

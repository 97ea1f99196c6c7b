import CircuitModel
import ExamStore
import Reports
import Terminal
import Timer

/// The line over every page of the desk: who calls for help, and for how long; else what was done last, at any desk.
@MainActor
final class DeskAttention {
  private let desk: Desk
  private let bell: Bell?
  private var context: AppContext { desk.context }
  /// The calls that are not over, those that nobody has answered first.
  private var calls: [HelpCall] = []
  /// The calls for which the bell has rung.
  private var rung: Set<String> = []
  private var last: HallAction?
  private var sequence: Int64?

  /// - Parameter bell: how a call is made known; nil: by the bell.
  init(_ desk: Desk, bell: Bell?) { (self.desk, self.bell) = (desk, bell) }

  /// Entities that say that somebody has done something in the hall, or what its circuits are called.
  static let entities: Set<String> = [
    Stored.ClockEvent.entityName, Stored.HallMessage.entityName, Stored.SlotTable.entityName,
    Stored.RerunEntry.entityName, Stored.TimetableAttendanceLog.entityName, Stored.Timetable.entityName,
    Stored.Student.entityName, Stored.AssistanceRequested.entityName, Stored.StationIncident.entityName,
    Stored.ClinicGroup.entityName,
  ]

  /// Reads who calls, and rings once for each new call.
  func readCalls() throws {
    calls = try context.store.read { try HelpCalls.open(in: $0) }
    let new = calls.filter { $0.status == .requested && !rung.contains($0.key) }
    if new.isEmpty { return }
    rung.formUnion(new.map(\.key))
    if bell != Bell.none { context.effects.append(.bell) }
  }

  /// Reads what was done since the last look, and says what somebody did at another desk.
  /// - Parameter changed: the entities of which rows changed since then; nil: any.
  func readActions(_ changed: Set<String>?) throws {
    let before = sequence
    let (new, end) = try context.store.read { db in
      (try before.map { try HallActions.all(after: $0, in: db) } ?? [], try ExamStore.lastSequence(db))
    }
    sequence = end
    // A reason that is given afterwards belongs to what was done before, and so does a circuit's new name.
    let told: Set = [Stored.ClockEvent.entityName, Stored.ClinicGroup.entityName]
    if before == nil || !new.isEmpty || changed?.isDisjoint(with: told) != true {
      (last, desk.lastActions) = try context.store.read { db in
        (try HallActions.newest(in: db), try HallActions.all(after: 0, in: db))
      }
    }
    guard let other = new.first(where: { $0.sitting != context.sitting?.id }) else { return }
    context.showMessage(SafeText("\(other.author ?? "a command"): \(other.account(desk.name))"), .warning)
  }

  /// What is shown, for telling whether it must be drawn.
  struct Line: Equatable {
    var badge: SafeText = ""
    var text: SafeText = ""
    /// Who and when, the longest wording first: the text is cut before it.
    var tails: [SafeText] = []
    var hint: SafeText = ""
  }

  func line(at now: Instant) -> Line {
    let waiting = calls.filter { $0.status == .requested }
    if let call = waiting.first {
      let more = waiting.count > 1 ? " +\(waiting.count - 1) more" : ""
      return Line(
        badge: " HELP ",
        text: SafeText("\(place(call)) \(age(call.requestedAt, now))\(more)\(call.text(between: " \"", "\""))"),
        hint: context.key(of: DeskKeys.page(HelpPage.self)) + " " + context.key(of: HelpPage.Keys.acknowledge)
          + " on my way")
    }
    if let call = calls.first {
      let who = call.responder ?? "somebody"
      return Line(text: SafeText("help: \(who) on the way to \(place(call)), \(age(call.respondedAt, now))"))
    }
    guard let last else { return Line() }
    let when = LocalTime.reading(of: last.at).time
    let separator = context.theme.glyphs.separator
    let tails: [SafeText] =
      last.author.map { [$0, $0.surname].map { " " + separator + SafeText(" \($0) \(when)") } }
      ?? [SafeText(" \(when)")]
    if last.undone != nil {
      return Line(
        text: SafeText(naming(last.text(desk.name))), tails: tails,
        hint: context.key(of: DeskKeys.redo) + " does it again")
    }
    return Line(
      text: SafeText("last: \(naming(last.account(desk.name)))"), tails: tails,
      hint: context.key(of: DeskKeys.undo) + " undoes")
  }

  /// The same with all circuits called that: their names would leave who it was no room.
  private func naming(_ text: String) -> String {
    let names = desk.circuits.map(\.circuit.name)
    return names.count < 2
      ? text : text.replacing(names.joined(separator: ", ") + ":", with: "all circuits:", maxReplacements: 1)
  }

  private func place(_ call: HelpCall) -> String {
    let caller = call.caller.map { " " + $0.surname } ?? ""
    return desk.name(call.stationCode, of: call.circuitName) + caller
  }

  private func age(_ since: Instant?, _ now: Instant) -> String { since.map { AgeText.text(now - $0) } ?? "" }

  func draw(_ line: Line, on canvas: inout Canvas, in region: Rect) {
    let theme = context.theme
    let isCall = !line.badge.isEmpty
    let (right, left) = region.splitRight(min(line.hint.width, region.width / 3))
    canvas.draw(line.hint, in: right, style: theme[isCall ? .heading : .muted])
    let end = canvas.draw(line.badge, in: left, style: theme[.alarm])
    let rest = left.columns(end - left.x, left.width)
    let room = max(0, rest.width - 1)
    let text: SafeText = " " + line.text
    let tail = line.tails.first { text.width + $0.width <= room } ?? line.tails.last ?? ""
    let shown = text.truncated(to: max(0, room - tail.width)) + tail
    canvas.draw(shown.truncated(to: room), in: rest, style: theme[isCall ? .heading : .muted])
  }
}

import CircuitModel
import ExamStore
import GRDB
import Journal
import Standards
import Timer

/// What a closing report tells beside its checks: of which exam, when it was held, what was left out and ruled, who did not
/// come, what was made up, which time was lost, and what it comes to.
public struct ClosingAccount: Sendable {
  /// The report that it belongs to.
  let closing: ClosingReport
  /// The exam's name.
  let exam: String?
  let at: Instant
  /// When each session was planned and held, re-runs after it, in words.
  let times: [String]
  /// What is left out of the results or excused, by exam.yaml or by ruling.
  let exclusions: [StandingExclusion]
  /// Every ruling that stands.
  let rulings: [RulingNote]
  /// Locks that were opened again.
  let reopenings: [Reopening]
  /// Who did not come, and where, in words.
  let absences: [String]
  /// What was missed and queued to be made up, and what became of it, in words.
  let reruns: [String]
  let lostTime: [LostTime]
  let results: ResultsReport

  /// Reads what a report tells; of a part of the exam, its own sessions.
  public static func read(_ closing: ClosingReport, in db: Database, at now: Instant) throws -> ClosingAccount {
    let results = try ResultsReport.read(.init(), differs: closing.differing.contains(.init()), in: db, at: now)
    let scope = closing.scope
    let sessions = try sessions(of: scope, in: db)
    let waiting = Set(try RerunQueue.remaining(in: db).map(\.key))
    return ClosingAccount(
      closing: closing, exam: try ExamSettings.read(db).name, at: now,
      times: try sessions.flatMap { try times($0, in: db, at: now) },
      exclusions: results.policy.standingExclusions, rulings: closing.rulings,
      reopenings: try Reopening.all(in: db), absences: absences(closing),
      reruns: try sessions.flatMap { try reruns($0, waiting, in: db) },
      lostTime: try LostTime.all(in: db, at: now).filter {
        scope.covers(circuit: $0.circuit, session: $0.session.name)
      }, results: results)
  }

  private typealias HeldSession = (circuit: String, session: Session)

  private static func sessions(of scope: ExamLock.Scope, in db: Database) throws -> [HeldSession] {
    var seen: Set<Session> = []
    return try (StationSession.all(in: db) + StationSession.cancelled(in: db)).filter {
      scope.covers($0) && seen.insert($0.session).inserted
    }.map { ($0.circuit.name, $0.session) }
  }

  private static func times(_ held: HeldSession, in db: Database, at now: Instant) throws -> [String] {
    let (circuit, session) = held
    let length = try StartPlan.made(for: session, in: db).list.plannedMs
    let planned = session.plannedStart.map { ", planned \($0.localMinute) to \(($0 + length).localMinute)" } ?? ""
    let timeline = try SessionTimeline.read(session, at: now, in: db)
    let runs = Dictionary(grouping: timeline.lines.filter { $0.kind == .phase }, by: \.run).sorted { $0.key < $1.key }
    let spans = runs.compactMap { run, lines -> String? in
      let passages = lines.compactMap(\.passage)
      guard let first = passages.compactMap(\.start).min() else { return nil }
      let end = passages.contains { $0.start != nil && $0.end == nil } ? nil : passages.compactMap(\.end).max()
      let what = timeline.reruns.contains(run) ? "re-run" : "held"
      return "\(what) \(first.localMinute) to \(end?.localMinute ?? "now")"
    }
    return [
      "\(session.name) · \(circuit)\(planned)" + ", " + (spans.isEmpty ? "not held" : spans.joined(separator: ", "))
    ]
  }

  private static func absences(_ closing: ClosingReport) -> [String] {
    struct Place: Hashable {
      let moment: String
      let circuit: String
      let number: String
    }
    var order: [Place] = []
    var stations: [Place: [String]] = [:]
    for sheet in closing.sheets where sheet.sheetClass == .absent {
      let place = Place(
        moment: sheet.place.session.name, circuit: sheet.place.circuit.name, number: sheet.entry.number)
      if stations[place] == nil { order.append(place) }
      let code = sheet.place.stationCode
      if stations[place]?.contains(code) != true { stations[place, default: []].append(code) }
    }
    return order.map { "\($0.moment) · \($0.circuit) · \($0.number): \((stations[$0] ?? []).joined(separator: " "))" }
  }

  private static func reruns(_ held: HeldSession, _ waiting: Set<String>, in db: Database) throws -> [String] {
    try RerunQueue.items(held.session, in: db).map { item in
      let outcome =
        waiting.contains(item.key)
        ? "still queued" : item.isRuledOut ? "what was open is ruled out" : "examined in round \(item.place)"
      let why = item.reason.map { ": \($0)" } ?? ""
      return "\(held.session.name) · \(held.circuit) · \(item.station.stationCode) · "
        + "\(item.entry.candidate?.label ?? ""): "
        + (item.status == .withdrawn ? "queued\(why); \(try removal(of: item, in: db))" : outcome + why)
    }
  }

  /// That an item was taken off the queue, and why: the row keeps why it was queued.
  private static func removal(of item: RerunItem, in db: Database) throws -> String {
    let removal = try OperationTable.history(of: Stored.RerunEntry.row(item.key), in: db).map(OpenedOperation.init)
      .filter { $0.body?.fields[Stored.RerunEntry.Field.status] == .text(RerunItem.Status.withdrawn.rawValue) }
      .max { ($0.operation.hlc, $0.operation.id) < ($1.operation.hlc, $1.operation.id) }
    return "taken off the queue" + (removal?.reason.map { ": \($0)" } ?? "")
  }
}

extension Instant {
  /// The local time of day, to the minute.
  fileprivate var localMinute: String { LocalTime.reading(of: self).minute }
}

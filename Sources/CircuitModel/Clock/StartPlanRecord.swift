import ExamStore
import Foundation
import GRDB
import Journal
import Timer

/// A start's plan in its stored form.
extension StartPlan {
  /// The plan of a session as its circuit stands now. Warnings that cannot be read are as if there were none.
  package static func made(for session: Session, in db: Database) throws -> StartPlan {
    let durations = try ReadRow.fetchAll(
      db,
      sql: """
        SELECT duration, seconds, durationType, manualStart FROM circuitStationDuration
        WHERE clinicGroupID = ? AND dsDeleted = 0 ORDER BY "order", dsid
        """, arguments: [session.circuit]
    ).map { row in
      PhaseDuration(
        type: PhaseType(name: row["durationType"] ?? "rotation"),
        lengthMs: Int64(((row["duration"] as Int? ?? 0) * 60 + (row["seconds"] as Int? ?? 0)) * 1000),
        manualStart: (row["manualStart"] as Int? ?? 0) != 0)
    }
    let warnings = try String.fetchOne(
      db, sql: "SELECT warnings FROM clinicGroup WHERE dsid = ? AND warnings IS NOT NULL", arguments: [session.circuit])
    return StartPlan(
      durations: durations, warnings: warnings.flatMap { (try? CircuitWarnings.rules(json: $0)) ?? nil },
      rounds: try session.roundsNeeded(db))
  }

  /// What a plan may take in the journal: a hub takes no larger operation than twice that, and in its body each
  /// quotation mark of the plan takes two bytes.
  static let longestStored = 128 << 10
  /// So many phases take more, whatever they hold.
  private static let mostStored = 2000

  /// Canonical JSON. Phases that take too much room are left out: the reader makes them again from the same list.
  var json: String {
    if phases.count <= StartPlan.mostStored {
      let whole = json(with: phases)
      if whole.utf8.count <= StartPlan.longestStored { return whole }
    }
    let isMade = phases == Expansion.expand(durations, rounds: rounds, warnings: warnings)
    return json(with: isMade ? [] : phases)
  }

  private func json(with phases: [PlannedPhase]) -> String {
    let durations = self.durations.map { row in
      CanonicalJSON.Node.object([
        .init("type", .text(row.type.name)), .init("lengthMs", .integer(row.lengthMs)),
        .init("manualStart", .bool(row.manualStart)),
      ])
    }
    let nodes = phases.map { phase in
      CanonicalJSON.Node.object([
        .init("type", .text(phase.type.name)), .init("plannedMs", .integer(phase.plannedMs)),
        .init("manualStart", .bool(phase.manualStart)), .init("warnings", .array(phase.warnings.map(\.node))),
      ])
    }
    let rules = warnings.map { CanonicalJSON.Node.array($0.map(\.node)) }
    let node = CanonicalJSON.Node.object([
      .init("durations", .array(durations)), .init("phases", .array(nodes)),
      .init("rounds", .integer(Int64(rounds))), .init("warnings", rules ?? .null),
    ])
    return String(decoding: CanonicalJSON.encode(node), as: UTF8.self)
  }

  /// The plan that an event carries. An event never changes, and every look at the clock reads its plan: what was read
  /// once is kept.
  /// - Returns: nil if the text is not a plan.
  static func recorded(_ json: String) -> StartPlan? {
    if let plan = known[json] { return plan }
    guard let plan = StartPlan(json: json) else { return nil }
    known[json] = plan
    return plan
  }

  private static let known = ReadingCache<StartPlan>(most: 16)

  /// - Returns: nil if the text is not a plan.
  init?(json: String) {
    struct Rule: Decodable {
      var type: String
      var leftMs: Int64
      var level: String
      var text: String
      var rule: WarningRule {
        WarningRule(
          phaseType: PhaseType(name: type), leftMs: bearable(leftMs), level: AlertLevel(name: level) ?? .none,
          text: text)
      }
    }
    struct Row: Decodable {
      var type: String
      var lengthMs: Int64
      var manualStart: Bool
    }
    struct Phase: Decodable {
      var type: String
      var plannedMs: Int64
      var manualStart: Bool
      var warnings: [Rule]
    }
    struct Plan: Decodable {
      var durations: [Row]
      var phases: [Phase]
      var rounds: Int
      var warnings: [Rule]?
    }
    guard let plan = try? JSONDecoder().decode(Plan.self, from: Data(json.utf8)) else { return nil }
    let durations = plan.durations.map {
      PhaseDuration(type: PhaseType(name: $0.type), lengthMs: bearable($0.lengthMs), manualStart: $0.manualStart)
    }
    let (warnings, rounds) = (plan.warnings?.map(\.rule), min(max(plan.rounds, 0), Expansion.mostRounds))
    if plan.phases.isEmpty {
      self.init(durations: durations, warnings: warnings, rounds: rounds)
      return
    }
    self.init(
      durations: durations, warnings: warnings, rounds: rounds,
      phases: plan.phases.map { phase in
        PlannedPhase(
          type: PhaseType(name: phase.type), plannedMs: bearable(phase.plannedMs), manualStart: phase.manualStart,
          warnings: phase.warnings.map(\.rule))
      })
  }
}

/// A length as a stored plan has it, held within a thousand days: no arithmetic on it overflows.
private func bearable(_ milliseconds: Int64) -> Int64 { min(max(milliseconds, -86_400_000_000), 86_400_000_000) }

extension WarningRule {
  fileprivate var node: CanonicalJSON.Node {
    .object([
      .init("type", .text(phaseType.name)), .init("leftMs", .integer(leftMs)), .init("level", .text(level.name)),
      .init("text", .text(text)),
    ])
  }
}

/// `ClinicGroup.warnings`: the rules that replace the default alerts as they stand.
public enum CircuitWarnings {
  /// Reads a list of `{"type": "rotation", "seconds": 60, "level": "amber", "text": "…"}`, or the text `liftupp`.
  /// - Returns: nil for an empty text or `null`.
  /// - Throws: `ClockRefusal` if the text is neither.
  public static func rules(json: String) throws -> [WarningRule]? {
    struct Rule: Decodable {
      var type: String?
      var seconds: Int
      var level: String?
      var text: String?
    }
    let trimmed = json.trimmingCharacters(in: .whitespacesAndNewlines)
    if trimmed.isEmpty || trimmed == "null" { return nil }
    if trimmed == "liftupp" || trimmed == "\"liftupp\"" { return WarningRule.liftupp }
    guard let rules = try? JSONDecoder().decode([Rule].self, from: Data(trimmed.utf8)) else {
      throw ClockRefusal.unreadableWarnings
    }
    return try rules.map { rule in
      guard let level = AlertLevel(name: rule.level ?? "none"), (0...86_400).contains(rule.seconds) else {
        throw ClockRefusal.wrongWarning
      }
      return WarningRule(
        phaseType: PhaseType(name: rule.type ?? "rotation"), secondsLeft: rule.seconds, level: level,
        text: rule.text ?? PhaseText.timeLeft(Int64(rule.seconds) * 1000))
    }
  }
}

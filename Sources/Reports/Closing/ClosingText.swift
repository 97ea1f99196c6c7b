import Characters
import CircuitModel
import ExamStore
import Standards

extension ClosingReport {
  /// The checks in lines of at most 80 columns; with every open line where they are asked for.
  /// - Parameters:
  ///   - lists: how many open lines of each check are given.
  ///   - showsIDs: whether an open line has before it what a ruling names it by: its id where it can be waived, else
  ///     its subject.
  public func lines(listing lists: Int, withIDs showsIDs: Bool = false) -> [String] {
    let open = checks.filter { !$0.isOK }
    let head =
      !open.isEmpty
      ? "\(open.count) of \(checks.count) checks open"
      : differsFromLock ? "every check is in order" : "everything is in order"
    let about = scope.isExam ? "" : "\(scope.name): "
    let said = locks.isEmpty ? "NOT LOCKED" : differsFromLock ? "NOT FINAL" : state.uppercased()
    var lines = ["\(about)\(head) · \(said)"] + (differsFromLock ? [LockText.notFinal] : [])
    lines += locks.flatMap(\.lines)
    lines.append(identity.text)
    if parts.count > 1 {
      lines += parts.map { part in
        let place = [part.scope.session, part.scope.circuit].compactMap { $0 }.joined(separator: " ")
        let isLockedApart = part.lock != nil && locks.isEmpty
        let lock = part.differsFromLock ? " · \(LockText.notFinal)" : " · locked"
        return "  \(place): \(part.identity.text)" + (isLockedApart ? lock : "")
      }
    }
    lines.append("")
    for check in checks {
      let sign = check.isOK ? "✓" : "✗"
      let waived = check.lines.count - check.open.count
      let counts = [
        check.isOK ? nil : "\(check.open.count) open", waived > 0 ? "\(waived) waived" : nil,
        check.ruled.isEmpty ? nil : "\(check.ruled.count) ruled",
      ].compactMap { $0 }
      lines.append("\(sign) \(check.code.text)" + (counts.isEmpty ? "" : ": " + counts.joined(separator: ", ")))
      lines += check.open.prefix(lists).map { line in
        let key = showsIDs ? (check.code.isWaivable ? line.id : line.subject) : nil
        return "    " + (key.map { "\($0) · " } ?? "") + line.text
      }
      if check.open.count > lists && lists > 0 { lines.append("    and \(check.open.count - lists) more") }
    }
    return lines.flatMap { TextLines.wrapped(VisibleText.of($0, dropsJoiners: true)) }
  }
}

extension ClosingIdentity {
  /// The identity as an equation.
  var text: String {
    equation + (shortfall.map { "; " + $0 } ?? "") + (practiceText.map { " · " + $0 } ?? "")
  }

  fileprivate var equation: String {
    "\(expected) expected = \(held) held + \(absent) absent + \(excluded) excluded + \(queued) queued"
  }

  fileprivate var practiceText: String? { practice > 0 ? "\(practice) practice" : nil }

  /// What keeps it from holding; nil where it holds.
  fileprivate var shortfall: String? { holds ? nil : "\(open) open, \(unplanned) not in the plan" }
}

extension ExamLock {
  /// What was locked, when, by whom, and its hash in groups.
  fileprivate var lines: [String] {
    let what = amendment == 0 ? "locked" : "amendment \(amendment)"
    let time = lockedAt.map { " " + $0.localMoment } ?? ""
    return [
      "\(what)\(time) by \(staff.joined(separator: " and "))" + (reason.map { ": \($0)" } ?? ""), printedHash,
    ]
  }

  /// The final hash as it is printed: 16 groups of 4 digits, 79 columns.
  public var printedHash: String { ExamLock.printed(hash) }

  /// A final hash in those groups.
  public static func printed(_ hash: String) -> String {
    stride(from: 0, to: hash.count, by: 4).map { start in String(hash.dropFirst(start).prefix(4)) }
      .joined(separator: " ")
  }
}

extension ClosingReport {
  /// The identity as an equation.
  var identityText: String { identity.text }

  /// The same for a screen: the equation, and apart from it what keeps it from holding, and what is in no term.
  public var identityParts: (equation: String, beside: [String]) {
    (identity.equation, [identity.shortfall, identity.practiceText].compactMap { $0 })
  }
}

extension ClosingReport {
  /// Someone who has to be called for what is open.
  public struct Call: Equatable, Sendable {
    /// The username.
    public let who: String
    /// For how much of which checks.
    public let what: String
    /// How many lines are open of it.
    public let count: Int
    /// The terminal at which the person is signed in; nil where that is not known.
    public let terminal: String?
  }

  /// Everyone who has to be called, by how much is open of them.
  public var calls: [Call] {
    var found: [String: (counts: [(Code, Int)], terminal: String?)] = [:]
    for check in checks {
      for line in check.open {
        guard let who = line.call else { continue }
        var person = found[who] ?? ([], nil)
        if person.counts.last?.0 == check.code {
          person.counts[person.counts.count - 1].1 += 1
        } else {
          person.counts.append((check.code, 1))
        }
        person.terminal = person.terminal ?? line.terminal
        found[who] = person
      }
    }
    return found.map { who, person in
      Call(
        who: who, what: person.counts.map { "\($0.0.openText): \($0.1)" }.joined(separator: ", "),
        count: person.counts.reduce(0) { $0 + $1.1 }, terminal: person.terminal)
    }.sorted { ($1.count, $0.who) < ($0.count, $1.who) }
  }
}

extension ClosingReport.Check {
  /// Who has to be called for what is open of it, and how much is waived and ruled: `3 waived · nokafor 2, hyamamoto 1`.
  public var callText: String {
    var counts: [String: Int] = [:]
    for line in open { if let call = line.call { counts[call, default: 0] += 1 } }
    let people = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    let list = people.prefix(2).map { "\($0.key) \($0.value)" } + (people.count > 2 ? ["\(people.count - 2) more"] : [])
    let who = people.isEmpty ? open.first?.shortText ?? "" : list.joined(separator: ", ")
    let waived = lines.count - open.count
    return [waived > 0 ? "\(waived) waived" : "", ruled.isEmpty ? "" : "\(ruled.count) ruled", who].filter {
      !$0.isEmpty
    }.joined(separator: " · ")
  }
}

extension ClosingReport.Line {
  /// Where and who.
  public var shortText: String {
    let place = [station, candidate, circuit == nil || station != nil ? nil : circuit].compactMap { $0 }
    return place.isEmpty ? what : place.joined(separator: " ") + ": " + what
  }

  /// Where, who, what, and whom to call.
  public var text: String {
    let place = [
      session, circuit, station, round.map { "round \($0)" }, candidate,
    ].compactMap { $0 }.joined(separator: " · ")
    let who = call.map { ", \($0)" } ?? ""
    let filled = isFilled.map { $0 ? ", filled" : ", not filled" } ?? ""
    let at = terminal.map { ", at \($0)" } ?? ""
    return (place.isEmpty ? "" : "\(place): ") + what + who + filled + at
  }
}

import Characters
import CircuitModel
import Timer

extension CandidateDossier {
  /// The dossier in lines of at most 80 columns. Times of day are local.
  public var lines: [String] {
    var lines = ["DOSSIER OF CANDIDATE \(candidate.label), \(candidate.name)"] + [exam].compactMap { $0 }
    let reading = LocalTime.reading(of: at)
    lines.append("As of \(reading.date) \(reading.time) · local times, \(LocalTime.offsetText(at: at))")
    lines.append("The store's last operation has the hash")
    lines.append("  " + (head ?? "none: the store has no operations"))
    lines.append(candidate.adjustments.map { "Adjustments: \($0)" } ?? "No adjustments")
    lines.append(consent.map { "Consent: \($0)" } ?? "No consent recorded")
    if sessions.isEmpty { lines += ["", "On no roster of the exam."] }
    for part in sessions {
      lines += ["", "SESSION \(part.session.name), \(part.circuit)"] + part.swaps.map(\.text)
      for station in part.stations { lines += [""] + station.lines }
    }
    if !rulings.isEmpty { lines += ["", "RULINGS"] + rulings.map { "  " + $0.text } }
    if concerns > 0 && !showsConcerns {
      let count = Plural.count(concerns, "concern was", "concerns were")
      lines += ["", "\(count) raised about this candidate; --concerns adds them."]
    }
    return lines.flatMap(CandidateDossier.paragraph)
  }

  /// A line in lines of at most 80 columns: what is wrapped, and further lines of what people wrote, is indented.
  private static func paragraph(_ line: String) -> [String] {
    let indent = line.prefix { $0 == " " }.count + 4
    let parts = line.split(whereSeparator: \.isNewline)
    let further = parts.dropFirst().map { String(repeating: " ", count: indent) + $0 }
    return ([parts.first.map(String.init) ?? ""] + further).flatMap {
      TextLines.wrapped(VisibleText.of($0, dropsJoiners: true), indent: indent)
    }
  }
}

extension CandidateDossier.StationPart {
  private var isFromPaper: Bool { sheets.contains { $0.origins.values.contains(where: \.isFromPaper) } }

  fileprivate var lines: [String] {
    let day = place.session.date
    var lines: [String] = []
    if let withdrawn {
      let round = entry.round.map { "Round \($0), " } ?? ""
      lines.append("\(round)\(withdrawn.text). The candidate rested.")
    }
    lines += ledger.map(\.text)
    if lines.isEmpty { lines.append("Station \(place.stationTitle), no round planned.") }
    let staff =
      place.assessors.map { "\($0.name) (\($0.role.name))" } + place.covered.map { "\($0.name) (covered)" }
    if !staff.isEmpty { lines.append("  Staff: \(staff.joined(separator: ", "))") }
    if !place.isRest {
      let unchecked =
        isFromPaper ? "nobody checked it at the terminal; marks were typed from paper" : "no check recorded"
      lines.append("  Identity: " + (entry.identityCheckedAt.map { "checked at \($0.text(on: day))" } ?? unchecked))
    }
    if entry.isAdditional && !attendance.contains(where: { $0.what == .added }) { lines.append("  Added on the day") }
    lines += attendance.map { "  " + $0.text }
    if let signOut, place.requiresSignout || signOut.feedbackReceivedAt != nil || signOut.isSignedOut {
      let feedback =
        signOut.feedbackReceivedAt.map { "feedback received at \($0.text(on: day))" } ?? "no feedback recorded"
      lines.append(
        "  Leaving: \(feedback), \(signOut.isFeedbackAgreed ? "agreed" : "not agreed"), "
          + (signOut.isSignedOut ? "signed out by staff" : "not signed out"))
    }
    for call in helpCalls {
      let answer = call.respondedAt.map { "\(call.responder ?? "somebody") on the way at \($0.text(on: day))" }
      let end = call.resolvedAt.map { "resolved at \($0.text(on: day))" } ?? "not resolved"
      lines.append(
        "  Help called at \(call.requestedAt?.text(on: day) ?? "") by \(call.caller ?? "nobody known"): "
          + ([call.text, answer, end].compactMap { $0 }.filter { !$0.isEmpty }).joined(separator: "; "))
    }
    for sheet in sheets { lines += sheet.lines }
    lines += moves.map { "  Mark sheet \($0.text(on: day))" }
    for comment in comments {
      lines.append(
        "  \(comment.isConcern ? "CONCERN" : "Comment") by \(comment.author ?? "nobody known")"
          + (comment.time.map { ", \($0.text(on: day))" } ?? "") + ": \(comment.text)")
    }
    return lines
  }
}

extension CandidateDossier.SheetPart {
  fileprivate var lines: [String] {
    let name = sheet.assessor?.name ?? sheet.place.name(of: sheet.seat)
    let seat = sheet.seat == .lead ? "" : " (second assessor \(name))"
    let title = "  Mark sheet \(sheet.template.name)\(seat)"
    guard let held = sheet.held else { return [title + ": not started"] }
    let day = sheet.place.session.date
    let signed = signedAt.map { "signed by \(signedBy ?? "nobody known") at \($0.text(on: day))" } ?? "NOT SIGNED"
    var lines = [title + ": " + signed + (signedBecause.map { ": \($0)" } ?? "")] + amendments.map { "    " + $0.text }
    var section: String?
    for item in held.items {
      if let next = sectionLine(of: item), next != section {
        lines.append(next)
        section = next
      }
      let time = item.isBlank ? nil : item.markedAt.map { ", \($0.text(on: day))" }
      let late = secondsAfterBell[item.key].map { ", \($0) s after the bell" }
      let conflict = conflicts.contains(item.key) ? ", CONFLICT: two values, not settled" : ""
      lines.append(
        "    \(item.number)  \(item.template.text): \(item.answer)" + (time ?? "") + (late ?? "")
          + (origins[item.key]?.text ?? "") + conflict)
    }
    if !changes.isEmpty { lines.append("    Changes:") }
    return lines + changes.map { "      " + $0.text(on: day) }
  }

  /// What stands above the items of a section, where a sheet has sections of which something is recorded or that are
  /// copied: only with it can equal items be told apart.
  private func sectionLine(of item: HeldItem) -> String? {
    let sections = sheet.template.sections
    guard sections.contains(where: { $0.isDuplicable || !SectionFact.asked(by: $0).isEmpty }) else { return nil }
    let held = item.facts
    let facts = SectionText.facts(
      quadrant: held.quadrant, tooth: held.tooth, quantity: held.quantity, difficulty: held.difficulty)
    return "    " + item.section.name + SectionText.copy(item.copy) + (facts.isEmpty ? "" : ": " + facts)
  }
}

extension HeldItem {
  /// The answer in words: the level's value and text, or that it is blank, and what is written beside it.
  var answer: String {
    if isBlank { return ["blank", writtenText].filter { !$0.isEmpty }.joined(separator: "; ") }
    if isUnable { return ["unable to assess", writtenText].filter { !$0.isEmpty }.joined(separator: "; ") }
    let given = rating.map { level?.label ?? $0.description }
    return [given, writtenText.isEmpty ? nil : writtenText].compactMap { $0 }.joined(separator: "; ")
  }
}

extension Instant {
  /// The time of day; of another day than the one told of with its date.
  func text(on day: String) -> String {
    let reading = LocalTime.reading(of: self)
    return (reading.date == day ? "" : reading.date + " ") + reading.time
  }
}

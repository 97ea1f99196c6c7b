import CircuitModel
import Timer

extension CandidateDossier {
  /// `{"number","name","adjustments","consent","at","head","sessions":[…],"rulings":[…],"concerns",
  /// "concernsShown"}`; what is not known is null.
  public var json: JSONDocument {
    .object([
      ("number", .text(candidate.number)), ("name", .text(candidate.name)),
      ("adjustments", .optional(candidate.adjustments)), ("consent", .optional(consent)), ("at", .time(at)),
      ("head", .optional(head)),
      (
        "sessions",
        .array(
          sessions.map {
            .object([
              ("date", .text($0.session.date)), ("start", .text($0.session.startTime)), ("circuit", .text($0.circuit)),
              ("swaps", .array($0.swaps.map(\.json))), ("stations", .array($0.stations.map(\.json))),
            ])
          })
      ),
      (
        "rulings",
        .array(
          rulings.map { note in
            .object([
              ("kind", .text(note.ruling.kind.rawValue)), ("sheet", .optional(note.ruling.scope.sheet)),
              ("reason", .text(note.ruling.reason)), ("staff", .optional(note.ruling.staff)),
              ("secondStaff", .optional(note.ruling.secondStaff)), ("time", .time(note.ruling.time)),
              ("key", .text(note.key)), ("words", .text(note.text)),
            ])
          })
      ),
      ("concerns", .number(concerns)), ("concernsShown", .bool(showsConcerns)),
    ])
  }
}

extension CandidateDossier.StationPart {
  fileprivate var json: JSONDocument {
    .object([
      ("station", .text(place.stationCode)), ("name", .text(place.stationName)), ("round", .number(entry.round)),
      ("cancelled", .bool(isCancelled)), ("additional", .bool(entry.isAdditional)), ("present", .flag(entry.isPresent)),
      ("lateAt", .time(entry.lateAt)), ("identityCheckedAt", .time(entry.identityCheckedAt)),
      ("identityNote", .optional(entry.identityNote)), ("feedbackReceivedAt", .time(signOut?.feedbackReceivedAt)),
      ("feedbackAgreed", .flag(signOut?.isFeedbackAgreed)), ("signedOut", .flag(signOut?.isSignedOut)),
      ("attendance", .array(attendance.map(\.json))),
      (
        "staff",
        .array(
          (place.assessors.map { ($0, $0.role.rawValue) } + place.covered.map { ($0, "covered") }).map {
            .object([("name", .text($0.0.name)), ("seat", .text($0.0.seat.name)), ("role", .text($0.1))])
          })
      ),
      ("held", .array(ledger.map(\.held))), ("helpCalls", .array(helpCalls.map(\.entry))),
      ("sheets", .array(sheets.map(\.json))), ("moves", .array(moves.map { $0.json(on: place.session.date) })),
      (
        "comments",
        .array(
          comments.map {
            .object([
              ("author", .optional($0.author)), ("time", .time($0.time)), ("text", .text($0.text)),
              ("concern", .bool($0.isConcern)), ("visibleToCandidate", .flag($0.isVisibleToCandidate)),
            ])
          })
      ),
    ])
  }
}

extension SwapNote {
  fileprivate var json: JSONDocument {
    .object([
      ("with", .optional(other)), ("round", .number(round)), ("undone", .bool(isUndo)),
      ("staff", .optional(recorded.staff)), ("time", .time(recorded.time)), ("reason", .optional(recorded.reason)),
      ("words", .text(text)),
    ])
  }
}

extension AttendanceNote {
  fileprivate var json: JSONDocument {
    .object([
      ("what", .text(what.rawValue)), ("staff", .optional(recorded.staff)), ("time", .time(recorded.time)),
      ("reason", .optional(recorded.reason)), ("words", .text(text)),
    ])
  }
}

extension SheetAmendment {
  fileprivate var json: JSONDocument {
    .object([
      ("people", .array(people.map { .text($0) })), ("time", .time(time)), ("reason", .text(reason)),
      ("words", .text(text)),
    ])
  }
}

extension LedgerLine {
  fileprivate var held: JSONDocument {
    .object([
      ("round", .number(round)), ("rerun", .bool(isRerun)), ("plannedStart", .time(plannedStart)),
      ("plannedEnd", .time(plannedEnd)), ("start", .time(start)), ("end", .time(end)),
      ("lostSeconds", .integer(lostSeconds)),
      (
        "incidents",
        .array(
          incidents.map {
            .object([
              ("kind", .text($0.kind.rawValue)), ("time", .time($0.time)), ("secondsLost", .number($0.secondsLost)),
              ("text", .optional($0.text)), ("reporter", .optional($0.reporter)),
            ])
          })
      ),
      ("text", .text(text)),
    ])
  }
}

extension SheetMove {
  fileprivate func json(on day: String) -> JSONDocument {
    .object([
      ("sheet", .text(sheet)), ("from", .optional(from.number)), ("fromRound", .number(from.round)),
      ("to", .optional(to.number)), ("toRound", .number(to.round)), ("staff", .optional(staff)), ("time", .time(time)),
      ("reason", .optional(reason)), ("words", .text(text(on: day))),
    ])
  }
}

extension HelpCall {
  fileprivate var entry: JSONDocument {
    .object([
      ("text", .text(text)), ("caller", .optional(caller)), ("status", .text(status.rawValue)),
      ("requestedAt", .time(requestedAt)), ("respondedAt", .time(respondedAt)), ("responder", .optional(responder)),
      ("resolvedAt", .time(resolvedAt)),
    ])
  }
}

extension CandidateDossier.SheetPart {
  fileprivate var json: JSONDocument {
    .object([
      ("form", .text(sheet.template.code ?? sheet.template.name)), ("seat", .text(sheet.seat.name)),
      ("sheet", .optional(sheet.held?.key)), ("expected", .bool(sheet.isExpected)),
      ("signedAt", .time(signedAt)), ("signedBy", .optional(signedBy)),
      ("amendments", .array(amendments.map(\.json))),
      (
        "items",
        .array(
          (sheet.held?.items ?? []).map { item in
            .object([
              ("item", .number(item.number)), ("section", .text(item.section.name)), ("copy", .number(item.copy)),
              ("text", .text(item.template.text)), ("value", item.rating.map { JSONDocument.mark($0) } ?? .null),
              ("maximum", item.template.scoreMaximum.map { JSONDocument.mark($0) } ?? .null),
              ("unable", .bool(item.isUnable)),
              ("words", .text(item.answer)), ("markedAt", .time(item.isBlank ? nil : item.markedAt)),
              ("secondsAfterBell", .number(secondsAfterBell[item.key])),
              ("judge", .optional(origins[item.key]?.judge)), ("enteredBy", .optional(origins[item.key]?.typist)),
              ("paper", .bool(origins[item.key]?.isFromPaper ?? false)),
              ("tooth", .optional(item.facts.tooth)), ("quadrant", .optional(item.facts.quadrant)),
              ("quantity", .number(item.work.times ?? item.facts.quantity)),
              ("difficulty", .number(item.work.difficulty ?? item.facts.difficulty)),
              ("conflict", .bool(conflicts.contains(item.key))),
            ])
          })
      ),
      (
        "changes",
        .array(
          changes.map {
            .object([
              ("item", .number($0.item)), ("what", .text($0.aspect.rawValue)), ("from", .text($0.from)),
              ("to", .text($0.to)), ("how", .text($0.kind)), ("staff", .optional($0.staff)),
              ("time", .time($0.time)), ("secondsAfterBell", .number($0.secondsAfterBell)),
              ("reason", .optional($0.reason)), ("words", .text($0.text(on: sheet.place.session.date))),
            ])
          })
      ),
    ])
  }
}

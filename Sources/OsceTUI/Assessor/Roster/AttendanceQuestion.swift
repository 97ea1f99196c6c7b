import Characters
import CircuitModel
import ExamStore
import Journal
import Reports
import Terminal

/// Asks whether a candidate is here, and how the candidate leaves.
@MainActor
enum AttendanceQuestion {
  static func ask(_ context: AppContext, _ session: StationSession, _ entry: RosterEntry) {
    context.attempt(in: session.session) { offer(context, session, entry) }
  }

  private static func offer(_ context: AppContext, _ session: StationSession, _ entry: RosterEntry) {
    func record(
      _ word: SafeText, _ body: @escaping @Sendable (JournalTransaction) throws -> Void
    ) -> @MainActor () -> Void {
      { save(context, entry, word, body) }
    }
    var choices: [(Key, SafeText, @MainActor () -> Void)] = [
      (
        "p", "present",
        record(entry.lateAt == nil ? "present" : "present, and late as before: x takes that back") {
          try Attendance.record(true, for: entry, in: $0)
        }
      ),
      ("a", "absent", { askAbsent(context, session, entry) }),
      ("l", "late: here now", record("present, late") { _ = try SignOut.record(late: true, entry: entry.key, in: $0) }),
      (
        "x", "not recorded",
        record("attendance cleared") {
          try Attendance.record(nil, for: entry, in: $0)
          if entry.lateAt != nil { try SignOut.record(late: false, entry: entry.key, in: $0) }
        }
      ),
      ("i", "identity does not match", { askIdentityNote(context, entry) }),
      ("w", "add a candidate not on this roster", { AddedCandidate.ask(context, session, round: nil) }),
    ]
    let seat = seat(context, session)
    if sheets(context, seat, entry).contains(where: { $0.answered > 0 }) {
      choices.append(
        ("m", "these marks are another candidate's", { WrongCandidateQuestion.ask(context, session, seat, entry) }))
    }
    if context.read({ try AdditionalCandidate.canTakeOff(entry.key, in: $0) }) == true {
      choices.append(("k", "remove: added by mistake", { AddedCandidate.askTakeOff(context, entry) }))
    }
    if session.requiresSignout {
      choices.append(("o", "feedback and sign-out", { SignOutQuestion.ask(context, session, entry) }))
    }
    let state = context.read { try SignOut.read(entry: entry.key, in: $0) } ?? nil
    let note = state?.identityNote.map { " Identity: \($0)." } ?? ""
    let record = context.read { try AttendanceSource.read(entry, in: $0) } ?? nil
    let by = record.map { ", \($0.text)" } ?? ""
    context.ask("Attendance", "\(context.title(of: entry.candidate)): now \(text(entry))\(by).\(note)", choices)
  }

  /// What is recorded of a candidate's attendance.
  static func text(_ entry: RosterEntry) -> String {
    switch entry.isPresent {
    case true?: entry.lateAt.map { "present, late at \(LocalTime.reading(of: $0).minute)" } ?? "present"
    case false?: "absent"
    case nil: "not recorded"
    }
  }

  /// Saves what is recorded of a candidate, and of nobody else who may come by now, and says it.
  fileprivate static func save(
    _ context: AppContext, _ entry: RosterEntry, _ word: SafeText, as role: Role = .normal,
    _ body: @escaping @Sendable (JournalTransaction) throws -> Void,
    then: @escaping @MainActor @Sendable () -> Void = {}
  ) {
    context.save(
      with: .awaited, as: role, saying: { SafeText("\(entry.candidate?.number ?? ""): ") + word },
      {
        try Attendance.checkCandidate(of: entry, in: $0.db)
        try body($0)
      }, then: then)
  }

  /// Records a candidate as absent; asks first where the sheet has marks, which may be another candidate's.
  private static func askAbsent(_ context: AppContext, _ session: StationSession, _ entry: RosterEntry) {
    func record() { save(context, entry, "absent") { try Attendance.record(false, for: entry, in: $0) } }
    let sheets = sheets(context, seat(context, session), entry)
    let answered = sheets.reduce(0) { $0 + $1.answered }
    let isUsed = context.read { db in
      try sheets.contains { try MarkedSheet.holdsSomething($0.key, in: db) }
    }
    if isUsed == false { return record() }
    let marks = answered == 0 ? "entries on the sheet stay" : Plural.count(answered, "mark stays", "marks stay")
    context.confirm(
      SafeText(
        "Record \(context.title(of: entry.candidate)) absent? Their \(marks), listed as not expected. For a wrong "
          + "candidate's sheet, press Esc, then \(context.key(of: SheetScreen.Keys.wrongCandidate))."
      )
    ) { _ in record() }
  }

  /// Whose sheets the person who sits here marks.
  private static func seat(_ context: AppContext, _ session: StationSession) -> Seat {
    context.sitting.flatMap { session.seat(of: $0.staff.id) } ?? .lead
  }

  /// The sheets as they are on the disk, which the entry may be older than; the entry's where they cannot be read.
  private static func sheets(_ context: AppContext, _ seat: Seat, _ entry: RosterEntry) -> [SheetProgress] {
    guard let now = context.read({ try Roster.entry(entry.key, seat: seat, in: $0) }) else { return entry.sheets }
    return now?.sheets ?? []
  }

  private static func askIdentityNote(_ context: AppContext, _ entry: RosterEntry) {
    let topic = entry.topic("identity")
    context.prompt("What does not match? (empty clears the note)", keptAs: topic) { text in
      let isSaid = text.hasWords
      save(context, entry, isSaid ? "identity query recorded for the exam lead" : "identity note cleared") {
        _ = try SignOut.note(identity: text, entry: entry.key, in: $0)
      }
    }
  }
}

/// Asks for what the candidate leaves with: feedback received and agreed, signed out by staff.
@MainActor
enum SignOutQuestion {
  /// - Parameter onlyMissing: whether nothing is asked where nothing is missing.
  static func ask(
    _ context: AppContext, _ session: StationSession, _ entry: RosterEntry, onlyMissing: Bool = false
  ) {
    guard let state = context.read({ try SignOut.read(entry: entry.key, in: $0) }) ?? nil else { return }
    let missing = state.missing(at: session)
    if missing.isEmpty && onlyMissing { return }
    let key = entry.key
    func record(
      _ word: SafeText, _ body: @escaping @Sendable (JournalTransaction) throws -> OperationID
    ) -> @MainActor () -> Void {
      {
        AttendanceQuestion.save(context, entry, word, as: .good, { _ = try body($0) }) {
          ask(context, session, entry, onlyMissing: true)
        }
      }
    }
    let received = state.feedbackReceivedAt != nil
    let (agreed, signedOut) = (state.isFeedbackAgreed, state.isSignedOut)
    context.ask(
      "Sign the candidate out",
      "\(context.title(of: entry.candidate)): \(missing.isEmpty ? "all is recorded" : missing.map(\.lack).joined(separator: ", ")).",
      [
        (
          "f", received ? "undo: feedback not given" : "feedback given and received",
          record(received ? "feedback cleared" : "feedback received") {
            try SignOut.record(feedbackReceived: !received, entry: key, in: $0)
          }
        ),
        (
          "g", agreed ? "undo: not agreed" : "the candidate agrees with the feedback",
          record(agreed ? "agreement cleared" : "feedback agreed") {
            try SignOut.record(feedbackAgreed: !agreed, entry: key, in: $0)
          }
        ),
        (
          "o", signedOut ? "undo: not signed out" : "sign out",
          record(signedOut ? "sign-out cleared" : "signed out") {
            try SignOut.record(signedOut: !signedOut, entry: key, in: $0)
          }
        ),
      ])
  }
}

import Characters
import CircuitModel
import ExamStore
import Reports
import Terminal

/// The keys that a roster and a sheet share.
enum EntryKeys<Screen: EntryScreen> {
  private static var group: String { "Comments and help" }
  private static var session: String { "Session" }

  @MainActor private static func onEntry(_ screen: Screen) -> Availability {
    screen.entry == nil ? .disabled(Screen.noEntry) : .enabled
  }

  static var comment: KeyBinding<Screen> {
    KeyBinding(
      "comment.candidate", ["c"], "comment", help: "Comments on this candidate at this station", group: group,
      when: { onEntry($0) }
    ) { screen, _ in
      guard let entry = screen.entry else { return }
      let name = entry.candidate == nil ? "practice" : screen.context.title(of: entry.candidate)
      StationKeys.comments(screen, .candidate(entry.key), of: entry, about: SafeText("candidate \(name)"))
    }
  }

  /// - Parameter mayAsk: whether the question is asked now; the screen says why not.
  static func wrongCandidate(
    patience: WaitingKeys.Patience? = nil,
    if mayAsk: @escaping KeyBinding<Screen>.Asked<Bool> = { _ in true }
  ) -> KeyBinding<Screen> {
    KeyBinding(
      "station.wrongCandidate", ["M"], "wrong candidate", help: "Move, swap or shift sheets marked on the wrong one",
      group: session, inFooter: false, patience: patience, when: { $0.context.changing(onEntry($0)) }
    ) { screen, _ in
      guard let entry = screen.entry, mayAsk(screen) else { return }
      WrongCandidateQuestion.ask(screen.context, screen.session, screen.seat, entry)
    }
  }

  static var paper: KeyBinding<Screen> {
    KeyBinding(
      "station.paper", ["P"], "paper", help: "Enter another assessor's paper marks", group: session,
      inFooter: false
    ) { screen, _ in PaperQuestion.ask(screen.context) }
  }

  static var lock: KeyBinding<Screen> {
    KeyBinding(
      "station.lock", ["L"], "lock", help: "Lock this terminal; the clock stays", group: session, inFooter: false
    ) { screen, _ in screen.context.lockScreen() }
  }

  static var instructions: KeyBinding<Screen> {
    KeyBinding(
      "instructions", ["i"], "instructions", help: "Read the station's instructions", group: group, inFooter: false
    ) { screen, _ in StationKeys.showInstructions(screen.context, screen.session) }
  }

  static var concern: KeyBinding<Screen> {
    KeyBinding(
      "comment.concern", ["f"], "concern", help: "Raise a concern about this candidate", group: group,
      inFooter: false, when: { onEntry($0) }
    ) { screen, _ in
      if let entry = screen.entry { StationKeys.askConcern(screen.context, screen.session, entry) }
    }
  }

  /// All of them; a screen may have others in the place of two.
  static func all(
    wrongCandidate: KeyBinding<Screen> = wrongCandidate(), missing: KeyBinding<Screen> = StationKeys.missing()
  ) -> [KeyBinding<Screen>] {
    [
      comment,
      KeyBinding(
        "comment.station", ["C"], "station comment", help: "Comments on the station", group: group, inFooter: false
      ) { screen, _ in
        let about = SafeText("station \(screen.session.stationTitle)")
        StationKeys.comments(screen, .station(screen.session.station), about: about)
      },
      KeyBinding(
        "comment.circuit", ["ctrl-o"], "circuit comment", help: "Comments on the circuit", group: group,
        inFooter: false
      ) { screen, _ in
        let circuit = screen.session.circuit
        StationKeys.comments(screen, .circuit(circuit.id), about: SafeText("circuit \(circuit.name)"))
      },
      concern,
      StationKeys.helpCall { $0.context },
      instructions, wrongCandidate, missing,
      KeyBinding(
        "station.person", ["p"], "to a person", help: "Comment to a candidate or colleague", group: session,
        inFooter: false
      ) { screen, _ in PersonalCommentsScreen.choose(screen.context, screen.session, screen.seat, screen.entry) },
      paper, lock,
    ]
  }
}

/// The keys that all screens of a station session share: a call for help, what the hall tells, what is missing.
enum StationKeys {
  static let told = KeyBinding<AppContext>(
    "station.told", ["w"], "messages", help: "Read the invigilator's messages in full",
    group: "Comments and help", inFooter: false
  ) { context, _ in showTold(context) }

  /// The keys of every screen at which somebody sits at a station.
  static let everywhere = KeyTable<AppContext>("", [call, told])

  static let call: KeyBinding<AppContext> = helpCall { $0 }

  static func helpCall<Screen>(_ context: @escaping KeyBinding<Screen>.Asked<AppContext>) -> KeyBinding<Screen> {
    KeyBinding(
      "help.call", ["!"], "help call", help: "Call for help at this station, or withdraw the call",
      group: "Comments and help", reach: .urgent
    ) { screen, _ in
      let context = context(screen)
      // Where no question can be read, none is asked.
      if context.navigator.isTooSmall { callHelpUnasked(context) } else { askHelp(context) }
    }
  }

  static func missing<Screen: StationScreen>(
    rank: Int = 0,
    _ show: @escaping @MainActor @Sendable (Screen) -> Void = {
      $0.context.push(MissingScreen($0.context, $0.session, $0.seat, entry: nil))
    }
  ) -> KeyBinding<Screen> {
    KeyBinding(
      "station.missing", ["m"], "missing", help: "List what is missing; m again for all so far", group: "Session",
      rank: rank
    ) { screen, _ in show(screen) }
  }
}

/// What those keys do.
@MainActor
extension StationKeys {
  /// - Parameter entry: the candidate's roster entry as it is shown, where the comments are on one.
  static func comments(
    _ screen: some StationScreen, _ level: CommentLevel, of entry: RosterEntry? = nil, about: SafeText
  ) {
    let (context, session, seat) = (screen.context, screen.session, screen.seat)
    context.push(CommentsScreen(context, session, seat: seat, level, of: entry, about: about))
  }

  /// Why no concern is raised on a practice sheet.
  static let noConcern = "practice: a concern is raised about a candidate"

  static func askConcern(_ context: AppContext, _ session: StationSession, _ entry: RosterEntry) {
    if entry.isPractice { return context.showMessage(SafeText(noConcern), .warning) }
    let about = SafeText(context.title(of: entry.candidate))
    let topic = entry.topic("concern")
    let again = context.key(of: EntryKeys<SheetScreen>.concern)
    func raise(_ text: String) {
      context.save({
        try Comments.add(
          text, to: .candidate(entry.key), shown: entry, isConcern: true, timetable: session, in: $0)
      }) { result in
        guard case .success = result else { return }
        let (comment, undo) = (context.key(of: SheetScreen.Keys.comment), context.key(of: SheetScreen.Keys.undo))
        context.setUndoHint(
          "\(comment) lists the concern, and \(context.key(of: CommentsScreen.Keys.withdraw)) there withdraws it")
        context.showMessage("concern raised about \(about); \(comment) lists it; \(undo) undoes marks only", .warning)
        context.screen?.reload()
      }
    }
    let leaving = Prompt.Leaving(
      keep: { context.unsaved.keep([$0], as: topic, named: UnsavedWork.name(ofLine: $0)) },
      ask: { text in
        context.showMessage("NOT RAISED: the words are kept; \(again) opens them again", .warning)
        context.ask(
          "Raise this concern?", "\(about)\n\"\(SafeText(text).truncated(to: 120).plain)\"",
          [
            (.enter, "raise it", { context.saves.keeping(text, as: topic) { raise(text) } }),
            (
              "x", "throw the words away",
              {
                context.unsaved.keep(nil, as: topic)
                context.showMessage("no concern raised: the words are thrown away", .warning)
              }
            ),
          ])
      })
    // The words at once: a kind to be chosen first would be chosen by the first letter of the words.
    context.prompt(
      "Concern:", keptAs: topic,
      note: { text in
        "A concern about " + about + ", in your words. Only the exam lead reads it. Enter raises it"
          + (text.isEmpty ? "; Esc leaves." : "; Esc asks.")
      }, leaving: leaving
    ) { text in
      guard text.hasWords else {
        context.unsaved.keep(nil, as: topic)
        return context.showMessage("no concern raised: nothing was written", .muted)
      }
      raise(text)
    }
  }

  static func showInstructions(_ context: AppContext, _ session: StationSession) {
    do {
      let text = try context.store.read { try StationInstructions.text(station: session.station, in: $0) }
      context.overlay = .reader(
        Reader(title: SafeText("\(session.stationTitle) (Esc closes)"), text: text))
    } catch { context.showError(error) }
  }

  /// Shows in full all that the invigilator tells this station.
  static func showTold(_ context: AppContext) {
    let told = context.clock.messages
    if told.isEmpty { return context.showMessage("the invigilator tells this station nothing now", .muted) }
    let lines = told.reversed().map { message in
      let time = message.sentAt.map { LocalTime.reading(of: $0).minute + " " } ?? ""
      return time + (message.sender.map { $0 + ": " } ?? "") + message.text
    }
    context.overlay = .reader(Reader(title: "Messages (Esc closes)", text: lines.joined(separator: "\n\n")))
  }
}

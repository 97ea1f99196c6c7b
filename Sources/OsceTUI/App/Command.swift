import CircuitModel

/// Everything that a key, or a line of the palette, can ask of a screen.
enum Command: Equatable, Sendable {
  // Everywhere.
  case move, find, open, back, quit, help, palette, repaint, undo, redo, escape, explainQuit
  // Choosing.
  case signIn, showAll
  // On a roster and a sheet.
  case attendance, candidateComment, stationComment, circuitComment, concern, missing, helpCall, instructions
  case hallMessages
  // Marking.
  case level, unable, clear, readLeft, readRight, feedback, goToItem, typeValue, previousSection, nextSection, fold
  case duplicateSection, nextRound, previousRound, blanksToNotDone, sign, nextForm, tags, markEarly
  /// A level by what it is worth.
  case mark(MarkKey)
  // The flow of a station session.
  case wrongCandidate, takeOver, history, strip, stripShown, jot, privacy, numberPad, padUnable, padBack, padNext
  case personComment, signOut, lock, paper, digits, visibility
  /// At the invigilator's desk.
  case desk(DeskCommand)
}

import Terminal

/// A key that texts of the screens name: they say the one that is bound here.
struct NamedKey {
  /// Its binding.
  let id: BindingID
  /// The key that it has where the configuration says nothing.
  let key: Key

  static let allStations = NamedKey(id: "sessions.all", key: .tab)
  static let attendance = NamedKey(id: "sheet.attendance", key: "a")
  static let back = NamedKey(id: "back", key: "q")
  static let clear = NamedKey(id: "sheet.clear", key: "x")
  static let comment = NamedKey(id: "comment.candidate", key: "c")
  static let concern = NamedKey(id: "comments.concern", key: "f")
  static let copySection = NamedKey(id: "sheet.duplicate", key: "d")
  static let early = NamedKey(id: "sheet.early", key: "E")
  static let feedback = NamedKey(id: "sheet.feedback", key: "e")
  static let half = NamedKey(id: "sheet.half", key: "h")
  static let fold = NamedKey(id: "sheet.fold", key: .space)
  static let leadDesk = NamedKey(id: "sessions.lead", key: "D")
  static let missing = NamedKey(id: "station.missing", key: "m")
  static let newComment = NamedKey(id: "comments.new", key: "n")
  static let newRemark = NamedKey(id: "remarks.new", key: "n")
  static let no = NamedKey(id: "sheet.no", key: "n")
  static let nextForm = NamedKey(id: "sheet.nextForm", key: .tab)
  static let nextRound = NamedKey(id: "sheet.nextRound", key: ">")
  static let numberPad = NamedKey(id: "sheet.pad", key: "N")
  static let previousRound = NamedKey(id: "sheet.previousRound", key: "<")
  static let paper = NamedKey(id: "station.paper", key: "P")
  static let privacy = NamedKey(id: "sheet.privacy", key: "\\")
  static let redo = NamedKey(id: "sheet.redo", key: "Z")
  static let redoEvent = NamedKey(id: "desk.redo", key: "Z")
  static let rosterAttendance = NamedKey(id: "roster.attendance", key: "a")
  static let session = NamedKey(id: "desk.session", key: "o")
  static let sign = NamedKey(id: "sheet.sign", key: "s")
  static let signAnyway = NamedKey(id: "sheet.signAnyway", key: "S")
  static let strip = NamedKey(id: "sheet.strip", key: "r")
  static let stripShown = NamedKey(id: "sheet.stripShown", key: "R")
  static let ten = NamedKey(id: "sheet.ten", key: "t")
  static let takeOver = NamedKey(id: "sheet.takeOver", key: "O")
  static let undo = NamedKey(id: "sheet.undo", key: "z")
  static let undoEvent = NamedKey(id: "desk.undo", key: "z")
  static let value = NamedKey(id: "sheet.number", key: "=")
  static let whichTime = NamedKey(id: "desk.time", key: "T")
  static let wrongCandidate = NamedKey(id: "station.wrongCandidate", key: "M")
  static let yes = NamedKey(id: "sheet.yes", key: "y")

  /// Every one of them.
  static let all = [
    allStations, attendance, back, clear, comment, concern, copySection, early, feedback, fold, half, leadDesk,
    missing, newComment, newRemark, nextForm, no, nextRound, numberPad, paper, previousRound, privacy, redo, redoEvent,
    rosterAttendance, session, sign, signAnyway,
    strip, stripShown, takeOver, ten, undo, undoEvent, value, whichTime, wrongCandidate, yes,
  ]
}

extension AppContext {
  /// What a key is called that a text names, as it is bound here; the palette's where it is bound to none.
  func key(_ named: NamedKey) -> SafeText {
    ((configuration.keys[named.id] ?? [named.key]).first ?? ":").label(theme.glyphs)
  }
}

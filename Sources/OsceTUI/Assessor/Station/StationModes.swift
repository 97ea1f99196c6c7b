import CircuitModel

/// What holds from sheet to sheet while somebody sits at a station.
struct StationModes {
  /// Whether one hand does all on the number pad.
  var isNumberPad = false
  /// Whether a sheet shows its last marks in a row.
  var showsStrip = false
  /// Whose marks are typed in from paper; nil: marks are given here.
  var paper: Paper?

  /// Who judged on paper.
  struct Paper {
    let entry: PaperEntry
    let name: String

    /// What a heading says of it.
    var note: String { "PAPER \(name.surname)" }
  }
}

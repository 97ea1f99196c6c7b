import CircuitModel

/// A screen of a station session.
@MainActor
protocol StationScreen: AppScreen {
  var session: StationSession { get }
  var seat: Seat { get }
}

/// A screen of a station session on which a candidate can be in focus: roster and sheet.
@MainActor
protocol EntryScreen: StationScreen {
  /// The roster entry in focus.
  var entry: RosterEntry? { get }
  /// Why nothing is done with a candidate where none is in focus.
  nonisolated static var noEntry: String { get }
}

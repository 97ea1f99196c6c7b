import Timer

/// What of a hall is still to be done by now.
extension HallView {
  /// The roster entries of a station whose rotation is over, where it marks, of candidates who are neither absent nor
  /// excused; what is owed by the re-run alone is not among them.
  public func due(
    at station: StationSession, excusing isExcused: (RosterEntry, StationSession) -> Bool
  ) -> [RosterEntry] {
    // Of a session that was cut or stopped the rounds that were not held are the re-run's.
    let last = min(moment.lastOver(of: board.rounds), heldRounds)
    guard last > 0, !station.isRest else { return [] }
    return (1...last).flatMap { board.entries(station: station.timetable, round: $0) }
      .filter {
        $0.candidate != nil && $0.isPresent != false && !isOwedByRerun($0) && !isExcused($0, station)
      }
  }

  /// How many sheets of those entries are due, one of each who marks there, and how many of them are not signed.
  public func dueSheets(
    excusing isExcused: (RosterEntry, StationSession) -> Bool
  ) -> (due: Int, unsigned: Int) {
    var (due, unsigned) = (0, 0)
    for station in board.stations {
      for entry in self.due(at: station, excusing: isExcused) {
        due += StationSession.seats(of: station).count - ruledOutSheets(of: entry)
        unsigned += (entry.isSigned || isRuledOut(entry) ? 0 : 1) + unsignedSecondAssessors(of: entry).count
      }
    }
    return (due, unsigned)
  }

  /// Who has time beyond everybody's and is still in the room after the bell.
  public func stopping(_ fold: Fold?, at now: Instant) -> [StoppingCandidate] {
    guard case .session(let shown) = self.now, let fold else { return [] }
    return board.stations.filter { !$0.isRest }.flatMap { station in
      [shown, shown - 1].filter { $0 > 0 }.flatMap { round in
        board.entries(station: station.timetable, round: round).compactMap { entry in
          guard entry.isPresent != false, let candidate = entry.candidate else { return nil }
          return fold.leftAfterBell(round: round, extraSeconds: candidate.extraStationSeconds, at: now)
            .map { StoppingCandidate(station: station, candidate: candidate, isShown: round == shown, leftMs: $0) }
        }
      }
    }
  }
}

/// Somebody with time beyond everybody's who is still in the room after the bell.
public struct StoppingCandidate: Sendable {
  /// Where the candidate is.
  public let station: StationSession
  /// Who it is.
  public let candidate: Candidate
  /// Whether the hall still shows the round of that bell.
  public let isShown: Bool
  /// The milliseconds that are left.
  public let leftMs: Int64
}

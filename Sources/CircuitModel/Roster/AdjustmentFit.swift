import ExamStore
import Timer

/// Whether a candidate's extra time at a station delays anybody.
public enum AdjustmentFit: Equatable, Sendable {
  /// The candidate has no extra time at a station.
  case none
  /// It delays nobody.
  case absorbed(by: Absorber, seconds: Int)
  /// Somebody begins that many seconds late.
  case late(seconds: Int)

  /// What takes extra time up.
  public enum Absorber: Equatable, Sendable {
    /// The phases between the rotations, of these kinds, with so many seconds.
    case gap([PhaseType], seconds: Int)
    /// No round follows.
    case lastRound
    /// The candidate goes to a rest station next, by its code.
    case restStation(String)
    /// The candidate goes nowhere next.
    case emptySlot
  }

  /// Works out what becomes of a candidate's extra seconds at a station.
  ///
  /// The phases between the rotations (changeovers, breaks) take what they can. What is longer than those delays two
  /// people: the candidate at the next station, and the candidate who comes to this one next. It is absorbed only where
  /// both have nothing to lose: the candidate goes to a rest station or nowhere, and nobody comes here in the next
  /// round.
  public static func of(
    _ candidate: Candidate, at timetable: Int, round: Int, board: HallBoard, phases: PhaseList
  ) -> AdjustmentFit {
    let isLast = round >= max(board.rounds, phases.rotations)
    let follows = board.entries(station: timetable, round: round + 1).contains {
      $0.isPresent != false && $0.candidate.map { $0.id != candidate.id } ?? false
    }
    let next = board.places(of: candidate.id, from: round + 1).first { $0.round == round + 1 }
    return of(
      candidate, after: round, isLast: isLast, isFollowed: follows,
      next: next.flatMap { place in board.stations.first { $0.timetable == place.timetable } }, phases: phases)
  }

  /// How it fits in any round, of the session or of a re-run.
  /// - Parameters:
  ///   - isLast: whether no round follows.
  ///   - isFollowed: whether somebody else comes to the station in the next round.
  ///   - next: where the candidate comes in the next round; nil for nowhere.
  static func of(
    _ candidate: Candidate, after round: Int, isLast: Bool, isFollowed: Bool, next: StationSession?, phases: PhaseList
  ) -> AdjustmentFit {
    let seconds = candidate.extraStationSeconds
    guard seconds > 0 else { return .none }
    let gap = Gap(after: round, in: phases)
    if gap.seconds >= seconds { return .absorbed(by: .gap(gap.kinds, seconds: gap.seconds), seconds: seconds) }
    if isLast { return .absorbed(by: .lastRound, seconds: seconds) }
    guard !isFollowed, next?.isRest != false, seconds <= gap.seconds + gap.nextRoundSeconds else {
      return .late(seconds: seconds - gap.seconds)
    }
    return .absorbed(by: next.map { Absorber.restStation($0.stationCode) } ?? .emptySlot, seconds: seconds)
  }

  /// What lies between a rotation and the next round.
  private struct Gap {
    /// The seconds in which nobody is examined.
    var seconds = 0
    /// The seconds of reading and rotation of the next round.
    var nextRoundSeconds = 0
    /// Their kinds, each once.
    var kinds: [PhaseType] = []

    init(after round: Int, in phases: PhaseList) {
      guard let rotation = (1...max(1, phases.count)).first(where: { isRotation($0, round, phases) }) else { return }
      for number in stride(from: rotation + 1, through: phases.count, by: 1) {
        guard let phase = phases.phase(number) else { return }
        let length = Int(max(0, phase.plannedMs) / 1000)
        switch phase.type {
        case .reading: nextRoundSeconds += length
        case .rotation:
          nextRoundSeconds += length
          return
        // The feedback is given in the room, to the candidate who is still there.
        case .feedback: break
        default:
          if nextRoundSeconds > 0 { return }
          seconds += length
          if !kinds.contains(phase.type) { kinds.append(phase.type) }
        }
      }
    }

    private func isRotation(_ number: Int, _ round: Int, _ phases: PhaseList) -> Bool {
      phases.phase(number)?.type == .rotation && phases.round(ofPhase: number) == round
    }
  }
}

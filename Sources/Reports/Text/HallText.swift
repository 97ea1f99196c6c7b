import CircuitModel
import ExamStore
import Timer

extension JoiningRefusal: CustomStringConvertible {
  /// One line, without a full stop.
  public var description: String {
    switch self {
    case .lastRoundOver: "the last round is over: what was missed is queued for the re-run"
    case .roundsOver: "the session's rounds are over: what was missed is queued for the re-run"
    case .rerunOn: "a re-run is on: it goes by its queue, and the session's own rounds are over"
    case .past(let round): "the clock has gone past round \(round) meanwhile: nothing was recorded; look again"
    }
  }
}

extension MessageRefusal: CustomStringConvertible {
  /// One line, without a full stop.
  public var description: String {
    switch self {
    case .empty: "a message needs a text"
    case .tooLong(let most, let count): "a message has at most \(most) characters; this has \(count)"
    case .unknownStation(let station, let circuit):
      "there is no station \(station)\(circuit.map { " in circuit \($0)" } ?? "")"
    case .unknown(let key): "there is no message \(key)"
    }
  }
}

extension ClearanceRefusal: CustomStringConvertible {
  /// One line, without a full stop.
  public var description: String {
    switch self {
    case .released(let station, let name, let instant):
      "\(station) was released by \(name ?? "somebody") at \(LocalTime.reading(of: instant).time)"
    case .notReleased(let station): "\(station) is not released"
    }
  }
}

extension IncidentRefusal: CustomStringConvertible {
  /// One line, without a full stop.
  public var description: String {
    switch self {
    case .secondsLost(let seconds, let most): "the time lost is 0 to \(most) seconds; got \(seconds)"
    case .future(let instant):
      "\(LocalTime.reading(of: instant).time) is in the future; enter when it happened"
    case .unknown(let key): "there is no incident \(key)"
    case .withdrawn: "this incident was withdrawn"
    }
  }
}

extension HelpCallRefusal: CustomStringConvertible {
  /// One line, without a full stop.
  public var description: String {
    switch self {
    case .gone: "this help call is no longer there"
    case .taken(let station, let name, let instant):
      "\(name ?? "somebody") took the call from \(station)\(since(instant))"
    case .resolved(let station, let name, let instant):
      "the call from \(station) was resolved\(since(instant)); \(name ?? "somebody") answered it"
    }
  }

  private func since(_ instant: Instant?) -> String {
    instant.map { " at \(LocalTime.reading(of: $0).time)" } ?? ""
  }
}

extension HelpCall {
  /// The text with what stands before and after it; nothing for a call without one.
  public func text(between before: String, _ after: String) -> String { text.isEmpty ? "" : before + text + after }
}

extension Incident.Kind {
  /// As people read it.
  public var name: String {
    switch self {
    case .simulatedPatient: "simulated patient changed"
    case .equipment: "kit failed"
    case .interruption: "interruption"
    case .other: "other"
    }
  }
}

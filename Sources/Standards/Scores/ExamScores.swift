/// Everything from which an exam's results follow.
public struct ExamScores: Equatable, Sendable {
  /// What a score is measured in.
  public enum Unit: String, Sendable {
    /// Percent of what could be had.
    case percent
    /// As it was given, on a scale that nobody said.
    case points
  }

  /// What a score is measured in.
  public var unit: Unit
  /// In the order in which they are shown.
  public var stations: [StationPlan]
  /// The candidates.
  public var candidates: [CandidateScores]

  /// Makes one from its parts.
  public init(unit: Unit = .percent, stations: [StationPlan], candidates: [CandidateScores]) {
    (self.unit, self.stations, self.candidates) = (unit, stations, candidates)
  }
}

/// A station as the exam plans it.
public struct StationPlan: Equatable, Sendable {
  /// The code by which people know it.
  public let code: String
  /// The station's name.
  public var name: String?
  /// Whether all its sheets are tried out only.
  public var isPilot = false
  /// Whether all its sessions were cancelled: nobody could be examined there, and it counts for nobody.
  public var isWithdrawn = false
  /// As its sheets say; nil: 1.
  public var weight: Double?
  /// The grade of a borderline candidate, as its sheets say.
  public var borderline: Double?
  /// How far two assessors may differ, in points of percent.
  public var margin = Agreement.usualMargin
  /// What two assessors gave for the same items; nil where nobody is marked twice.
  public var items: Agreement.Material?
  /// What is to be known of its sheets.
  public var notes: [Note] = []

  /// Makes one from its parts.
  public init(code: String, name: String? = nil) { (self.code, self.name) = (code, name) }
}

/// A candidate with the stations that the plan has for them.
public struct CandidateScores: Equatable, Sendable {
  /// The candidate's number.
  public let number: String
  /// The first circuit.
  public let circuit: String?
  /// The first session, as date and start.
  public let session: String?
  /// The stations of the plan.
  public var places: [PlaceScore]

  /// Makes one from its parts.
  public init(number: String, circuit: String?, session: String?, places: [PlaceScore]) {
    (self.number, self.circuit, self.session, self.places) = (number, circuit, session, places)
  }
}

/// A candidate at a station.
public struct PlaceScore: Equatable, Sendable {
  /// The station's code.
  public let station: String
  /// The circuit.
  public let circuit: String?
  /// The session, as date and start.
  public let session: String?
  /// What each assessor gave, in the order of seats; an assessor of whom nothing is held has a reason.
  public var seats: [SeatScore]
  /// Whether the candidate was added there on the day, beside the plan.
  public var isAdded = false
  /// Why there is no score whatever the seats hold: absent, or excused.
  public var reason: Reason?
  /// The station's critical items that are failed, or are nothing yet.
  public var critical: [CriticalFinding] = []
  /// What is to be known of it.
  public var notes: [Note] = []
  /// Which score stands, where the lead has ruled.
  public var ruling: Ruled?

  /// Which of several assessors' scores stands by a ruling.
  public enum Ruled: Equatable, Sendable {
    /// That of a seat, by its name.
    case seat(String)
    /// The mean of all.
    case mean
    /// One that was typed.
    case typed(score: Double, grade: Double?)
  }

  /// Makes one from its parts.
  public init(station: String, circuit: String?, session: String?, seats: [SeatScore], reason: Reason? = nil) {
    (self.station, self.circuit, self.session, self.seats, self.reason) = (station, circuit, session, seats, reason)
  }
}

/// A critical item that is not simply passed.
public struct CriticalFinding: Equatable, Sendable {
  /// What is the matter.
  public enum State: String, Sendable {
    case failed
    case blank
    /// The assessors disagree about it.
    case disputed
    /// It could not be assessed: no failure.
    case unable
  }

  /// The item by key.
  public let item: String
  /// The item's words.
  public let text: String
  /// What was given.
  public let value: Double?
  /// What is the matter.
  public let state: State
  /// What each assessor says of it, in the order of seats, where they disagree; nil: it is passed.
  public var bySeat: [State?] = []
  /// Whether the lead has accepted it as no failure: it was open, if by another rule for two assessors.
  public var isWaived = false

  /// Makes one from its parts.
  public init(item: String, text: String, value: Double?, state: State) {
    (self.item, self.text, self.value, self.state) = (item, text, value, state)
  }
}

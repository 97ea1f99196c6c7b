/// The choices by which marks become results: what schools decide differently. Each is printed with the result.
public struct Policy: Equatable, Sendable {
  /// How a station's cut is found.
  public enum Method: String, CaseIterable, Sendable {
    case borderlineRegression, borderlineGroup, borderlineGroupMedian, contrastingGroups, fixed
  }

  /// Which sheets count.
  public enum Sheets: String, CaseIterable, Sendable { case signed, held }

  /// What an item is worth that was left blank.
  public enum Blanks: String, CaseIterable, Sendable { case zero, leftOut, incomplete }

  /// What two assessors' scores of one candidate become.
  public enum DoubleMarks: String, CaseIterable, Sendable { case mean, first, adjudicated }

  /// What becomes of a candidate without a score at a station.
  public enum Missing: String, CaseIterable, Sendable { case incomplete, prorate, zero }

  /// Which standard error is added to the exam's cut.
  public enum ErrorSource: String, CaseIterable, Sendable { case alpha, rmse }

  /// How many stations have to be passed.
  public enum MinimumStations: Equatable, Sendable {
    case none
    case number(Int)
    /// Percent of the stations that are due.
    case percent(Double)
    /// As a regression of the number passed on the mean predicts it at the exam's cut (Homer 2023).
    case predicted
  }

  /// What a failed critical item does.
  public struct Critical: Equatable, Sendable {
    /// Its reach.
    public enum Effect: String, CaseIterable, Sendable { case exam, station, note }
    /// How far it reaches.
    public var effect = Effect.exam
    /// How many may be failed before the exam is.
    public var allowed = 0
    /// What is used where nobody decided.
    public init() {}
  }

  /// How figures are rounded before they are compared; never what is made from them.
  public struct Rounding: Equatable, Sendable {
    /// Which way.
    public enum Mode: String, CaseIterable, Sendable { case none, nearest, up, down }
    /// Which way.
    public var mode = Mode.none
    /// Decimals that are kept, 0 to 6.
    public var decimals = 1
    /// What is used where nobody decided.
    public init() {}
  }

  /// From where on a figure gets a note. None decides anything.
  public struct Flags: Equatable, Sendable {
    /// R² below this.
    public var r2 = 0.5
    /// A variance component above this, in percent.
    public var between = 30.0
    /// Alpha below this.
    public var alpha = 0.7
    /// Fewer pairs than this.
    public var pairs = 30
    /// What is used where nobody decided.
    public init() {}
  }

  /// What is decided for one station.
  public struct Station: Equatable, Sendable {
    /// Whether the station is tried out; nil: as its sheets say.
    public var pilot: Bool?
    /// The station's weight.
    public var weight: Double?
    /// The grade of a borderline candidate.
    public var borderline: Double?
    /// The station's own cut in percent, in place of the method.
    public var cut: Double?
    /// Items that are tried out and do not count, by key.
    public var pilotItems: [String] = []
    /// What is used where nobody decided.
    public init() {}
  }

  /// What is left out of the results, and why. What is named must all fit.
  public struct Exclusion: Equatable, Sendable {
    /// The station by code.
    public var station: String?
    /// The item by key.
    public var item: String?
    /// The circuit by name.
    public var circuit: String?
    /// Date and start, as in `2026-12-01 08:30`.
    public var session: String?
    /// The candidate's number.
    public var candidate: String?
    /// Why it is left out.
    public var reason: String

    /// - Parameters: see the properties.
    public init(
      station: String? = nil, item: String? = nil, circuit: String? = nil, session: String? = nil,
      candidate: String? = nil, reason: String
    ) {
      (self.station, self.item, self.circuit, self.session) = (station, item, circuit, session)
      (self.candidate, self.reason) = (candidate, reason)
    }

    /// Whether it leaves a station out for everybody.
    var isOfStation: Bool {
      station != nil && item == nil && circuit == nil && session == nil && candidate == nil
    }

    /// Whether those whom it names have nothing due at the station, which counts for all others.
    public var isExcuse: Bool { station != nil && item == nil && !isOfStation }

    /// Whether it leaves a candidate out of everything.
    var isOfCandidate: Bool { candidate != nil && station == nil }

    /// Whether those at a place are excused there.
    func excuses(at place: Place) -> Bool { isExcuse && covers(place) }

    /// Whether it leaves an item of a sheet out.
    func leavesOut(_ item: String, at place: Place) -> Bool { self.item == item && covers(place) }

    private func covers(_ place: Place) -> Bool {
      station == place.station && (circuit ?? place.circuit) == place.circuit
        && (session ?? place.session) == place.session && (candidate ?? place.candidate) == place.candidate
    }
  }

  /// What a candidate's page of feedback shows.
  public struct Feedback: Equatable, Sendable {
    /// Of which parts own scores are shown.
    public enum Scores: String, CaseIterable, Sendable { case none, sections, stations }
    /// Of which parts own scores are shown.
    public var scores = Scores.none
    /// Whether the cohort's median and quartiles are shown.
    public var cohort = false
    /// The fewest candidates of whom a group figure is shown.
    public var minimumGroup = 10
    /// What is used where nobody decided.
    public init() {}
  }

  /// The grade of a borderline candidate where nobody decided.
  public static let usualBorderline = 2.0

  /// How a station's cut is found.
  public var method = Method.borderlineRegression
  /// The grade of a borderline candidate where neither station nor sheet says; nil: the usual one.
  public var borderline: Double?
  /// Half the width of the borderline group, in grades.
  public var borderlineBand = 0.0
  /// Which sheets count.
  public var sheets = Sheets.signed
  /// What a blank item is worth.
  public var blanks = Blanks.zero
  /// What two assessors' scores become.
  public var doubleMarks = DoubleMarks.mean
  /// What a station without a score does.
  public var missing = Missing.incomplete
  /// Which standard error goes on top of the cut.
  public var sem = ErrorSource.alpha
  /// How many standard errors are added to the exam's cut, 0 to 5.
  public var k = 1.0
  /// How many stations have to be passed.
  public var minimumStations = MinimumStations.none
  /// What a failed critical item does.
  public var critical = Critical()
  /// How figures are compared.
  public var rounding = Rounding()
  /// From where on a figure gets a note.
  public var flags = Flags()
  /// By the station's code.
  public var stations: [String: Station] = [:]
  /// What is left out.
  public var exclude: [Exclusion] = []
  /// What a candidate's page shows.
  public var feedback = Feedback()
  /// The grade of a borderline candidate that a ruling or an option gave: it outranks what a station or a sheet says.
  public var borderlineForAll: Double?

  /// What is used where nobody decided.
  public init() {}

  /// Whether anything is due of a candidate at a place: the candidate is not left out of everything, and not excused
  /// there.
  public func isDue(at place: Place) -> Bool {
    !exclude.contains { $0.isOfCandidate && $0.candidate == place.candidate } && !excuses(at: place)
  }

  /// Whether a candidate is excused at a place: nothing is due there.
  public func excuses(at place: Place) -> Bool { exclude.contains { $0.excuses(at: place) } }

  /// Whether an item of a sheet is tried out only, or left out there.
  public func leavesOut(_ item: String, at place: Place) -> Bool {
    stations[place.station]?.pilotItems.contains(item) == true
      || exclude.contains { $0.leavesOut(item, at: place) }
  }
}

extension Policy.MinimumStations {
  /// Reads `none`, `predicted`, a number or a percentage such as `60%`; nil if it is none of them.
  public init?(_ text: String) {
    switch text {
    case "none": self = .none
    case "predicted": self = .predicted
    default:
      if text.hasSuffix("%") {
        guard let percent = Double(text.dropLast()), percent >= 0, percent <= 100 else { return nil }
        self = .percent(percent)
      } else {
        guard let number = Int(text), number >= 0 else { return nil }
        self = .number(number)
      }
    }
  }

  /// As it is written.
  public var text: String {
    switch self {
    case .none: "none"
    case .number(let number): String(number)
    case .percent(let percent): (Int(exactly: percent).map(String.init) ?? String(percent)) + "%"
    case .predicted: "predicted"
    }
  }
}

extension Policy.Rounding {
  /// A figure as it is compared.
  func callAsFunction(_ value: Double) -> Double {
    var unit = 1.0
    for _ in 0..<decimals { unit *= 10 }
    return switch mode {
    case .none: value
    case .nearest: (value * unit + 0.5 + Moments.tolerance).rounded(.down) / unit
    case .up: (value * unit - Moments.tolerance).rounded(.up) / unit
    case .down: (value * unit + Moments.tolerance).rounded(.down) / unit
    }
  }

  /// Whether a figure is at or above a cut, both as they are compared.
  func reaches(_ value: Double, _ cut: Double) -> Bool { self(value) >= self(cut) - Moments.tolerance }
}

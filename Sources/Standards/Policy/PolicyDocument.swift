/// A policy as it is written: only what somebody decided. `results:` in exam.yaml, the store's settings, and the options
/// of a command have this one shape.
public struct PolicyDocument: Equatable, Sendable, Codable {
  /// As `Policy.Critical`.
  public struct Critical: Equatable, Sendable, Codable {
    /// How far a failure reaches.
    public var effect: String?
    /// How many may be failed.
    public var allowed: Int?
    /// Nothing decided.
    public init() {}
  }

  /// As `Policy.Rounding`.
  public struct Rounding: Equatable, Sendable, Codable {
    /// Which way.
    public var mode: String?
    /// Decimals that are kept.
    public var decimals: Int?
    /// Nothing decided.
    public init() {}
  }

  /// As `Policy.Flags`.
  public struct Flags: Equatable, Sendable, Codable {
    /// R² below this.
    public var r2: Double?
    /// A variance component above this, in percent.
    public var between: Double?
    /// Alpha below this.
    public var alpha: Double?
    /// Fewer pairs than this.
    public var pairs: Int?
    /// Nothing decided.
    public init() {}
  }

  /// As `Policy.Station`.
  public struct Station: Equatable, Sendable, Codable {
    /// Whether it is tried out.
    public var pilot: Bool?
    /// Its weight.
    public var weight: Double?
    /// The grade of a borderline candidate.
    public var borderline: Double?
    /// Its own cut, in percent.
    public var cut: Double?
    /// Items that are tried out, by key.
    public var pilotItems: [String]?
    /// Nothing decided.
    public init() {}
  }

  /// As `Policy.Exclusion`.
  public struct Exclusion: Equatable, Sendable, Codable {
    /// The station by code.
    public var station: String?
    /// The item by key.
    public var item: String?
    /// The circuit by code or name.
    public var circuit: String?
    /// Date and start.
    public var session: String?
    /// The candidate by number.
    public var candidate: String?
    /// Why.
    public var reason: String
    /// - Parameter reason: why.
    public init(reason: String) { self.reason = reason }
  }

  /// As `Policy.Feedback`.
  public struct Feedback: Equatable, Sendable, Codable {
    /// Of which parts own scores are shown.
    public var scores: String?
    /// Whether the cohort's figures are shown.
    public var cohort: Bool?
    /// The fewest candidates of whom a group figure is shown.
    public var minimumGroup: Int?
    /// Nothing decided.
    public init() {}
  }

  /// As `Policy.method`.
  public var method: String?
  /// As `Policy.borderline`.
  public var borderline: Double?
  /// As `Policy.borderlineBand`.
  public var borderlineBand: Double?
  /// As `Policy.sheets`.
  public var sheets: String?
  /// As `Policy.blanks`.
  public var blanks: String?
  /// As `Policy.doubleMarks`.
  public var doubleMarks: String?
  /// As `Policy.missing`.
  public var missing: String?
  /// As `Policy.sem`.
  public var sem: String?
  /// As `Policy.k`.
  public var k: Double?
  /// As `Policy.minimumStations`, in words.
  public var minimumStations: String?
  /// As `Policy.critical`.
  public var critical: Critical?
  /// As `Policy.rounding`.
  public var rounding: Rounding?
  /// As `Policy.flags`.
  public var flags: Flags?
  /// As `Policy.stations`.
  public var stations: [String: Station]?
  /// As `Policy.exclude`.
  public var exclude: [Exclusion]?
  /// As `Policy.feedback`.
  public var feedback: Feedback?

  /// Nothing decided.
  public init() {}
}

extension Policy {
  /// Applies what somebody decided. A word that this version does not know changes nothing.
  public mutating func apply(_ document: PolicyDocument) {
    func take<Word: RawRepresentable<String>>(_ word: String?, _ value: inout Word) {
      if let known = word.flatMap(Word.init(rawValue:)) { value = known }
    }
    take(document.method, &method)
    take(document.sheets, &sheets)
    take(document.blanks, &blanks)
    take(document.doubleMarks, &doubleMarks)
    take(document.missing, &missing)
    take(document.sem, &sem)
    borderline = document.borderline ?? borderline
    borderlineBand = document.borderlineBand ?? borderlineBand
    k = document.k ?? k
    minimumStations = document.minimumStations.flatMap(MinimumStations.init) ?? minimumStations
    take(document.critical?.effect, &critical.effect)
    critical.allowed = document.critical?.allowed ?? critical.allowed
    take(document.rounding?.mode, &rounding.mode)
    rounding.decimals = document.rounding?.decimals ?? rounding.decimals
    flags.r2 = document.flags?.r2 ?? flags.r2
    flags.between = document.flags?.between ?? flags.between
    flags.alpha = document.flags?.alpha ?? flags.alpha
    flags.pairs = document.flags?.pairs ?? flags.pairs
    take(document.feedback?.scores, &feedback.scores)
    feedback.cohort = document.feedback?.cohort ?? feedback.cohort
    feedback.minimumGroup = document.feedback?.minimumGroup ?? feedback.minimumGroup
    for (code, chosen) in document.stations ?? [:] {
      var station = stations[code] ?? Station()
      station.pilot = chosen.pilot ?? station.pilot
      station.weight = chosen.weight ?? station.weight
      station.borderline = chosen.borderline ?? station.borderline
      station.cut = chosen.cut ?? station.cut
      station.pilotItems = chosen.pilotItems ?? station.pilotItems
      stations[code] = station
    }
    exclude += (document.exclude ?? []).map(Exclusion.init)
  }
}

extension Policy.Exclusion {
  /// What a document says.
  public init(_ document: PolicyDocument.Exclusion) {
    self.init(
      station: document.station, item: document.item, circuit: document.circuit, session: document.session,
      candidate: document.candidate, reason: document.reason)
  }
}

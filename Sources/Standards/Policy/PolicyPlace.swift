extension Policy {
  /// Where a candidate is marked: what exclusions name.
  public struct Place: Hashable, Sendable {
    /// The station by code.
    public let station: String
    /// The circuit by name.
    public let circuit: String
    /// Date and start, as in `2026-12-01 08:30`.
    public let session: String
    /// The candidate's number.
    public let candidate: String

    /// A candidate at a station session.
    public init(station: String, circuit: String, session: String, candidate: String) {
      (self.station, self.circuit, self.session, self.candidate) = (station, circuit, session, candidate)
    }

    /// The same candidate at another station of the session.
    public func at(_ station: String) -> Place {
      Place(station: station, circuit: circuit, session: session, candidate: candidate)
    }

    /// Where a candidate has a score.
    public init(_ score: PlaceScore, of candidate: String) {
      self.init(
        station: score.station, circuit: score.circuit ?? "", session: score.session ?? "", candidate: candidate)
    }
  }
}

import Journal

extension StationSession {
  /// The seats that are to be filled at a station: the lead's, whether or not somebody is planned, and each
  /// second assessor's.
  package static func seats(of place: StationSession) -> [Seat] {
    [.lead] + place.assessors.filter { $0.role == .secondAssessor }.map(\.seat)
  }

  /// What people call a seat here: the name that the exam gave it, or where that is a key alone its number, as in
  /// `seat 2`; the lead's is 1.
  public func name(of seat: Seat) -> String {
    if UUIDBytes(seat.name) == nil { return seat.name }
    return StationSession.seats(of: self).firstIndex(of: seat).map { "seat \($0 + 1)" } ?? "a seat that was removed"
  }
}

import CircuitModel

extension ImportRefusal: CustomStringConvertible {
  /// One line, without a full stop.
  public var description: String {
    switch self {
    case .openStation(let circuit, let session, let station):
      "the clock of \(circuit), session \(session), is open, and station \(station) of it would be moved, cancelled or "
        + "deleted; nothing was imported: stop that clock first, or leave that out"
    }
  }
}

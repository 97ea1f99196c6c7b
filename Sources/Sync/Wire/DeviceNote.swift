/// What a device says of itself with each request: the header `Osce-Waiting`.
public struct DeviceNote: Hashable, Sendable {
  /// How many operations wait for the hub.
  public var waiting: Int64
  /// How far its clock is from the hub's, and the bound of that, in milliseconds; nil where it does not know.
  public var clock: Clock?

  /// A clock as it is estimated.
  public struct Clock: Hashable, Sendable {
    /// Milliseconds to add to the device's clock to get the hub's.
    public var offset: Int64
    /// How wrong that may be, in milliseconds.
    public var bound: Int64

    /// An estimate.
    public init(offset: Int64, bound: Int64) {
      self.offset = offset
      self.bound = bound
    }
  }

  /// A note.
  public init(waiting: Int64, clock: Clock? = nil) {
    self.waiting = waiting
    self.clock = clock
  }

  /// The header's value, such as `12;offset=-3;bound=9`.
  public var text: String {
    clock.map { "\(waiting);offset=\($0.offset);bound=\($0.bound)" } ?? String(waiting)
  }

  /// Reads the header's value; nil for a text that is none.
  public init?(_ text: String) {
    let parts = text.split(separator: ";", omittingEmptySubsequences: false)
    guard let waiting = parts.first.flatMap({ Int64($0) }), waiting >= 0 else { return nil }
    var values: [Substring: Int64] = [:]
    for part in parts.dropFirst() {
      let pair = part.split(separator: "=", maxSplits: 1)
      guard pair.count == 2, let value = Int64(pair[1]) else { return nil }
      values[pair[0]] = value
    }
    self.waiting = waiting
    if let offset = values["offset"], let bound = values["bound"] { clock = Clock(offset: offset, bound: bound) }
  }
}

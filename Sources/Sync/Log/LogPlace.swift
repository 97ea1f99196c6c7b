/// How far a device has a hub's log, and which version of its scope: what a hub of this program writes after a cursor's
/// colon.
package struct LogPlace: Hashable, Sendable {
  /// The log's number.
  package let seq: Int64
  /// Up to here the device has what it gained and gave up what it lost; 0: what it has of any part is not known.
  package let version: Int64
  /// Where it is on its way to a later version; nil: it is on none.
  package let change: Change?
  /// Of what it gained by the entry that follows, the last number that it has; nil: nothing yet.
  package let late: Int64?

  /// A change of scope that a device has not got whole.
  package struct Change: Hashable, Sendable {
    /// The version that it leads to.
    package let version: Int64
    /// The number up to which the log was gone through for it.
    package let seq: Int64

    /// A place in a change.
    package init(version: Int64, seq: Int64) {
      self.version = version
      self.seq = seq
    }
  }

  /// A place.
  package init(seq: Int64, version: Int64, change: Change? = nil, late: Int64? = nil) {
    self.seq = seq
    self.version = version
    self.change = change
    self.late = late
  }

  /// Reads a place; nil for a text that is none. A number alone is of a scope that never changed.
  package init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false).map { Int64($0) }
    let numbers = parts.compactMap { $0 }.filter { $0 >= 0 }
    guard numbers.count == parts.count else { return nil }
    switch numbers.count {
    case 1: self.init(seq: numbers[0], version: 1)
    case 2: self.init(seq: numbers[0], version: numbers[1])
    case 3: self.init(seq: numbers[0], version: numbers[1], late: numbers[2])
    case 4: self.init(seq: numbers[0], version: numbers[1], change: Change(version: numbers[2], seq: numbers[3]))
    default: return nil
    }
  }

  /// The place that a cursor names; the log's begin where it names none.
  package init(_ cursor: LogCursor) { self = LogPlace(cursor.text) ?? LogPlace(seq: 0, version: 1) }

  /// The text after the cursor's colon.
  package var text: String {
    if let change { return "\(seq).\(version).\(change.version).\(change.seq)" }
    if let late { return "\(seq).\(version).\(late)" }
    return version == 1 ? "\(seq)" : "\(seq).\(version)"
  }

  /// Whether nothing of a scope of this version is left to give or to take.
  package func isWhole(at version: Int64) -> Bool { change == nil && (self.version == version || seq == 0) }
}

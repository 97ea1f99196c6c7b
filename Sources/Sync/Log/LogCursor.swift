import Journal

/// A place in a hub's log as a device names it: the epoch, and after a colon what only the hub reads.
public struct LogCursor: Hashable, Sendable, CustomStringConvertible {
  /// Which run of the log.
  public let epoch: UUIDBytes
  /// The hub's own words.
  public let place: String

  /// A cursor at a number of the log.
  public init(epoch: UUIDBytes, seq: Int64) {
    (self.epoch, place) = (epoch, String(seq))
  }

  /// Reads a cursor; nil for a text that is none.
  public init?(_ text: String) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let epoch = UUIDBytes(String(parts[0])), !parts[1].isEmpty, parts[1].utf8.count <= 128
    else {
      return nil
    }
    (self.epoch, place) = (epoch, String(parts[1]))
  }

  /// A cursor at a place of the log, and of what a device is given of it.
  /// - Parameter proof: by what the hub knows later that it gave this place.
  package init(epoch: UUIDBytes, place: LogPlace, proof: String? = nil) {
    (self.epoch, self.place) = (epoch, place.text + (proof.map { Self.beforeProof + $0 } ?? ""))
  }

  private static let beforeProof = ".~"

  /// The place without its proof.
  package var text: String { place.firstRange(of: Self.beforeProof).map { String(place[..<$0.lowerBound]) } ?? place }

  /// By what the hub knows that it gave this place; nil where it does not say.
  package var proof: String? { place.firstRange(of: Self.beforeProof).map { String(place[$0.upperBound...]) } }

  /// The number, where the hub of this program wrote the cursor.
  public var seq: Int64? { LogPlace(text)?.seq }

  /// Epoch, colon, place.
  public var description: String { "\(epoch):\(place)" }
}

import Characters
import CircuitModel
import ExamStore
import Foundation
import Timer

/// A device of the exam as its hub lists it: what it sent, holds, and still has to send.
public struct ListedHubDevice: Equatable, Sendable, Decodable {
  /// The device.
  public let id: String
  /// What people call the machine.
  public let name: String
  /// What it is at the hub, such as `station`.
  public let role: String
  /// Where its chain ends at the hub.
  public let last: Int64
  /// Up to this number of the hub's log everything lies on its disk.
  public let held: Int64
  /// How many changes wait there, as it last said.
  public internal(set) var waiting: Int64
  /// When it last asked, milliseconds since 1970-01-01T00:00:00Z; nil if it never did.
  public let seen: Int64?
  /// How far its clock is from the hub's, in milliseconds; nil where it has not said.
  public let clockOffset: Int64?
  /// How wrong that may be, in milliseconds.
  public let clockBound: Int64?
  /// Whether its place was taken away.
  public let revoked: Bool

  private struct List: Decodable { let devices: [ListedHubDevice] }

  /// The devices in the hub's words; none where they cannot be read.
  static func all(json: String?) -> [ListedHubDevice] {
    json.flatMap { try? JSONDecoder().decode(List.self, from: Data($0.utf8)) }?.devices ?? []
  }

  /// In one line: `host-a, station: 3 changes wait, last seen at 10:42, clock within 4 ms`, and the version of its
  /// program where that is not this one's.
  /// - Parameters:
  ///   - record: what the device last said of itself, as far as that is here.
  ///   - isHere: whether it is this store's.
  public func line(at now: Instant, _ record: ContactRecord? = nil, isHere: Bool = false) -> String {
    let name = isHere ? "\(name) (this terminal)" : name
    if revoked { return "\(name), \(role): revoked" }
    let waits = waiting == 0 ? "nothing waits" : Plural.count(waiting, "change waits", "changes wait")
    let contact = seen.map { "last seen \(Self.moment(Instant(stored: $0), at: now))" } ?? "never seen"
    let version = record?.version.flatMap { $0 == ProgramVersion.text ? nil : "osce \($0)" }
    return "\(name), \(role): " + [waits, contact, clock, version].compactMap { $0 }.joined(separator: ", ")
  }

  private static func moment(_ time: Instant, at now: Instant) -> String {
    let (then, today) = (LocalTime.reading(of: time), LocalTime.reading(of: now))
    return then.date == today.date ? "at \(then.minute)" : time.localMoment
  }

  /// A clock that is off by a second or more is said to be; of another, how wrong it may be.
  private var clock: String? {
    guard let clockOffset, let clockBound else { return nil }
    let seconds = clockOffset.magnitude / 1000
    if seconds == 0 { return "clock within \(clockOffset.magnitude + clockBound.magnitude) ms" }
    return "CLOCK \(seconds) s \(clockOffset > 0 ? "BEHIND" : "AHEAD")"
  }

  func json(_ record: ContactRecord?) -> JSONDocument {
    .object([
      ("id", .text(id)), ("name", .text(name)), ("role", .text(role)), ("last", .integer(last)),
      ("held", .integer(held)), ("waiting", .integer(waiting)), ("seen", .time(seen.map { Instant(stored: $0) })),
      ("clockOffset", .number(clockOffset)), ("clockBound", .number(clockBound)), ("revoked", .bool(revoked)),
      ("lastSync", .time(record?.lastSync)), ("version", .optional(record?.version)),
      ("system", .optional(record?.system)),
    ])
  }
}

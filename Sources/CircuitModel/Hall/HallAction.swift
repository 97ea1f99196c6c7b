import ExamStore
import Journal
import Timer

/// Something that was done to the hall's clocks, rosters or messages at a desk or by a command: one transaction of the
/// journal.
public struct HallAction: Sendable {
  /// The operations in the order in which they were made.
  public let operations: [OperationID]
  /// The number of the last of them in the order of arrival.
  public let sequence: Int64
  /// When it was done, by the exam's clock.
  public let at: Instant
  /// Who did it; nil where nobody was signed in.
  public let author: String?
  /// The sitting in which it was done.
  public let sitting: UUIDBytes?
  /// What was done.
  public let what: What
  /// What it undid; nil where it is no undoing.
  public let undone: Undone?
  /// Whether it does again what had been undone; `what` is then what was done first.
  public let isAgain: Bool

  /// What an action undid, and when that had been done.
  public struct Undone: Sendable {
    /// What had been done.
    public let what: What
    /// When.
    public let at: Instant
  }

  /// A station, and whose it is: circuits may have stations of one code.
  public struct Station: Sendable {
    /// Its code, or its name where it has none.
    public let code: String
    /// The name of its circuit; nil where that is not known.
    public let circuit: String?
  }

  /// Whom a message is for.
  public enum Receiver: Sendable {
    case all
    case circuit(String)
    case station(Station)
  }

  /// What was done, with what tells it from another.
  public enum What: Sendable {
    /// Something to clocks; an undoing of that too, whose events are annuls.
    case clock([Clock])
    /// Candidates changed places.
    case swap(circuit: String)
    /// A candidate's attendance, with how many entries it touched.
    case attendance(Attendance, candidate: String, count: Int)
    /// Somebody stands in at a station, or no longer.
    case cover(station: Station, by: String?)
    /// A station's assessors were released, or recalled.
    case release(station: Station, isReleased: Bool)
    /// A message went up.
    case message(String, to: Receiver)
    /// A message was taken down.
    case messageDown(String)
    /// Stations were queued for the re-run, or removed from its queue.
    case rerun([String], isQueued: Bool)
    /// A station was out of order; who was queued for the re-run, by number.
    case outOfOrder(station: Station, queued: [String])
    /// Something was reported that went wrong at a station.
    case incident(station: Station)
    /// A candidate was added to the session, with how many stations.
    case extra(candidate: String, count: Int)
    /// A candidate was given extra time, in seconds at each station; 0: it was taken away.
    case extraTime(candidate: String, seconds: Int64)
    /// A help call was answered or resolved.
    case help(station: Station, HelpCall.Status)
  }

  /// What was recorded of somebody.
  public enum Attendance: Sendable {
    case absent, late, notLate, cleared, present
  }

  /// An event of a clock.
  public struct Clock: Sendable {
    /// The clock's session.
    public let session: Session
    /// The circuit's name.
    public let circuit: String
    /// The event.
    public let event: ClockEvent
    /// The event that this one takes out; nil where it is no annul.
    public var target: String? { event.target }
  }

  /// The events, where it was done to clocks.
  public var clocks: [Clock] { if case .clock(let clocks) = what { clocks } else { [] } }

  /// Whether it only takes out what was done to clocks before.
  var isClockUndo: Bool { !clocks.isEmpty && clocks.allSatisfy { $0.target != nil } }
}

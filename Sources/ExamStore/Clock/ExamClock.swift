import GRDB
import Synchronization
import Timer

/// The exam's time: the boot clock plus one offset that all processes of this machine share.
///
/// The offset is fixed when the store is first opened after a start of the machine, so that setting the wall clock
/// later moves no countdown. Where a hub says what the exam's time is, or a person sets it, every process takes it over
/// at its next look at the store.
public struct ExamClock: Sendable {
  private let system: SystemClock
  private let shared: SharedAnchor

  init(system: SystemClock, anchor: ClockAnchor) {
    self.system = system
    shared = SharedAnchor(anchor)
  }

  /// Milliseconds from the boot clock to the exam's time.
  public var offset: Int64 { shared.anchor.offset(at: system.boot()) }

  /// What the boot clock reads: milliseconds since the machine was started.
  public var boot: Int64 { system.boot() }

  var bootID: String { system.bootID() }

  /// What the hub says of the exam's time for this start of the machine; nil where none has answered since.
  public var hub: HubOffset? { shared.anchor.hub }

  /// Why the exam's time may be wrong; nil if nothing speaks against it.
  public var doubt: ClockDiscrepancy? { shared.anchor.doubt }

  /// The exam's time now.
  public var now: Instant {
    let boot = system.boot()
    return Instant(milliseconds: boot) + shared.anchor.offset(at: boot)
  }

  /// How far the wall clock stands ahead of the exam's time, in milliseconds.
  public var wallClockLead: Int64 { system.wall() - now.milliseconds }

  /// The wall clock, milliseconds since the Unix epoch.
  public var wall: Int64 { system.wall() }

  /// Takes over what is stored for this start of the machine.
  package func follow(_ db: Database) throws {
    if let anchor = try ClockAnchor.read(db, bootID: system.bootID()) { shared.set(anchor) }
  }

  /// Stores what an instant as the exam's time of now means for this start of the machine; no doubt is left.
  package func store(_ instant: Instant, in db: Database) throws {
    let anchor = ClockAnchor(offset: instant.milliseconds - system.boot(), wall: system.wall(), doubt: nil, hub: nil)
    try anchor.write(db, bootID: system.bootID())
  }
}

/// What all copies of one process's clock share.
private final class SharedAnchor: Sendable {
  private let value: Mutex<ClockAnchor>

  init(_ anchor: ClockAnchor) { value = Mutex(anchor) }

  var anchor: ClockAnchor { value.withLock { $0 } }

  func set(_ anchor: ClockAnchor) { value.withLock { $0 = anchor } }
}

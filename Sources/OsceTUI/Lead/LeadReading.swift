import CircuitModel
import Reports
import Timer

/// What the lead's grid was read as, when, and what that cost.
struct LeadReading {
  /// The same start in another circuit.
  struct Beside {
    /// The session's place among all.
    let index: Int
    let grid: LeadGrid
  }

  /// How much of some sheets a hub has.
  struct Share {
    var sheets: [String] = []
    /// In words; nil where it is not known.
    var text: String?
    /// When it was read, by the loop's clock; nil: not yet.
    var readAt: Int64?

    /// Whether it still holds of these sheets.
    func holds(of sheets: [String], at now: Int64) -> Bool {
      sheets == self.sheets && readAt.map { now - $0 < 1000 } == true
    }
  }

  /// What a clock shows, as far as the grid depends on it.
  struct Phase: Equatable {
    private let index: Int?
    private let status: ClockStatus?

    init(_ state: ClockState?) { (index, status) = (state?.phaseIndex, state?.status) }
  }

  var grid: LeadGrid?
  /// The same start in another circuit, where there is room for it.
  var beside: Beside?
  /// How much of the focused cell's sheets a hub has.
  var share = Share()
  /// The clock's phase and status when the grid was read.
  var phase = Phase(nil)
  /// Whether it may be older than the store.
  var isStale = false
  private var readAt: Int64 = 0
  private var cost: Int64 = 0

  /// The most often that marks of others are read, in milliseconds: within half a second they are seen.
  private static let pace: Int64 = 300

  /// Notes that it was read.
  mutating func finish(began: Int64, at now: Int64) {
    (readAt, cost) = (now, now - began)
    isStale = false
  }

  /// From when on it is read again where it is stale, by the loop's clock.
  var due: Int64 { readAt + max(LeadReading.pace, cost * 4) }

  /// When the next extra time ends after the bell: no phase begins then that would have the grid read.
  var leavesAt: Instant? { [grid?.leavesAt, beside?.grid.leavesAt].compactMap { $0 }.min() }
}

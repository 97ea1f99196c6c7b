import CircuitModel
import ExamStore

/// Who is where in the halls whose clocks are open, and whom someone has to go to.
@MainActor
struct LeadHalls {
  private let context: AppContext
  private let watch: HallWatch
  /// The circuits with a clock that is open.
  private var circuits: [DeskCircuit] = []
  /// Whom someone has to go to, in words.
  private(set) var chases: [String] = []
  /// Whether anything was saved since they were read.
  var areOld = true
  /// When they were read, by the loop's clock; nil: not yet.
  private var readAt: Int64?

  /// The most often that they are read, in milliseconds.
  private static let pace: Int64 = 5000

  init(_ context: AppContext) {
    self.context = context
    watch = HallWatch(context)
  }

  /// Reads them again where that is due.
  /// - Parameter all: every circuit; those of several sessions may be named more than once.
  /// - Returns: whether it was.
  mutating func read(_ all: [Circuit], at now: Int64) throws -> Bool {
    let isDue = areOld && readAt.map { now - $0 >= LeadHalls.pace } ?? true
    guard try isDue || watch.passTime(circuits, now) else { return false }
    (readAt, areOld) = (context.monotonic(), false)
    let instant = context.store.clock.now
    var seen: Set<Int> = []
    circuits = all.filter { seen.insert($0.id).inserted }
      .map { DeskCircuit.read($0, chosen: nil, at: instant, in: context.store) }.filter { !$0.open.isEmpty }
    try watch.read(circuits)
    return true
  }

  /// Works out whom someone has to go to.
  /// - Parameter session: the one whose grid is shown.
  /// - Returns: whether that is other than before.
  mutating func look(counting session: Session?) -> Bool {
    let before = chases
    chases = watch.chases(circuits, at: context.store.clock.now, counted: session)
    return chases != before
  }
}

import Journal

/// Who makes a change, from where, and why.
public struct Author: Sendable {
  /// The acting person's key in `Staff`; nil for the program itself (an import, a timed job).
  public var staff: Int?
  /// The sitting (process, terminal, sign-in) it is made from.
  public var sitting: UUIDBytes?
  /// Why, where a reason was asked.
  public var reason: String?
  /// The exam's time it was made at, where a run is open.
  public var examTime: ExamTime?

  /// - Parameters: see the properties.
  public init(staff: Int? = nil, sitting: UUIDBytes? = nil, reason: String? = nil, examTime: ExamTime? = nil) {
    self.staff = staff
    self.sitting = sitting
    self.reason = reason
    self.examTime = examTime
  }

  /// Who makes a change now, by the exam's time.
  /// - Parameters: see the properties.
  public init(staff: Int? = nil, sitting: UUIDBytes? = nil, reason: String? = nil, at clock: ExamClock) {
    self.init(
      staff: staff, sitting: sitting, reason: reason, examTime: ExamTime(milliseconds: clock.now.milliseconds))
  }

  /// The program itself.
  public static let program = Author()

  /// The same person with a reason.
  public func because(_ reason: String?) -> Author {
    var author = self
    author.reason = reason
    return author
  }
}

import CircuitModel
import ExamStore
import Timer

/// The date at this machine: an exam that is checked has no clock yet.
enum MachineDate {
  static var today: String { LocalTime.reading(of: Instant(milliseconds: SystemClock.live.wall())).date }
}

import ExamStore
import Timer

/// When something happened, as a person says it afterwards.
public enum TimeSaid {
  /// How many minutes ago it can have been: a time of day to come is a slip, not yesterday's.
  private static let mostMinutes: Int64 = 720

  /// Nothing is now; `5` is five minutes ago; `09:12`, `09:12:30` and `0912` are the last time that a clock in the
  /// exam's zone showed that, within twelve hours: after midnight yesterday's too.
  /// - Returns: nil for anything else.
  public static func instant(_ text: String, now: Instant) -> Instant? {
    let text = String(text.filter { !$0.isWhitespace })
    if text.isEmpty { return now }
    if text.count < 4, let minutes = Int64(text), (0...mostMinutes).contains(minutes) {
      return now + -minutes * 60_000
    }
    let isPlain = text.count == 4 && text.allSatisfy { $0.isASCII && $0.isNumber }
    let time = isPlain ? "\(text.prefix(2)):\(text.suffix(2))" : text
    for day in [0, -86_400_000] as [Int64] {
      guard let instant = LocalTime.instant(date: LocalTime.reading(of: now + day).date, time: time) else { return nil }
      if instant <= now { return instant >= now + -mostMinutes * 60_000 ? instant : nil }
    }
    return nil
  }
}

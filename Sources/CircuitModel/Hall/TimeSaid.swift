import ExamStore
import Timer

/// When something happened, as a person says it afterwards.
public enum TimeSaid {
  /// How many minutes ago it can have been: a time of day to come is a slip, not yesterday's.
  private static let mostMinutes: Int64 = 720

  /// Nothing is now; `5` is five minutes ago; `09:12`, `09:12:30` and `0912` are the last time that a clock in the
  /// exam's zone showed that, within twelve hours: after midnight yesterday's too.
  /// - Returns: nil for anything else, also for a time of day that a clock change has skipped.
  public static func instant(_ text: String, now: Instant) -> Instant? {
    instant(text, now: now, offset: LocalTime.zoneOffset)
  }

  /// - Parameter offset: the seconds that the zone is ahead of UTC at a second since 1970.
  static func instant(_ text: String, now: Instant, offset: LocalTime.Offset) -> Instant? {
    let text = String(text.filter { !$0.isWhitespace })
    if text.isEmpty { return now }
    if text.count < 4, let minutes = Int64(text), (0...mostMinutes).contains(minutes) {
      return now + -minutes * 60_000
    }
    let isPlain = text.count == 4 && text.allSatisfy { $0.isASCII && $0.isNumber }
    let time = isPlain ? "\(text.prefix(2)):\(text.suffix(2))" : text
    func shown(_ date: String) -> [Instant] { LocalTime.instants(date: date, time: time, offset: offset) }
    let today = LocalTime.reading(of: now, offset: offset).date
    // A day is not always 24 hours long: 24 hours before the first hour after a change can be the day before yesterday.
    guard let noon = LocalTime.instants(date: today, time: "12:00", offset: offset).first else { return nil }
    let yesterday = LocalTime.reading(of: noon + -86_400_000, offset: offset).date
    let times = shown(today) + shown(yesterday)
    return times.filter { $0 <= now && $0 >= now + -mostMinutes * 60_000 }.max()
  }
}

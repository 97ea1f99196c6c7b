import ExamStore
import Timer

/// When something happened, as a person says it afterwards.
public enum ReportedTime {
  /// How many minutes ago it can have been: a time of day to come is a slip, not yesterday's.
  private static let mostMinutes: Int64 = 720

  /// Nothing is now; `5` is five minutes ago; `09:12`, `09:12:30` and `0912` are the last time that a clock in the
  /// exam's zone showed that, within twelve hours: after midnight yesterday's too.
  /// - Returns: nil for anything else, also for a time of day that a clock change has skipped.
  public static func parse(_ text: String, now: Instant) -> Instant? {
    parse(text, now: now, offset: LocalTime.zoneOffset)
  }

  /// A length as it is said: `90` and `1:30` are ninety seconds, `-1:30` as many taken away.
  /// - Returns: nil for anything else.
  public static func seconds(_ text: String) -> Int64? {
    let text = text.filter { !$0.isWhitespace }
    let digits = text.drop { $0 == "+" || $0 == "-" }
    let parts = digits.split(separator: ":", omittingEmptySubsequences: false)
    guard text.count - digits.count <= 1, (1...2).contains(parts.count),
      parts.allSatisfy({ !$0.isEmpty && $0.count <= 6 && $0.allSatisfy { $0.isASCII && $0.isNumber } }),
      let first = Int64(parts[0])
    else { return nil }
    guard parts.count == 2 else { return text.hasPrefix("-") ? -first : first }
    guard let rest = Int64(parts[1]), parts[1].count == 2, rest < 60 else { return nil }
    return (first * 60 + rest) * (text.hasPrefix("-") ? -1 : 1)
  }

  /// A time to come as it is said: `10:45`, `10:45:30` and `1045` within the next twelve hours, `+2` in two minutes,
  /// `+1:30` in a minute and a half.
  /// - Returns: nil for anything else, also for a time of day that a clock change skips.
  public static func later(_ text: String, now: Instant) -> Instant? {
    later(text, now: now, offset: LocalTime.zoneOffset)
  }

  /// - Parameter offset: the seconds that the zone is ahead of UTC at a second since 1970.
  static func later(_ text: String, now: Instant, offset: LocalTime.Offset) -> Instant? {
    let text = String(text.filter { !$0.isWhitespace })
    if text.hasPrefix("+") {
      guard let given = seconds(text), given > 0 else { return nil }
      let length = text.contains(":") ? given : given * 60
      return length <= mostMinutes * 60 ? now + length * 1000 : nil
    }
    let time = withColon(text)
    let days = [now, now + mostMinutes * 60_000].map { LocalTime.reading(of: $0, offset: offset).date }
    return days.flatMap { LocalTime.instants(date: $0, time: time, offset: offset) }
      .filter { $0 > now && $0 <= now + mostMinutes * 60_000 }.min()
  }

  /// - Parameter offset: the seconds that the zone is ahead of UTC at a second since 1970.
  static func parse(_ text: String, now: Instant, offset: LocalTime.Offset) -> Instant? {
    let text = String(text.filter { !$0.isWhitespace })
    if text.isEmpty { return now }
    if text.count < 4, let minutes = Int64(text), (0...mostMinutes).contains(minutes) {
      return now + -minutes * 60_000
    }
    let time = withColon(text)
    func shown(_ date: String) -> [Instant] { LocalTime.instants(date: date, time: time, offset: offset) }
    let today = LocalTime.reading(of: now, offset: offset).date
    // A day is not always 24 hours long: 24 hours before the first hour after a change can be the day before yesterday.
    guard let noon = LocalTime.instants(date: today, time: "12:00", offset: offset).first else { return nil }
    let yesterday = LocalTime.reading(of: noon + -86_400_000, offset: offset).date
    let times = shown(today) + shown(yesterday)
    return times.filter { $0 <= now && $0 >= now + -mostMinutes * 60_000 }.max()
  }

  /// `0912` as `09:12`; any other text as it is.
  private static func withColon(_ text: String) -> String {
    let isPlain = text.count == 4 && text.allSatisfy { $0.isASCII && $0.isNumber }
    return isPlain ? "\(text.prefix(2)):\(text.suffix(2))" : text
  }
}

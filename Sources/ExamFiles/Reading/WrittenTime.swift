import Catalogue
import Foundation

/// Dates, times and lengths as an exam is written.
enum WrittenTime {
  /// `2026-12-07` if it is a day of the calendar, else nil.
  static func date(_ text: String) -> String? { TextForm.isDay(text) ? text : nil }

  /// `09:00` from `09:00` or `9:00`, else nil.
  static func time(_ text: String) -> String? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, 1...2 ~= parts[0].count, parts[1].count == 2, let hour = digits(parts[0]),
      let minute = digits(parts[1]), hour < 24, minute < 60
    else { return nil }
    return (parts[0].count == 1 ? "0" : "") + text
  }

  /// Whole seconds from `60 s`, `8 min`, `8:30` or `1 h`; nil if it is none of these or more than a day.
  static func length(_ text: String) -> Int? {
    let text = text.trimmed.lowercased()
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    if parts.count == 2 {
      guard let minutes = digits(parts[0]), parts[1].count == 2, let seconds = digits(parts[1]), seconds < 60,
        minutes <= 1_440
      else { return nil }
      return minutes * 60 + seconds
    }
    let number = text.prefix { $0.isASCII && $0.isNumber }
    guard let count = digits(number), count <= 86_400 else { return nil }
    let factor: Int
    switch text.dropFirst(number.count).trimmed {
    case "s", "sec", "secs", "second", "seconds": factor = 1
    case "m", "min", "mins", "minute", "minutes": factor = 60
    case "h", "hour", "hours": factor = 3_600
    default: return nil
    }
    let (seconds, overflow) = count.multipliedReportingOverflow(by: factor)
    return overflow || seconds > 86_400 ? nil : seconds
  }

  /// Whether this machine knows the time zone by this name.
  static func isTimeZone(_ name: String) -> Bool {
    name.utf8.count <= 64 && TimeZone(identifier: name) != nil
  }

  /// The seconds that a zone is ahead of UTC at a second since 1970; one that is unknown is UTC.
  static func offset(ofZone name: String) -> (Int) -> Int {
    let zone = TimeZone(identifier: name)
    return { zone?.secondsFromGMT(for: Date(timeIntervalSince1970: Double($0))) ?? 0 }
  }

  /// Known time zones, for suggestions.
  static var timeZones: [String] { TimeZone.knownTimeZoneIdentifiers }

  private static func digits(_ text: some StringProtocol) -> Int? {
    guard !text.isEmpty, text.utf8.count <= 6, text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
    return Int(text)
  }
}

/// Instants as bundles write them.
enum WrittenInstant {
  /// Milliseconds since 1970 from `2026-12-07T09:00:00Z`, with or without a fraction; nil if it is no such text.
  static func milliseconds(_ text: String) -> Int64? {
    let style = Date.ISO8601FormatStyle(includingFractionalSeconds: text.contains("."))
    guard let date = try? style.parse(text) else { return nil }
    return Int64((date.timeIntervalSince1970 * 1_000).rounded())
  }
}

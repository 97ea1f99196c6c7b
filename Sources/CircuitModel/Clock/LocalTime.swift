import ExamStore
import Glibc
import Timer

/// Dates and times of day in the exam's time zone. One zone per process, set when a store is opened.
public enum LocalTime {
  /// A date and time of day as people write them.
  public struct Reading: Equatable, Sendable {
    /// `YYYY-MM-DD`.
    public let date: String
    /// `HH:MM:SS`.
    public let time: String
    /// `HH:MM`.
    public var minute: String { String(time.prefix(5)) }
  }

  /// Makes a zone the process's own.
  /// - Parameter zone: a name such as `Europe/London`; nil, or a name that is not known, leaves it as it is.
  public static func use(zone: String?) {
    _ = machineZone
    if let zone, isKnown(zone: zone) { setenv("TZ", ":" + zone, 1) }
    tzset()
  }

  /// Follows a zone that changes while screens are open: where the exam names none any more, the machine's.
  public static func follow(zone: String?) {
    if let zone, isKnown(zone: zone) { return use(zone: zone) }
    if let machineZone { setenv("TZ", machineZone, 1) } else { unsetenv("TZ") }
    tzset()
  }

  /// What the process was started with, before an exam's zone took its place.
  private static let machineZone: String? = getenv("TZ").map { String(cString: $0) }

  /// The zone that `TZ` names and this machine does not know: local times are then UTC, without a word. Nil: none.
  package static func unknownZone(variable: String?) -> String? {
    let name = variable.map { $0.hasPrefix(":") ? String($0.dropFirst()) : $0 } ?? ""
    let isRule = name.hasPrefix("/") || !name.contains("/") && name.contains(where: \.isNumber)
    return name.isEmpty || isRule || isKnown(zone: name) ? nil : name
  }

  /// How far local time is from UTC at an instant: `UTC+01:00`.
  package static func offsetText(at instant: Instant) -> String {
    let minutes = zoneOffset(time_t(instant.wholeSeconds)) / 60
    return "UTC\(minutes < 0 ? "-" : "+")\(digits(Int32(abs(minutes) / 60), 2)):\(digits(Int32(abs(minutes) % 60), 2))"
  }

  /// Whether the machine's time zone data has a zone of this name.
  public static func isKnown(zone: String) -> Bool {
    let allowed = zone.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "_"), UInt8(ascii: "-"),
        UInt8(ascii: "+"):
        true
      default: false
      }
    }
    guard allowed, !zone.isEmpty, !zone.hasPrefix("/") else { return false }
    return zone == "UTC" || access("/usr/share/zoneinfo/" + zone, R_OK) == 0
  }

  /// The instant of a local date and time; in the hour that a clock change repeats, the first of the two; in the hour
  /// that one skips, the time as much later.
  /// - Parameters:
  ///   - date: `YYYY-MM-DD`.
  ///   - time: `HH:MM` or `HH:MM:SS`.
  /// - Returns: nil if either is not a date or a time.
  public static func instant(date: String, time: String) -> Instant? {
    instant(date: date, time: time, offset: zoneOffset)
  }

  /// The instant of a date and a time in a zone that is not the process's own.
  package static func instant(date: String, time: String, offset: Offset) -> Instant? {
    guard let written = written(date: date, time: time) else { return nil }
    let real = real(written, offset).first ?? written - offset(written - daySeconds)
    return Instant(milliseconds: Int64(real) * 1000)
  }

  /// Every instant at which a clock in a zone shows a local date and time, earliest first: none in what a clock change
  /// skips, two in what one repeats, and none if either is not a date or a time.
  /// - Parameter offset: the seconds that the zone is ahead of UTC at a second since 1970; the process's own by default.
  package static func instants(date: String, time: String, offset: Offset = zoneOffset) -> [Instant] {
    guard let written = written(date: date, time: time) else { return [] }
    return real(written, offset).map { Instant(milliseconds: Int64($0) * 1000) }
  }

  /// The seconds that a zone is ahead of UTC at a second since 1970.
  package typealias Offset = (time_t) -> time_t

  /// A local date and time as seconds since 1970 on the clock that shows it.
  private static func written(date: String, time: String) -> time_t? {
    let day = date.split(separator: "-", omittingEmptySubsequences: false).map { Int32($0) }
    let clock = time.split(separator: ":", omittingEmptySubsequences: false).map { Int32($0) }
    guard day.count == 3, let year = day[0], let month = day[1], let dayOfMonth = day[2],
      clock.count == 2 || clock.count == 3, let hour = clock[0], let minute = clock[1],
      let second = clock.count == 3 ? clock[2] : 0, (1...12).contains(month), (1...31).contains(dayOfMonth),
      (0...23).contains(hour), (0...59).contains(minute), (0...59).contains(second)
    else { return nil }
    var parts = tm()
    parts.tm_year = year - 1900
    parts.tm_mon = month - 1
    parts.tm_mday = dayOfMonth
    parts.tm_hour = hour
    parts.tm_min = minute
    parts.tm_sec = second
    let written = timegm(&parts)
    return parts.tm_mday == dayOfMonth && parts.tm_mon == month - 1 ? written : nil
  }

  /// The seconds since 1970 at which the zone's clock shows what is written, earliest first. mktime would answer for a
  /// repeated or skipped hour by what it was asked before.
  private static func real(_ written: time_t, _ offset: Offset) -> [time_t] {
    let offsets = Set([offset(written - daySeconds), offset(written + daySeconds)])
    return offsets.map { written - $0 }.filter { $0 + offset($0) == written }.sorted()
  }

  private static let daySeconds: time_t = 86_400

  /// What the process's zone has.
  package static func zoneOffset(_ seconds: time_t) -> time_t {
    var (seconds, parts) = (seconds, tm())
    localtime_r(&seconds, &parts)
    return parts.tm_gmtoff
  }

  /// How an instant reads on a clock in the exam's zone.
  public static func reading(of instant: Instant) -> Reading { reading(of: instant, offset: zoneOffset) }

  /// How an instant reads on a clock in a zone.
  package static func reading(of instant: Instant, offset: Offset) -> Reading {
    let utc = time_t(instant.wholeSeconds)
    var (seconds, parts) = (utc + offset(utc), tm())
    gmtime_r(&seconds, &parts)
    return Reading(
      date: "\(digits(parts.tm_year + 1900, 4))-\(digits(parts.tm_mon + 1, 2))-\(digits(parts.tm_mday, 2))",
      time: "\(digits(parts.tm_hour, 2)):\(digits(parts.tm_min, 2)):\(digits(parts.tm_sec, 2))")
  }

  /// A number with zeros before it, to a width.
  package static func digits(_ number: Int32, _ width: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, width - text.count)) + text
  }
}

extension Instant {
  /// The local date and time of day, to the minute.
  package var localMoment: String {
    let reading = LocalTime.reading(of: self)
    return "\(reading.date) \(reading.minute)"
  }
}

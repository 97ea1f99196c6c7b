import Catalogue
import CircuitModel
import ExamStore
import Timer

/// What a row must hold beyond the types of its fields.
enum BundleRules {
  /// Reports each fault with a line, or nil for the line of the row.
  static func check(_ row: BundleReader.ReadRow, _ report: (Int?, String) -> Void) {
    if let order = whole(row, "order"), order < 1 { report(nil, "'order' is \(order); orders count from 1") }
    switch row.entity.name {
    case "TimetableAttendanceLog":
      if let order = whole(row, "order"), order > Int64(Expansion.mostRounds) {
        report(nil, "'order' is \(order); a session has at most \(Expansion.mostRounds) rounds")
      }
    case "CircuitStationDuration": checkLength(row, report)
    case "TypeQuestion": checkItem(row, report)
    case "Timetable": checkTime(row, report)
    case "ClinicGroup": checkWarnings(row, report)
    case "User", "Staff", "Student":
      if case .text(let kept)? = row.values["passcodeHash"], !Passcode.isUsable(kept) {
        report(
          nil,
          "'passcodeHash' is not scrypt$N$r$p$salt$hash within 64 MB and a second of work; write 'passcode', or leave it out"
        )
      }
    case "Config":
      if case .text(let zone)? = row.values["timeZone"], !WrittenTime.isTimeZone(zone) {
        report(
          nil,
          "'timeZone' \(Visible.quoted(zone)) is unknown" + NearestName.hint(for: zone, among: WrittenTime.timeZones))
      }
    default: break
    }
  }

  /// What of a row has no effect; nil if all of it counts.
  static func ignored(_ row: BundleReader.ReadRow) -> String? {
    guard row.entity.name == "Config", case .text(let json)? = row.values["settings"] else { return nil }
    return BackupWish(json: json).ignoredPath.map { BackupWish.ignored($0) }
  }

  private static func checkLength(_ row: BundleReader.ReadRow, _ report: (Int?, String) -> Void) {
    guard row.wrong.isDisjoint(with: ["duration", "seconds"]) else { return }
    let minutes = whole(row, "duration") ?? 0
    let seconds = whole(row, "seconds") ?? 0
    if minutes < 0 { report(nil, "'duration' is \(minutes); a length is not negative") }
    if !(0...59 ~= seconds) { report(nil, "'seconds' is \(seconds); it must be 0 to 59") }
    if minutes == 0, seconds == 0 { report(nil, "'duration' and 'seconds': the length is zero") }
  }

  private static func checkItem(_ row: BundleReader.ReadRow, _ report: (Int?, String) -> Void) {
    if case .text(let type)? = row.values["questionType"], !MarkSheetReader.itemTypes.contains(type) {
      report(
        nil,
        "'questionType' must be one of \(MarkSheetReader.itemTypes.joined(separator: ", ")), "
          + "not \(Visible.quoted(type))"
          + NearestName.hint(for: type, among: MarkSheetReader.itemTypes))
    }
    if let options = whole(row, "numberOfOptions"), !(0...Int64(MarkSheetReader.levelLimit) ~= options) {
      report(nil, "'numberOfOptions' is \(options); it must be 0 to \(MarkSheetReader.levelLimit)")
    }
    if case .double(let step)? = row.values["step"], step <= 0 { report(nil, "'step' must be over 0") }
  }

  private static func checkTime(_ row: BundleReader.ReadRow, _ report: (Int?, String) -> Void) {
    if case .text(let date)? = row.values["date"], WrittenTime.date(date) == nil {
      report(nil, "'date' \(Visible.quoted(date)) is not a date; write it as 2026-12-07")
    }
    for name in ["startTime", "endTime"] {
      if case .text(let time)? = row.values[name], WrittenTime.time(time) != time {
        report(nil, "'\(name)' \(Visible.quoted(time)) is not a time of day; write it as 09:00")
      }
    }
  }

  private static func checkWarnings(_ row: BundleReader.ReadRow, _ report: (Int?, String) -> Void) {
    guard case .text(let json)? = row.values["warnings"] else { return }
    do {
      _ = try CircuitWarnings.rules(json: json)
    } catch {
      report(nil, "'warnings': \(error)")
    }
  }

  private static func whole(_ row: BundleReader.ReadRow, _ name: String) -> Int64? {
    if case .integer(let number)? = row.values[name] { number } else { nil }
  }
}

import ExamStore
import Journal

/// Keys that follow from what a row stands for: two terminals that make the same row give it the same key.
public enum DerivedKeys {
  /// The namespace of every derived key (a UUID chosen once for this program).
  public static let namespace = UUIDBytes("6f736365-0001-5000-8000-000000000001")!

  /// The key of a row of this kind, from the names that make it what it is.
  public static func key(_ kind: String, _ parts: String...) -> String {
    // The parts are separated by a character that no key holds.
    UUIDBytes.v5(namespace: namespace, name: ([kind] + parts).joined(separator: "\u{1F}")).description
  }

  /// A mark sheet: roster entry, template, seat.
  /// - Parameter number: counts the sheets from 1: a sheet that was moved to another candidate keeps its key.
  public static func sheet(entry: String, form: Int, seat: String, number: Int = 1) -> String {
    number == 1
      ? key("DataForm", entry, String(form), seat) : key("DataForm", entry, String(form), seat, String(number))
  }

  /// A section of a sheet: its link to the template and which copy it is.
  public static func section(sheet: String, link: Int, copy: Int) -> String {
    key("DataSection", sheet, String(link), String(copy))
  }

  /// An item of a section: its link.
  public static func item(section: String, link: Int) -> String { key("DataQuestion", section, String(link)) }

  /// The practice entry of a station session.
  public static func practice(timetable: Int) -> String { key("Practice", String(timetable)) }

  /// A version of a template.
  public static func formVersion(form: Int, digest: String) -> String { key("FormVersion", String(form), digest) }

  /// The nth run of a circuit's session, from 1.
  public static func run(circuit: Int, date: String, startTime: String, number: Int) -> String {
    key("CircuitRun", String(circuit), date, startTime, String(number))
  }

  /// The changes of slots of a circuit's session.
  public static func slotTable(circuit: Int, date: String, startTime: String) -> String {
    key("SlotTable", String(circuit), date, startTime)
  }

  /// The place in the re-run queue of a roster entry.
  public static func rerun(entry: String) -> String { key("RerunEntry", entry) }

  /// The roster entry of a candidate added to a station session on the day.
  public static func additional(timetable: Int, student: Int) -> String {
    key("Additional", String(timetable), String(student))
  }

  /// The key in `Student` of a candidate first met on the day, from the candidate number: below zero, where no import
  /// of a folder and no portal puts one, so that two terminals that add the same candidate make the same row.
  /// - Returns: -2^31 … -1.
  static func student(number: String) -> Int {
    let digest = UUIDBytes.v5(namespace: namespace, name: "Student\u{1F}" + number)
    return -1 - Int(digest.low & 0x7FFF_FFFF)
  }
}

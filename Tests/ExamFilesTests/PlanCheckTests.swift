import Foundation
import Testing

@testable import ExamFiles

/// What a check says of a plan that can be read and will not work on the day.
@Suite("Checks of a plan")
struct PlanCheckTests {
  private func messages(_ change: (inout SmallExam) -> Void) -> [String] {
    var exam = SmallExam()
    change(&exam)
    let folder = exam.write()
    return withExtendedLifetime(folder) { ExamCheck.problems(of: folder.path).map(\.message) }
  }

  @Test("two sessions of a circuit that overlap, and an end before the phases can, are named")
  func times() {
    let overlapping = messages {
      $0.exam +=
        "\n  - date: 2026-12-07\n    start: 09:10\n    end: 09:20\n    circuits:\n      X:\n"
        + "        assessors: { A: ann, C: ben }\n        slots: [1, empty, 2]"
    }
    #expect(
      overlapping.contains(
        "session: circuit 'X' starts again at 09:10, but its session of 09:00 takes until 09:15"))
    #expect(overlapping.contains("session: circuit 'X' ends at 09:20, but its phases take until 09:25"))
  }

  @Test("an end before the last changeover is over is named, as a clock and a plan have it")
  func lastChangeover() {
    func found(_ end: String) -> [String] {
      messages {
        $0.exam = $0.exam.replacing("phases: [rotation 5 min]", with: "phases: [rotation 5 min, changeover 60 s]")
          .replacing("    start: 09:00\n", with: "    start: 09:00\n    end: \(end)\n")
      }.filter { $0.contains("phases take") }
    }
    #expect(found("09:17") == ["session: circuit 'X' ends at 09:17, but its phases take until 09:18"])
    #expect(found("09:18") == [])
  }

  @Test("a session that lasts past midnight overlaps one of the next day")
  func midnight() {
    let found = messages {
      $0.exam = $0.exam.replacing("start: 09:00", with: "start: 23:50")
      $0.exam +=
        "\n  - date: 2026-12-08\n    start: 00:01\n    circuits:\n      X:\n"
        + "        assessors: { A: ann, C: ben }\n        slots: [1, empty, 2]"
    }
    #expect(
      found.contains(
        "session: circuit 'X' starts again at 00:01, but its session of 2026-12-07 23:50 takes until 00:05"), "\(found)"
    )
  }

  @Test("a start that a clock change skips or repeats is named")
  func clockChanges() {
    func found(_ date: String) -> [String] {
      messages {
        $0.exam = $0.exam.replacing("2026-12-07", with: date).replacing("start: 09:00", with: "start: 01:30")
      }.filter { $0.contains("clocks change") }
    }
    #expect(
      found("2027-03-28") == ["session: clocks change on 2027-03-28, so 01:30 does not exist: it starts at 02:30"])
    #expect(
      found("2026-10-25") == ["session: clocks change on 2026-10-25, so 01:30 comes twice: it starts at the first"])
    #expect(found("2026-12-07") == [])
  }

  @Test("a warning at more than its phase lasts is named, and one that fits is not")
  func longWarnings() {
    func found(_ left: String, _ level: String) -> [String] {
      messages { $0.exam += "\nwarnings:\n  - { phase: rotation, left: \(left), level: \(level), text: Now }\n" }
        .filter { $0.contains("has a warning at") }
    }
    #expect(found("10 min", "red") == ["circuit 'X' has a warning at 600 s left, but its rotation lasts 300 s"])
    #expect(found("5 min", "amber").count == 1 && found("5 min", "none") == [] && found("2 min", "red") == [])
  }

  @Test("a warning in a phase that a circuit does not have is named") func idleWarnings() {
    let found = messages { $0.exam += "\nwarnings:\n  - { phase: feedback, left: 1 min, level: red, text: Now }\n" }
    #expect(
      found.filter { $0.contains("has a warning in") }
        == ["circuit 'X' has a warning in the phase 'feedback', which it does not have: it has no effect"])
  }

  @Test("an assessor at a rest station and extra time that nothing takes up are named")
  func people() {
    #expect(
      messages { $0.exam = $0.exam.replacing("{ A: ann, C: ben }", with: "{ A: ann, B: ben, C: ben }") }
        .contains("session: an assessor is at rest station 'B', where nobody is marked"))
    #expect(
      messages { $0.candidates = "number,surname,extra_station_seconds\n1,One,60\n2,Two,\n" }
        .contains(
          "candidate '1' has 60 s of extra time at a station, but circuit 'X' has 0 s between rotations: others wait"))
  }

  @Test("extra time is named that is longer than the shortest of the times between rotations") func extraTime() {
    func found(_ phases: String) -> [String] {
      messages {
        $0.exam = $0.exam.replacing("phases: [rotation 5 min]", with: "phases: [\(phases)]")
        $0.candidates = "number,surname,extra_station_seconds\n1,One,75\n2,Two,\n"
      }.filter { $0.contains("extra time") }
    }
    #expect(
      found("rotation 5 min, changeover 60 s, rotation 5 min, changeover 60 s, break 5 min") == [
        "candidate '1' has 75 s of extra time at a station, but circuit 'X' has 60 s between rotations: others wait"
      ])
    #expect(found("rotation 5 min, changeover 60 s, break 5 min") == [])
    // With three stations nothing follows the third rotation.
    #expect(found("rotation 5 min, break 2 min, rotation 5 min, break 2 min, rotation 5 min") == [])
  }

  @Test("more stations to pass than anybody has are an error, and than a circuit has a warning that names it")
  func minimumStations() {
    func found(_ number: Int) -> [Problem] {
      var exam = SmallExam()
      exam.candidates += "3,Three\n"
      exam.staff += "cat,Cat\n"
      exam.exam = exam.exam.replacing(
        "  - { code: X, name: Circuit }",
        with: "  - { code: X, name: Circuit }\n  - code: Y\n    stations:\n      - { code: D, name: Fourth, sheets: A }"
      )
      exam.exam += "\n      Y:\n        assessors: { D: cat }\n        slots: [3]\n"
      exam.exam += "results: { minimumStations: \(number) }\n"
      let folder = exam.write()
      return withExtendedLifetime(folder) {
        ExamCheck.problems(of: folder.path).filter { $0.message.contains("minimumStations") }
      }
    }
    #expect(found(1) == [])
    let (some, all) = (found(2), found(3))
    #expect(
      some.map(\.message) == [
        "results: 'minimumStations' is 2, but 1 station counts for candidates of circuit 'Y': none of them can pass"
      ])
    #expect(some.map(\.severity) == [.warning] && all.map(\.severity) == [.error])
    #expect(
      all.map(\.message) == ["results: 'minimumStations' is 3, but at most 2 stations count for anybody"])
  }

  @Test("a key that nothing is near to is refused with the keys that there are, where they are few")
  func unknownKeys() {
    #expect(
      messages { $0.exam += "\nscales:\n  fine:\n    levels: 3" }
        .contains { $0.contains("unknown key 'levels' (keys: ") && $0.contains("descriptors") })
  }

  @Test("an assessor who is at a station of another circuit meanwhile is named, whatever the minutes they begin at")
  func assessorsAtOnce() {
    let found = messages {
      $0.exam = $0.exam.replacing(
        "  - { code: X, name: Circuit }", with: "  - { code: X, name: Circuit }\n  - { code: Y, name: Other }")
      $0.exam +=
        "\n  - date: 2026-12-07\n    start: 09:10\n    circuits:\n      Y:\n"
        + "        assessors: { A: ben, C: ann }\n        slots: [empty, empty, empty]"
    }
    #expect(
      found.contains("session: 'ben' is at station 'C' of circuit 'X' from 09:00 to 09:15, and here from 09:10"),
      "\(found)")
  }

  @Test("a critical item that may stay blank is named, and one on a scale without a threshold")
  func critical() {
    let found = messages {
      $0.sheet = $0.sheet.replacing("globalRating: global", with: "globalRating: global\ncritical: [global]")
    }
    #expect(found.contains { $0.hasPrefix("critical item 'global' has a scale without a 'threshold'") })
  }

  @Test("sheets of one station that disagree where it has one figure are errors, whether or not results are decided")
  func sheetsOfAStation() {
    func found(_ second: String, results: String = "") -> [String] {
      var exam = SmallExam()
      exam.exam = exam.exam.replacing("name: Third, sheets: A", with: "name: Third, sheets: [A, Z]") + results
      let folder = exam.write()
      folder.write("sheets/Z.yaml", second)
      return withExtendedLifetime(folder) {
        ExamCheck.problems(of: folder.path).filter { $0.severity == .error }.map(\.message)
      }
    }
    let sheet = SmallExam().sheet
    #expect(found(sheet) == [])
    let grades = found(sheet.replacing("borderlineGrade: 2", with: "borderlineGrade: 3"))
    #expect(
      grades.first?.hasPrefix("station: the mark sheets of station 'C' have different borderline grades;") == true)
    let weights = found(sheet + "\nweight: 2")
    #expect(weights.first?.hasPrefix("station: the mark sheets of station 'C' have different weights;") == true)
    let scales = found(sheet.replacing("scale: 1-5", with: "scale: 1-4"))
    #expect(scales.first?.contains("different scales of the global rating; one regression needs one scale") == true)
    #expect(found(sheet + "\nweight: 2", results: "\nresults: { stations: { C: { weight: 1 } } }") == [])
  }

  @Test("a global rating in a section that can be copied is an error")
  func copiedGlobalRating() {
    let found = messages {
      $0.sheet = $0.sheet.replacing("- name: Section", with: "- name: Section\n    duplicable: true")
    }
    #expect(
      found.contains("mark sheet: the global rating 'global' is in a section that can be copied; it is given once"))
  }

  @Test("a mark sheet that cannot be read causes no second message")
  func oneMessage() {
    let found = messages { $0.sheet = "name: Sheet\nsections: 3\nunknown: 1\n" }
    #expect(!found.contains { $0.contains("is unknown") && $0.hasPrefix("mark sheet '") })
    #expect(!found.contains { $0.contains("has no mark sheet") || $0.contains("has no global rating") })
  }

  @Test("a candidate file of a European Excel is read, and it is said how")
  func excel() throws {
    let folder = SmallExam().write()
    folder.write("candidates.csv", Array("number;surname\n1;M".utf8) + [0xFC] + Array("ller\n2;Two\n".utf8))
    let (plan, problems) = withExtendedLifetime(folder) { ExamFolder.read(folder.path) }
    #expect(plan?.candidates.first?.surname == "Müller")
    #expect(problems.contains { $0.message.hasPrefix("read with ';' between the cells") })
    #expect(problems.contains { $0.message.hasPrefix("these bytes are not UTF-8: read as Windows-1252") })
  }

  @Test("a scale is written once in the exam and named by items, with its words and thresholds")
  func sharedScale() {
    var exam = SmallExam()
    exam.exam +=
      "\nscales:\n  quality:\n    threshold: 2\n    descriptors:\n"
      + "      - { value: 1, text: Weak }\n      - { value: 2, text: Good }\n  five: 1-5\n"
    exam.sheet += "\n      - { text: Listens, scale: quality }\n      - { text: Explains, scale: five }\n"
    let (plan, problems) = exam.read()
    let items = plan?.sheets.first?.items ?? []
    #expect(plan != nil, "\(problems)")
    let listens = items.first { $0.text == "Listens" }
    #expect(listens?.type == "marking_matrix" && listens?.descriptors.map(\.text) == ["Weak", "Good"])
    #expect(listens?.threshold == 2)
    #expect(items.first { $0.text == "Explains" }?.scale?.options == 5)
  }

  @Test("levels that cannot be read cause no second message, at the item or in the scale that it names")
  func oneMessageOfScale() {
    var exam = SmallExam()
    exam.exam += "\nscales:\n  five: { lowest: 1, higest: 5 }\n  six: one to six\n"
    exam.sheet = exam.sheet.replacing("globalRating: global", with: "globalRating: overall")
    exam.sheet +=
      "\n      - { key: overall, text: Overall, scale: five }\n      - { text: Listens, scale: six, threshold: 3 }\n"
    let found = exam.read().problems.filter { !$0.contains("warning: ") }
    #expect(found.count == 2, "\(found)")
    #expect(found.contains { $0.contains("unknown key 'higest'") } && found.contains { $0.contains("'one to six'") })
    exam.sheet = exam.sheet.replacing("scale: five", with: "scale: seven").replacing("scale: six", with: "scale: 1-6")
    exam.exam = exam.exam.replacing("higest", with: "highest").replacing("one to six", with: "1-6")
    #expect(exam.read().problems.filter { !$0.contains("warning: ") }.count == 1)
  }

  @Test("a shared scale is written from lowest to highest as an item's is")
  func sharedSteps() {
    var exam = SmallExam()
    exam.exam += "\nscales:\n  five: { lowest: 1, highest: 5, threshold: 3 }\n"
    exam.sheet += "\n      - { text: Explains, scale: five }\n"
    let (plan, problems) = exam.read()
    let item = plan?.sheets.first?.items.first { $0.text == "Explains" }
    #expect(item?.scale?.options == 5 && item?.threshold == 3, "\(problems)")
  }

  @Test("a bundle is warned of stations without a mark sheet and sessions without an assessor, as a folder is")
  func bundles() {
    func found(_ change: (String) -> String = { $0 }) -> [String] {
      let folder = Scratch()
      folder.write(
        "bundle.json",
        change(
          #"""
          {"entities": {
            "ClinicGroup": [{"dsid": 1, "name": "Red"}], "CircuitStationDuration": [{"dsid": 1, "clinicGroup": 1, "duration": 5}],
            "Staff": [{"dsid": 1, "username": "ann", "surname": "Ann"}], "TypeForm": [{"dsid": 1, "name": "F"}],
            "ActivityType": [
              {"dsid": 1, "name": "First", "code": "S1", "clinicGroup": 1},
              {"dsid": 2, "name": "Nix", "clinicGroup": 1},
              {"dsid": 3, "name": "Unused", "clinicGroup": 1}],
            "AvailableForm": [{"dsid": 1, "activityType": 1, "typeForm": 1}],
            "Timetable": [
              {"dsid": 1, "activityType": 1, "date": "2026-11-28", "startTime": "06:00"},
              {"dsid": 2, "activityType": 2, "date": "2026-11-28", "startTime": "06:00"}],
            "AdditionalStaff": []}}
          """#))
      return withExtendedLifetime(folder) {
        ExamCheck.problems(of: folder.path + "/bundle.json").map {
          "\($0.line): \($0.severity == .warning ? "warning: " : "")\($0.message)"
        }
      }
    }
    let (form, assessor) = (
      "6: warning: station 'Nix' has no mark sheet, so it is a rest station",
      "10: warning: session: circuit 'Red' has no assessor at 'S1'"
    )
    #expect(found() == [form, assessor])
    let first = #"{"dsid": 1, "activityType": 1, "date""#
    for staff in ["staff", "scheduledCoverStaff", "coverStaff"] {
      #expect(found { $0.replacing(first, with: #"{"dsid": 1, "activityType": 1, "\#(staff)": 1, "date""#) } == [form])
    }
    for gone in ["cancelled", "dsDeleted"] {
      let row = #"{"dsid": 1, "activityType": 1, "\#(gone)": true, "date""#
      #expect(found { $0.replacing(first, with: row) } == [form])
    }
    let additional = #""AdditionalStaff": [{"uuid": "m", "timetable": 1, "staff": 1}]"#
    #expect(found { $0.replacing(#""AdditionalStaff": []"#, with: additional) } == [form])
    let elsewhere = found { $0.replacing(#""typeForm": 1"#, with: #""typeForm": 7"#) }
    #expect(elsewhere.count == 3 && Set(elsewhere).isSuperset(of: [form, assessor]), "a form that a store may have")
  }

  @Test("a session in the past is named on the day on which it is asked, and on no other")
  func past() {
    let folder = SmallExam().write()
    func isNamed(on today: String) -> Bool {
      withExtendedLifetime(folder) {
        ExamCheck.problems(of: folder.path, today: today).contains { $0.message.contains("is in the past") }
      }
    }
    #expect(isNamed(on: "2026-12-08") && !isNamed(on: "2026-12-07"))
  }
}

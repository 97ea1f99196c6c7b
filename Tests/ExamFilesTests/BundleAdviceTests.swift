import Testing

@testable import ExamFiles

/// What a check says of a bundle that can be imported and will not work on the day.
@Suite("Checks of a bundle's plan") struct BundleAdviceTests {
  /// Two stations, two candidates, two rounds of five minutes from 09:00.
  private static let bundle = #"""
    {"entities": {
      "Config": [{"dsid": 1, "universityCode": "x", "configURL": "https://x.example", "timeZone": "Europe/London"}],
      "ClinicGroup": [{"dsid": 1, "name": "Red"}],
      "CircuitStationDuration": [{"dsid": 1, "clinicGroup": 1, "durationType": "rotation", "duration": 5, "order": 1}],
      "Staff": [{"dsid": 1, "username": "ann", "surname": "Ann"}, {"dsid": 2, "username": "ben", "surname": "Ben"}],
      "Student": [{"dsid": 11, "studentNumber": "a1", "surname": "One"},
        {"dsid": 12, "studentNumber": "a2", "surname": "Two"}],
      "TypeForm": [{"dsid": 1, "name": "F"}],
      "TypeQuestion": [{"dsid": 1, "key": "q", "text": "Listens", "questionType": "rating", "lowest": 1, "step": 1}],
      "ActivityType": [{"dsid": 1, "name": "First", "code": "S1", "clinicGroup": 1},
        {"dsid": 2, "name": "Second", "code": "S2", "clinicGroup": 1}],
      "AvailableForm": [{"dsid": 1, "activityType": 1, "typeForm": 1}, {"dsid": 2, "activityType": 2, "typeForm": 1}],
      "Timetable": [
        {"dsid": 1, "activityType": 1, "staff": 1, "date": "2026-12-07", "startTime": "09:00", "endTime": "09:30"},
        {"dsid": 2, "activityType": 2, "staff": 2, "date": "2026-12-07", "startTime": "09:00", "endTime": "09:30"}],
      "TimetableAttendanceLog": [
        {"uuid": "00000000-0000-5000-8000-000000000001", "timetable": 1, "student": 11, "order": 1},
        {"uuid": "00000000-0000-5000-8000-000000000002", "timetable": 2, "student": 12, "order": 1},
        {"uuid": "00000000-0000-5000-8000-000000000003", "timetable": 1, "student": 12, "order": 2},
        {"uuid": "00000000-0000-5000-8000-000000000004", "timetable": 2, "student": 11, "order": 2}]}}
    """#

  private func found(_ old: String, _ new: String) -> [String] {
    let folder = Scratch()
    let text = Self.bundle.replacing(old, with: new)
    folder.write("bundle.json", text)
    return withExtendedLifetime(folder) {
      ExamCheck.problems(of: folder.path + "/bundle.json").map { "\($0.severity): \($0.message)" }
    }
  }

  @Test("a plan that works has no warning") func sound() { #expect(found("", "") == []) }

  @Test("a text that is no set of warnings is refused with what they may be, the preset included")
  func presets() {
    #expect(found(#""name": "Red""#, #""name": "Red", "warnings": "liftupp""#).allSatisfy { !$0.hasPrefix("error") })
    #expect(
      found(#""name": "Red""#, #""name": "Red", "warnings": "LIFTUPP""#).contains {
        $0.hasSuffix("'warnings' must be a list of {type?, seconds, level?, text?}, or “liftupp”, not 'LIFTUPP'")
      })
    for json in [#"{"level": "red"}"#, "[1]", #"[{"seconds": "1 min"}]"#] {
      let problems = found(#""name": "Red""#, #""name": "Red", "warnings": \#(json)"#)
      #expect(problems.contains { $0.hasPrefix("error") && $0.hasSuffix("nor “liftupp”") }, "\(problems)")
    }
  }

  @Test("an item that a form says something of and does not have is named, where the bundle has the form's items")
  func lackedItems() {
    let props = #"{\"globalRating\": \"wash\", \"criticalItems\": [\"q\", 1, \"Listens\"]}"#
    let form = #"{"dsid": 1, "name": "F", "props": "\#(props)"}"#
    let items = #"""
      "TypeSection": [{"dsid": 1, "name": "S"}], "SectionToForm": [{"dsid": 1, "form": 1, "section": 1}],
      "QuestionToSection": [{"dsid": 1, "question": 1, "section": 1, "order": 1}],
      """#
    #expect(
      found(#""TypeForm": [{"dsid": 1, "name": "F"}],"#, #"\#(items) "TypeForm": [\#(form)],"#)
        == ["warning: TypeForm 1: 'props' names the item 'wash', which the form does not have: it has no effect"])
    #expect(found(#"{"dsid": 1, "name": "F"}"#, form) == [])
  }

  @Test(
    "what cannot work is a warning",
    arguments: [
      (#""studentNumber": "a2""#, #""studentNumber": "A1""#, "duplicate candidate number 'A1' (first on line "),
      (#""studentNumber": "a2""#, #""studentNumber": " A1""#, "duplicate candidate number ' A1' (first on line "),
      (
        #""studentNumber": "a2""#, #""studentNumber": "a2\u00a0""#,
        "candidate number 'a2\u{A0}' begins or ends with a blank: remove it"
      ),
      (#""studentNumber": "a2", "#, "", "candidate 'Two' has no 'studentNumber'"),
      (
        #""studentNumber": "a2""#, #""studentNumber": "a2\u200b""#,
        #"candidate number 'a2\u{200b}' has a character that cannot be seen: remove U+200B"#
      ),
      (
        #""username": "ben""#, #""username": "b\u001ben""#,
        #"username 'b\u{1b}en' has a character that cannot be seen: remove U+001B"#
      ),
      (#""username": "ben""#, #""username": "Ann""#, "duplicate username 'Ann' (first on line "),
      (#""staff": 2"#, #""staff": 1"#, "'ann' is at stations 'S1' and 'S2' at the same time"),
      (
        #""timetable": 2, "student": 12"#, #""timetable": 1, "student": 12"#,
        "session: station 'S1' has two candidates in round 1, the first on line "
      ),
      (
        #""timetable": 2, "student": 12"#, #""timetable": 2, "student": 11"#,
        "session: candidate 'One' is at two stations in round 1, the first on line "
      ),
      (
        #""dsid": 2, "activityType": 2, "staff""#, #""dsid": 2, "activityType": 1, "staff""#,
        "session: station 'S1' has two rows of Timetable at 2026-12-07 09:00, the first on line "
      ),
      (#""endTime": "09:30""#, #""endTime": "08:30""#, "session: circuit 'Red' ends at 08:30, before it starts"),
      (
        #""endTime": "09:30""#, #""endTime": "09:08""#,
        "session: circuit 'Red' ends at 09:08, but its phases take until"
      ),
      (#""durationType": "rotation""#, #""durationType": "rotatoin""#, "circuit 'Red' has no rotation phase"),
      (#""step": 1"#, #""step": 0.5"#, "item 'q': no key marks 1.5"),
      (
        #""name": "Red""#, #""name": "Red", "warnings": "[{\"type\":\"rotation\",\"seconds\":600,\"level\":\"red\"}]""#,
        "circuit 'Red' has a warning at 600 s left, but its rotation lasts 300 s"
      ),
      (
        #""name": "Red""#, #""name": "Red", "warnings": "[{\"type\":\"rotaton\",\"seconds\":60,\"level\":\"red\"}]""#,
        "circuit 'Red' has a warning in the phase 'rotaton', which it does not have: it has no effect (did you mean "
          + "'rotation'?)"
      ),
    ])
  func warned(_ old: String, _ new: String, _ message: String) {
    #expect(Self.bundle.contains(old))
    let found = found(old, new)
    #expect(found.contains { $0.hasPrefix("warning: \(message)") }, "\(found)")
    #expect(!found.contains { $0.hasPrefix("error") }, "\(found)")
  }

  @Test("a number of two candidates in two bundles is a duplicate, one that a later bundle says again is not")
  func severalBundles() {
    let folder = Scratch()
    func found(_ second: String) -> [String] {
      folder.write("one.json", #"{"entities": {"Student": [{"dsid": 1, "studentNumber": "a1", "surname": "One"}]}}"#)
      folder.write("two.json", #"{"entities": {"Student": [\#(second)]}}"#)
      let paths = ["one", "two"].map { "\(folder.path)/\($0).json" }
      return ExamCheck.problems(ofEach: paths, today: nil).flatMap { $0 }.map(\.message)
    }
    let other = #"{"dsid": 2, "studentNumber": "A1", "surname": "Two"}"#
    #expect(found(other) == ["duplicate candidate number 'A1' (first at \(folder.path)/one.json:1)"])
    #expect(found(#"{"dsid": 1, "studentNumber": "a1", "surname": "One"}"#) == [])
    #expect(found(#"\#(other), {"dsid": 1, "studentNumber": "a2", "surname": "One"}"#) == [])
    #expect(found(#"\#(other), {"dsid": 1, "studentNumber": "a1", "surname": "One", "dsDeleted": true}"#) == [])
  }
}

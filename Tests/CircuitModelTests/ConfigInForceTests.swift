import GRDB
import Journal
import Testing

@testable import CircuitModel
@testable import ExamStore
@testable import Reports

@Suite("The settings of an exam at a terminal of a university") struct ConfigInForceTests {
  private func exam(_ rows: [(code: String?, digits: Int)]) throws -> TestStore {
    let exam = try TestStore()
    try exam.store.write(.program) { transaction in
      for (index, row) in rows.enumerated() {
        try transaction.create(
          "Config", "\(index + 1)",
          [
            "examName": .text("Exam \(index + 1)"), "timeZone": .text("Europe/London"),
            "universityCode": row.code.map { .text($0) } ?? .null,
            "settings": .text(#"{"identityDigits":\#(row.digits),"results":{"n":\#(index + 1)}}"#),
          ].filter { $0.value != .null })
      }
    }
    return exam
  }

  private func look(_ exam: TestStore, at university: String?) throws -> (digits: Int, member: String?, text: String?) {
    try exam.store.read {
      let settings = try ExamSettings.read($0, for: university)
      let json = try ExamSettings.json($0, for: university)
      #expect((json == nil) == (try ExamSettings.member("results", $0, for: university) == nil))
      return (
        settings.stations.identityDigits, try ExamSettings.member("results", $0, for: university),
        try ConfigInForce.foreignText($0, for: university)
      )
    }
  }

  @Test("hold by themselves where the codes match, or one of them says none") func hold() throws {
    let pairs: [(String?, String?)] = [
      ("liverpool", "liverpool"), ("Liverpool ", "liverpool"), (nil, "liverpool"), ("", "liverpool"),
      ("liverpool", nil),
    ]
    for (code, university) in pairs {
      let seen = try look(exam([(code, 2)]), at: university)
      #expect(seen.digits == 2 && seen.member != nil && seen.text == nil, "\(code ?? "-") \(university ?? "-")")
    }
  }

  @Test("do not hold where they are another university's, and it is said which; name and time zone do")
  func foreign() throws {
    let exam = try exam([("manchester", 2)])
    let seen = try look(exam, at: "liverpool")
    #expect(seen.digits == 0 && seen.member == nil)
    #expect(
      seen.text == "settings of manchester NOT APPLIED: this terminal belongs to liverpool (university in config.yaml)")
    let settings = try exam.store.read { try ExamSettings.read($0, for: "liverpool") }
    #expect(settings.name == "Exam 1" && settings.timeZone == "Europe/London")
    // As soon as the code is another, so are the settings.
    try exam.store.write(.program) { try $0.set("Config", "1", ["universityCode": .text("liverpool")]) }
    let after = try look(exam, at: "liverpool")
    #expect(after.digits == 2 && after.text == nil)
  }

  @Test("are those of the row with the terminal's code, else of one without, whatever comes first") func several()
    throws
  {
    let exam = try exam([("manchester", 0), (nil, 0), ("liverpool", 2)])
    let own = try look(exam, at: "liverpool")
    #expect(own.digits == 2 && own.member == #"{"n":3}"# && own.text == nil)
    let other = try look(exam, at: "leeds")
    #expect(other.member == #"{"n":2}"# && other.text == nil)
    #expect(try look(exam, at: nil).member == #"{"n":1}"#)
  }
}

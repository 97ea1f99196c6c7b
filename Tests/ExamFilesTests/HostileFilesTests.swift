import Foundation
import SeededNumbers
import Testing

@testable import ExamFiles

@Suite("Hostile files")
struct HostileFilesTests {
  private func isSafe(_ line: String) -> Bool {
    line.unicodeScalars.allSatisfy {
      switch $0.value {
      case 0...0x1F, 0x7F...0x9F, 0x200B...0x200F, 0x202A...0x202E, 0x2028, 0x2029, 0x2066...0x2069, 0xFEFF: false
      default: true
      }
    }
  }

  @Test("names and texts full of control sequences are read as they are")
  func read() throws {
    let (plan, problems) = ExamFolder.read(Fixtures.path("hostile"))
    #expect(problems.map(\.description) == [])
    let exam = try #require(plan)
    #expect(exam.candidates.contains { $0.surname.unicodeScalars.contains("\u{1B}") })
    #expect(exam.candidates.contains { $0.surname.unicodeScalars.contains("\u{202E}") })
  }

  @Test("a problem shows them escaped, on one line")
  func shown() {
    let texts = [
      "\u{1B}]0;x\u{7}", "a\nb", "\u{9B}2J", "\u{202E}abc", "a\u{200B}b", "\u{2028}",
      String(repeating: "x", count: 65_536),
    ]
    for text in texts {
      let problem = Problem(.error, file: text, line: 0, "unknown " + Visible.quoted(text))
      #expect(isSafe(problem.description))
      #expect(problem.description.utf8.count < 20_000)
      let quoted = Visible.quoted(text)
      #expect(quoted.utf8.count < 300)
    }
  }

  @Test("a surname that shows nothing is none, and a number or username holds nothing that cannot be seen")
  func unseen() {
    var exam = SmallExam()
    exam.candidates = "number,surname\n1,\u{200B}\u{3164}\n2,\u{2800} \n3\u{200B},Three\n\"4\n\",Four\n"
    let problems = exam.read().problems
    for line in [
      #"candidates.csv:2: candidate: 'surname' shows nothing: '\u{200b}\u{3164}'"#,
      "candidates.csv:3: candidate: 'surname' shows nothing: '\u{2800}'",
      #"candidates.csv:4: candidate number '3\u{200b}' has a character that cannot be seen: remove U+200B"#,
    ] {
      #expect(problems.contains(line), "\(problems)")
    }
    #expect(UnseenCharacter.fault(of: "3\u{1B}[31m0", "username")?.hasSuffix("remove U+001B") == true)
    #expect(UnseenCharacter.fault(of: "30101", "username") == nil)
  }

  @Test("a name of 64 kB is read")
  func longName() throws {
    var exam = SmallExam()
    let name = String(repeating: "é", count: 32_768)
    exam.candidates = "number,surname\n1,\(name)\n2,Two\n"
    #expect(try #require(exam.read().plan).candidates[0].surname == name)
  }

  @Test("what no store takes of a folder is named with its file and line")
  func beyondBounds() {
    var exam = SmallExam()
    let long = String(repeating: "x", count: 65_537)
    exam.candidates = "number,surname\n1,One\n2,\(long)\n"
    exam.sheet = exam.sheet.replacingOccurrences(of: "Washes hands", with: long)
    exam.exam = exam.exam.replacingOccurrences(of: "name: Second", with: "name: \(long)")
    let fault = "a text here has 65537 bytes; it must have at most 65536"
    #expect(
      exam.read().problems == ["candidates.csv:3", "exam.yaml:6", "sheets/A.yaml:7"].map { "\($0): \(fault)" })
  }

  @Test("more people or phrases than an exam's settings hold are named where they stand")
  func largeSettings() {
    var exam = SmallExam()
    exam.staff += (0..<12_000).map { "assessor\($0),Somebody\n" }.joined()
    let sizes = "an exam's settings have at most 262144 bytes, and these have"
    #expect(
      exam.read().problems == [
        "staff.csv:1: too many people, whose usernames and roles the settings hold: \(sizes) 312948; "
          + "leave out who is not at this exam"
      ])
    exam = SmallExam()
    exam.exam += "\nphrases:\n" + (0..<9_000).map { "  - A phrase of thirty letters \($0)\n" }.joined()
    let problems = exam.read().problems
    #expect(problems.count == 1)
    #expect(problems.first?.contains("exam.yaml:1: too many phrases, which the settings hold: \(sizes)") == true)
  }

  @Test("aliases of aliases are refused before they unfold")
  func aliases() {
    var exam = SmallExam()
    var lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    for level in 1...9 {
      lines.append("a\(level): &a\(level) [" + (1...10).map { _ in "*a\(level - 1)" }.joined(separator: ", ") + "]")
    }
    exam.exam = lines.joined(separator: "\n") + "\n? *a9\n: x\n"
    #expect(exam.read().problems.contains { $0.contains("exam.yaml:2: anchors and aliases") })
  }

  @Test("an ampersand and an asterisk in a text are no alias")
  func ampersand() {
    var exam = SmallExam()
    exam.exam = exam.exam.replacingOccurrences(of: "name: Third", with: "name: History & *examination* of R&D")
    #expect(exam.read().problems == [])
  }

  @Test("a thousand warnings hide no error")
  func manyWarnings() throws {
    let scratch = Scratch()
    let rows = (1...1100).map {
      #"{"dsid": \#($0), "examName": "x", "settings": {"backup": {"path": "/tmp/x"}}}"#
    }
    scratch.write(
      "many.json",
      #"{"entities": {"Config": [\#(rows.joined(separator: ", "))], "Timetable": [{"dsid": 5, "staff": 888888}]}}"#)
    let (bundle, problems) = BundleReader.read(scratch.path + "/many.json")
    #expect(bundle == nil && problems.count { $0.severity == .warning } == 1000)
    #expect(problems.contains { $0.severity == .error && $0.message.contains("888888") })
    scratch.write("wrong.json", #"{"entities": {"Config": [\#(rows.joined(separator: ", "))], "Nobody": []}}"#)
    #expect(BundleReader.read(scratch.path + "/wrong.json").bundle == nil)
  }

  @Test("what is too deep, too large or no file is refused in one line")
  func limits() {
    let scratch = SmallExam().write()
    func lines() -> [String] { ExamFolder.read(scratch.path).problems.map(\.description) }
    for text in [
      String(repeating: "[", count: 100_000), String(repeating: "- ", count: 100_000),
      String(repeating: "? ", count: 100_000),
    ] {
      scratch.write("exam.yaml", text)
      #expect(lines().count { $0.hasPrefix("exam.yaml:1:") } == 1)
    }
    scratch.write("exam.yaml", [UInt8](repeating: 0x23, count: SourceFile.sizeLimit + 1))
    #expect(lines().contains("exam.yaml:1: larger than 16 MB: this is not an exam file"))
    try? FileManager.default.removeItem(atPath: scratch.path + "/exam.yaml")
    mkfifo(scratch.path + "/exam.yaml", 0o600)
    #expect(lines().contains("exam.yaml:1: this is not a file"))
  }

  @Test("a file of noise gives problems, never a crash")
  func noise() {
    let seed =
      ProcessInfo.processInfo.environment["OSCE_SEED"].flatMap(UInt64.init) ?? UInt64.random(in: 0...UInt64.max)
    var random = Seeded(seed: seed)
    let scratch = SmallExam().write()
    let names = ["exam.yaml", "candidates.csv", "staff.csv", "sheets/A.yaml"]
    for round in 0..<120 {
      let name = names[round % names.count]
      let original = Array(scratch.text(name).utf8)
      var bytes = original
      for _ in 0...Int.random(in: 0..<6, using: &random) where !bytes.isEmpty {
        let at = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes[at] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.remove(at: at)
        default: bytes.insert(Array("{}[]:,\"'|>&*#-?\n\t ".utf8).randomElement(using: &random)!, at: at)
        }
      }
      scratch.write(name, bytes)
      let (plan, problems) = ExamFolder.read(scratch.path)
      #expect(plan != nil || problems.hasErrors, "OSCE_SEED=\(seed)")
      #expect(problems.allSatisfy { isSafe($0.description) }, "OSCE_SEED=\(seed)")
      let source = SourceFile(bytes: bytes, name: "x.json", problems: ProblemList())
      if let source { #expect(BundleReader.read(source).problems.hasErrors, "OSCE_SEED=\(seed)") }
      scratch.write(name, original)
    }
  }
}

import Journal
import SeededNumbers
import Terminal
import Testing

@testable import CircuitModel
@testable import ExamStore
@testable import OsceTUI
@testable import Reports

/// What is printed on the levels of an item says what their keys mark.
@MainActor @Suite("Printed levels")
struct PrintedLevelsTests {
  private func item(_ values: [Double], rating: Double? = nil) -> SheetItem {
    let template = ItemTemplate(
      link: 1, question: 1, kind: .rating, text: "Item", information: nil, isMandatory: false, suggestsPositive: false,
      allowsUnable: false, threshold: nil, lowerThreshold: nil,
      levels: values.map { Level(value: MarkValue($0)!, text: "", descriptor: nil) })
    return SheetItem(
      key: "item", entity: "RatingQuestion", template: template, rating: rating.flatMap { MarkValue($0) },
      isUnable: false, feedback: "", markedAt: nil, descriptor: nil, judge: nil, enteredBy: nil, work: WorkFacts(),
      tags: [], isCompletedCase: false, isRecommended: false, shown: .unknown)
  }

  private func printed(_ item: SheetItem, room: Int) -> String {
    let template = SheetTemplate(
      form: 1, code: nil, name: "", assessorInstructions: nil, candidateInstructions: nil, hidesTotal: false,
      globalRating: nil, isPilot: false, sections: [])
    return SheetAnswer(
      item, keys: LevelKeys([item.template]), sign: .disk, columns: nil, unableWidth: 0, room: room,
      word: SheetAnswerWord(of: item, in: template, sign: .disk, contradictions: 0, hasTitles: false), .standard()
    ).levels.map(\.0.plain).joined()
  }

  @Test("a key that is not the value has the value beside it, or stands away: a bare 3 for one and a half misleads")
  func halves() {
    let halves = Array(stride(from: 0.0, through: 4, by: 0.5))
    #expect(printed(item(halves), room: 60) == " 1=0  2=0.5  3=1  4=1.5  5=2  6=2.5  7=3  8=3.5  9=4 ")
    #expect(printed(item(halves), room: 37) == " 1=0 ........... 9=4 ")
    #expect(printed(item(halves, rating: 1.5), room: 37) == " 1=0 ..[4=1.5].. 9=4 ")
    #expect(printed(item(halves, rating: 2), room: 37) == " 1=0 .. [5=2] .. 9=4 ")
    #expect(printed(item(halves, rating: 4), room: 37) == " 1=0 ...........[9=4]")
    let shifted = Array(stride(from: 0.0, through: 9, by: 1)).reversed() as [Double]
    #expect(printed(item(shifted), room: 30) == " 9  8  7  6  5  4  3  2  1  0 ")
  }

  @Test("whatever the section, each key printed on a row marks the value that is printed with it")
  func everyKey() {
    let seed = Seeded.seed
    var random = Seeded(seed: seed)
    for _ in 0..<500 {
      let (first, step) = (Double(Int.random(in: -2...3, using: &random)), [0.5, 1, 2].randomElement(using: &random)!)
      let values = (0..<Int.random(in: 2...10, using: &random)).map { first + Double($0) * step }
      let item = item(values, rating: Bool.random(using: &random) ? values.randomElement(using: &random) : nil)
      let text = printed(item, room: Int.random(in: 25...40, using: &random))
      for match in text.matches(of: /([0-9t])(?:=(-?[0-9.]*[0-9]))?/) {
        let (key, value) = (match.output.1, match.output.2 ?? match.output.1)
        let place = item.template.levels.firstIndex { $0.value == Double(value).flatMap { MarkValue($0) } }
        #expect(
          LevelKeys([item.template]).meaning(of: key.first!, in: item.template) == .level(place ?? -1),
          "\(text), OSCE_SEED=\(seed)")
      }
    }
  }
}

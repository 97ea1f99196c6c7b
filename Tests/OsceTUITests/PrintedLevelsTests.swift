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
  private func item(_ values: [Double], rating: Double? = nil, _ kind: ItemKind = .rating) -> SheetItem {
    let template = ItemTemplate(
      link: 1, question: 1, kind: kind, text: "Item", information: nil, isMandatory: false, suggestsPositive: false,
      allowsUnable: false, threshold: nil, lowerThreshold: nil,
      levels: values.map { Level(value: MarkValue($0)!, text: "", descriptor: nil) })
    return SheetItem(
      key: "item", entity: "RatingQuestion", template: template, rating: rating.flatMap { MarkValue($0) },
      isUnable: false, feedback: "", markedAt: nil, descriptor: nil, judge: nil, enteredBy: nil, work: WorkFacts(),
      tags: [], isCompletedCase: false, isRecommended: false, shown: .unknown)
  }

  private func printed(_ item: SheetItem, room: Int, _ labels: LevelLabels = LevelLabels()) -> String {
    let template = SheetTemplate(
      form: 1, code: nil, name: "", assessorInstructions: nil, candidateInstructions: nil, hidesTotal: false,
      globalRating: nil, isPilot: false, sections: [])
    return SheetAnswer(
      item, labels: labels, sign: .disk, columns: nil, unableWidth: 0, room: room,
      word: SheetAnswerWord(of: item, in: template, sign: .disk, contradictions: 0), .standard()
    ).levels.map(\.0.plain).joined()
  }

  @Test("a level prints its key, with the value where that is another, and = with the value where it has none")
  func forms() {
    #expect(printed(item([0, 0.5, 1]), room: 37) == " 0  h=0.5  1 ")
    #expect(printed(item([0, 0.5, 1], rating: 0.5), room: 37) == " 0 [h=0.5] 1 ")
    #expect(printed(item([-1, 1.5, 10, 12]), room: 37) == " =-1  =1.5  t=10  =12 ")
    #expect(printed(item([1, 1, 2]), room: 37) == " =1  =1  2 ")
    #expect(printed(item([-2, 2], .binary), room: 37) == " n=-2  2 ")
    #expect(printed(item([-2, 12], .binary), room: 37) == " n=-2  y=12 ")
    let ten = Array(stride(from: 1.0, through: 10, by: 1))
    #expect(printed(item(ten, rating: 10), room: 37) == " 1  2  3  4  5  6  7  8  9 [t=10]")
  }

  @Test("where there is little room, keys stand alone; where there is less, the keys are said in few words")
  func littleRoom() {
    let halves = Array(stride(from: 0.0, through: 4, by: 0.5))
    #expect(printed(item(halves), room: 60) == " 0  h=0.5  1  =1.5  2  =2.5  3  =3.5  4 ")
    #expect(printed(item(halves), room: 37) == " 0  h  1  =1.5  2  =2.5  3  =3.5  4 ")
    #expect(printed(item(halves), room: 30) == " 0-4 h =__ of 4 ")
    #expect(printed(item(halves, rating: 1.5), room: 30) == " [1.5] of 4 ")
    let twenty = Array(stride(from: 0.0, through: 20, by: 1))
    #expect(printed(item(twenty), room: 80) == " 0-9 t =__ of 20 ")
    #expect(printed(item(twenty, rating: 17), room: 80) == " [17] of 20 ")
  }

  @Test("keys that a person has chosen are the ones that are printed and named")
  func remapped() {
    let labels = LevelLabels(keys: [
      "sheet.half": ["v"], "sheet.ten": [], "sheet.number": ["#"], "sheet.no": ["x"], "sheet.yes": ["o"],
    ])
    let odd = item([0, 0.5, 10, 12])
    #expect(printed(odd, room: 37, labels) == " 0  v=0.5  #10  #12 ")
    #expect(labels.keys(of: odd.template) == "0, v")
    #expect(labels.keys(of: item([0, 1], .binary).template) == "0 or x, 1 or o")
  }

  @Test("the key that was chosen for unable to assess is printed on the row and in the detail")
  func remappedUnable() throws {
    var configuration = Configuration()
    configuration.keys = ["sheet.unable": ["ctrl-u"]]
    let play = try Rehearsed((120, 40), configuration: configuration).mark("aalrashid", at: "NEWS")
    play.press("'").type("8\n")
    #expect(play.screen.contains(" Ctrl-U  unable to assess"))
    play.press("ctrl-u", "k", "k")
    #expect(play.item(8).isUnable && play.focus == 8)
    #expect(play.lines.contains { $0.contains("Empathy") && $0.contains("[Ctrl-U]") })
    #expect(play.screen.contains("[Ctrl-U] unable to assess"))
    #expect(!play.screen.contains("[u]"))
  }

  @Test("a refusal names the item's own keys")
  func refusals() {
    func refused(_ key: MarkKey, _ values: [Double], _ kind: ItemKind = .rating) -> String {
      let template = item(values, nil, kind).template
      guard case .refused(let reason) = LevelKeys.meaning(of: key, in: template) else { return "marked" }
      return LevelLabels().refusal(reason, of: key, in: template).plain
    }
    #expect(refused(.digit(3), [0, 1, 2]) == "3 is not a level of this item: the keys are 0 to 2")
    #expect(refused(.digit(0), [1, 2, 3]) == "0 is not a level of this item: the keys are 1 to 3")
    #expect(refused(.half, [1, 3, 5]) == "h is not a level of this item: the keys are 1, 3, 5")
    #expect(refused(.digit(2), [0, 1], .binary) == "2 is not a level of this item: the keys are 0 or n, 1 or y")
    #expect(refused(.ten, [0, 1.5]) == "t is not a level of this item: the keys are 0; = types the others")
    #expect(refused(.digit(1), [-1, 1.5]) == "1 is not a level of this item: = types a value")
    #expect(refused(.digit(1), [1, 1, 2]) == "2 levels are worth 1: = 1 Enter asks which")
    #expect(refused(.digit(1), [], .markingMatrix) == "this item has no levels, so nothing marks it")
  }

  private func item(_ values: [Double], _ rating: Double?, _ kind: ItemKind) -> SheetItem {
    item(values, rating: rating, kind)
  }

  @Test("whatever the scale and the room, each key printed on a row marks the value that is printed with it")
  func everyKey() {
    let seed = Seeded.seed
    var random = Seeded(seed: seed)
    for _ in 0..<500 {
      let (first, step) = (Double(Int.random(in: -2...3, using: &random)), [0.5, 1, 2].randomElement(using: &random)!)
      let values = (0..<Int.random(in: 2...11, using: &random)).map { first + Double($0) * step }
      let item = item(values, rating: Bool.random(using: &random) ? values.randomElement(using: &random) : nil)
      let text = printed(item, room: Int.random(in: 25...60, using: &random))
      if text.contains(" of ") { continue }
      let levels = PrintedLevels(text).levels
      #expect(levels.map(\.value) == item.template.levels.map(\.value), "\(text), OSCE_SEED=\(seed)")
      for (place, level) in levels.enumerated() {
        let key = level.key.map { LevelKeys.meaning(of: $0, in: item.template) }
        #expect(key == nil || key == .level(place), "\(text), OSCE_SEED=\(seed)")
      }
    }
  }
}

/// The levels printed on an item's row, from the left: ` 0  1 [2]`, ` 0  h=0.5  1`, ` 9  t`, ` 0  =1.5`.
struct PrintedLevels {
  var levels: [(key: MarkKey?, value: MarkValue)] = []

  /// What each key marks.
  var values: [MarkKey: MarkValue] {
    Dictionary(uniqueKeysWithValues: levels.compactMap { level in level.key.map { ($0, level.value) } })
  }

  init(_ row: String) {
    // The levels stand at the right of the text; "u" and the bar of the focus are no level.
    for part in row.split(separator: " ").reversed() {
      let text = part.filter { !"[]()".contains($0) }
      if text == "u" || text == "▐" { continue }
      guard let level = PrintedLevels.level(String(text)) else { break }
      levels.insert(level, at: 0)
    }
  }

  private static func level(_ text: String) -> (key: MarkKey?, value: MarkValue)? {
    guard let first = text.first else { return nil }
    let rest = String(text.dropFirst())
    if first == "=" { return Double(rest).flatMap { MarkValue($0) }.map { (nil, $0) } }
    let known: (MarkKey, Double)? =
      switch first {
      case "h": (.half, 0.5)
      case "t": (.ten, 10)
      case "n": (.no, 0)
      case "y": (.yes, 1)
      default: first.isASCII ? first.wholeNumberValue.map { (.digit($0), Double($0)) } : nil
      }
    guard let (key, worth) = known else { return nil }
    if rest.isEmpty { return MarkValue(worth).map { (key, $0) } }
    guard rest.first == "=" else { return nil }
    return Double(rest.dropFirst()).flatMap { MarkValue($0) }.map { (key, $0) }
  }
}

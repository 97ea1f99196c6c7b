import SeededNumbers
import Testing

@testable import CircuitModel
@testable import ExamStore
@testable import Reports

@Suite("Level keys")
struct LevelKeysTests {
  /// Every key that can mean a level, with what it says that the level is worth.
  private static let worth: [(MarkKey, Double)] =
    (0...9).map { (.digit($0), Double($0)) } + [(.ten, 10), (.half, 0.5)]

  private func item(_ values: [Double], _ kind: ItemKind = .rating) -> ItemTemplate {
    ItemTemplate(
      link: 1, question: 1, kind: kind, text: "Item", information: nil, isMandatory: false, suggestsPositive: false,
      allowsUnable: false, threshold: nil, lowerThreshold: nil,
      levels: values.map { Level(value: MarkValue($0)!, text: "", descriptor: nil) })
  }

  private func accepted(_ item: ItemTemplate) -> [MarkKey: Double] {
    var result: [MarkKey: Double] = [:]
    for key in LevelKeysTests.worth.map(\.0) + [.yes, .no] {
      if case .level(let index) = LevelKeys.meaning(of: key, in: item) { result[key] = item.levels[index].value.number }
    }
    return result
  }

  @Test("a digit is the mark, t is ten and h a half, wherever the level stands")
  func keyIsTheMark() {
    #expect(accepted(item([0, 1, 2])) == [.digit(0): 0, .digit(1): 1, .digit(2): 2])
    #expect(accepted(item([4, 2, 0])) == [.digit(0): 0, .digit(2): 2, .digit(4): 4])
    #expect(accepted(item([0, 0.5, 1])) == [.digit(0): 0, .half: 0.5, .digit(1): 1])
    #expect(accepted(item([0, 10])) == [.digit(0): 0, .ten: 10])
    #expect(accepted(item([-1, 0.25, 1.5, 12])).isEmpty)
    let hundred = item(Array(stride(from: 0.0, through: 100, by: 1)), .rating)
    #expect(accepted(hundred).count == 11 && accepted(hundred)[.ten] == 10)
  }

  @Test("the order of an item's levels and what else its section has change no key")
  func noPosition() {
    #expect(LevelKeys.meaning(of: .digit(1), in: item([0, 0.5, 1])) == .level(2))
    #expect(LevelKeys.meaning(of: .digit(1), in: item([1, 2, 3])) == .level(0))
    #expect(LevelKeys.meaning(of: .digit(3), in: item([0, 0.5, 1])) == .refused(.noSuchLevel))
    #expect(LevelKeys.meaning(of: .digit(0), in: item([1, 2, 3])) == .refused(.noSuchLevel))
  }

  @Test("yes and no answer an item of two answers, whatever they are worth, but never against their order")
  func yesAndNo() {
    for kind: ItemKind in [.binary, .boolean] {
      #expect(accepted(item([0, 1], kind)) == [.digit(0): 0, .digit(1): 1, .no: 0, .yes: 1])
      #expect(accepted(item([-2, 2], kind)) == [.digit(2): 2, .no: -2, .yes: 2])
      #expect(accepted(item([-1, 0.5], kind)) == [.half: 0.5, .no: -1, .yes: 0.5])
      #expect(accepted(item([1, 0], kind)) == [.digit(0): 0, .digit(1): 1])
      #expect(accepted(item([1, 1], kind)).isEmpty)
    }
    #expect(LevelKeys.key(of: 0, in: item([-2, 2], .binary)) == .no)
    #expect(LevelKeys.key(of: 1, in: item([-2, 2], .binary)) == .digit(2))
    #expect(LevelKeys.meaning(of: .yes, in: item([0, 1])) == .refused(.noSuchLevel))
  }

  @Test("a value that two levels share is named by no key and asked about when it is typed")
  func shared() {
    let scale = item([0, 1, 1, 2], .markingMatrix)
    #expect(LevelKeys.meaning(of: .digit(1), in: scale) == .refused(.shared(MarkValue(1)!)))
    #expect((0..<4).map { LevelKeys.key(of: $0, in: scale) } == [.digit(0), nil, nil, .digit(2)])
    #expect(LevelKeys.meaning(typed: "1", in: scale) == .shared([1, 2]))
    #expect(LevelKeys.meaning(typed: "2", in: scale) == .level(3))
  }

  @Test("what has no levels, and what is written, is marked by no key")
  func none() {
    #expect(LevelKeys.meaning(of: .digit(1), in: item([], .markingMatrix)) == .refused(.noLevels))
    #expect(LevelKeys.meaning(of: .digit(1), in: item([], .text)) == .refused(.written))
    #expect(LevelKeys.keys(of: item([], .markingMatrix)).isEmpty)
  }

  @Test("any level's value can be typed, with a point or a comma, and nothing else")
  func typed() {
    let scale = item([-1, 0, 0.25, 1.5, 12])
    let typed = ["-1": 0, "0": 1, ".25": 2, "0,25": 2, "1.5": 3, "1,5": 3, "1.50": 3, "12": 4]
    for (text, index) in typed { #expect(LevelKeys.meaning(typed: text, in: scale) == .level(index), "\(text)") }
    for text in [" ", "x", "nan", "inf", "1e1", "0x1", "1,5,0", "1.2.3", "१", "-", "--1", "1 2"] {
      #expect(LevelKeys.meaning(typed: text, in: scale) == .notANumber, "\(text)")
    }
    #expect(LevelKeys.meaning(typed: "", in: scale) == .empty)
    for (text, value) in [("21", 21.0), ("0.5", 0.5), ("1", 1)] {
      #expect(LevelKeys.meaning(typed: text, in: scale) == .noSuchLevel(MarkValue(value)!), "\(text)")
    }
  }

  @Test("whatever the scale, a key marks the only level that is worth what it says, or nothing")
  func everyKey() {
    let seed = Seeded.seed
    var random = Seeded(seed: seed)
    for _ in 0..<5_000 {
      let step = [0.25, 0.5, 1, 1, 1, 2].randomElement(using: &random)!
      let first = Double(Int.random(in: -2...4, using: &random)) * step
      var values = (0..<Int.random(in: 1...14, using: &random)).map { first + Double($0) * step }
      if Bool.random(using: &random) { values.shuffle(using: &random) }
      if Int.random(in: 0..<4, using: &random) == 0 { values.append(values.randomElement(using: &random)!) }
      let item = item(values)
      for (key, worth) in LevelKeysTests.worth {
        let matching = values.indices.filter { values[$0] == worth }
        switch LevelKeys.meaning(of: key, in: item) {
        case .level(let index): #expect(matching == [index], "\(key) on \(values), OSCE_SEED=\(seed)")
        case .refused: #expect(matching.count != 1, "\(key) on \(values), OSCE_SEED=\(seed)")
        }
      }
      for index in values.indices {
        guard let key = LevelKeys.key(of: index, in: item) else { continue }
        #expect(LevelKeys.meaning(of: key, in: item) == .level(index), "\(values), OSCE_SEED=\(seed)")
      }
    }
  }
}

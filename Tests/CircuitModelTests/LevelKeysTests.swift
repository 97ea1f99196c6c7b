import SeededNumbers
import Testing

@testable import CircuitModel
@testable import ExamStore
@testable import Reports

@Suite("Level keys")
struct LevelKeysTests {
  private func item(_ values: [Double], _ kind: ItemKind = .rating) -> ItemTemplate {
    ItemTemplate(
      link: 1, question: 1, kind: kind, text: "Item", information: nil, isMandatory: false, suggestsPositive: false,
      allowsUnable: false, threshold: nil, lowerThreshold: nil,
      levels: values.map { Level(value: MarkValue($0)!, text: "", descriptor: nil) })
  }

  private func accepted(_ item: ItemTemplate, in section: [ItemTemplate]) -> [Character: Double] {
    var result: [Character: Double] = [:]
    for key in "0123456789tyn" {
      if case .level(let index) = LevelKeys(section).meaning(of: key, in: item) {
        result[key] = item.levels[index].value.number
      }
    }
    return result
  }

  @Test("where every level of the section has its own whole value from 0 to 9, the key is the value")
  func byValue() {
    let section = [item([0, 1, 2, 3, 4]), item([1, 3, 5]), item([0, 1], .binary)]
    #expect(LevelKeys(section).scheme == .value)
    #expect(accepted(section[0], in: section) == ["0": 0, "1": 1, "2": 2, "3": 3, "4": 4])
    #expect(accepted(section[1], in: section) == ["1": 1, "3": 3, "5": 5])
  }

  @Test(
    "one item with halves, a tenth level, a value of ten or the same value twice makes it the position, for all of them"
  )
  func byPosition() {
    for odd in [[0, 0.5, 1], Array(stride(from: 1.0, through: 10, by: 1)), [0, 10], [1, 1, 2], [-1, 0, 1]] {
      let section = [item([0, 1, 2]), item(odd)]
      #expect(LevelKeys(section).scheme == .position, "\(odd)")
      #expect(accepted(section[0], in: section) == ["1": 0, "2": 1, "3": 2], "\(odd)")
    }
  }

  @Test("binary items and written ones do not decide a section's rule")
  func binaryDoesNotCount() {
    #expect(LevelKeys([item([0, 0.5], .binary), item([], .text), item([0, 1, 2])]).scheme == .value)
  }

  @Test("the tenth level is t, and 0 never means ten")
  func ten() {
    let scale = item(Array(stride(from: 1.0, through: 10, by: 1)))
    #expect(accepted(scale, in: [scale])["t"] == 10)
    #expect(LevelKeys([scale]).meaning(of: "0", in: scale) == .refused("this scale has no 0: the keys are 1 to t"))
    let short = item([1, 2, 3])
    #expect(LevelKeys([short]).meaning(of: "0", in: short) == .refused("this scale has no 0: the keys are 1 to 3"))
    #expect(LevelKeys([short]).meaning(of: "t", in: short) == .refused("no level t here: the keys are 1 to 3"))
  }

  @Test("the keys are named one by one where some between them are missing")
  func gaps() {
    let scale = item([1, 3, 5])
    #expect(LevelKeys([scale]).range(of: scale) == "1, 3, 5")
    #expect(LevelKeys([scale]).meaning(of: "2", in: scale) == .refused("no level 2 here: the keys are 1, 3, 5"))
  }

  @Test("a binary item is 1 or y, 0 or n, whatever its values and their order")
  func binary() {
    for values in [[0.0, 1.0], [0, 2], [1, 0], [-1, 0.5]] {
      for kind: ItemKind in [.binary, .boolean] {
        let item = item(values, kind)
        let (high, low) = (values.max()!, values.min()!)
        #expect(accepted(item, in: [item]) == ["1": high, "y": high, "0": low, "n": low], "\(values)")
      }
    }
  }

  @Test("more than ten levels are typed as a number, and only numbers on the scale are taken")
  func typed() {
    let scale = item(Array(stride(from: 0.0, through: 20, by: 1)))
    #expect(accepted(scale, in: [scale]).isEmpty)
    #expect(LevelKeys([scale]).key(of: 3, in: scale) == nil)
    #expect(LevelKeys.level(typed: "17", in: scale) == .level(17))
    #expect(LevelKeys.level(typed: "0", in: scale) == .level(0))
    for text in ["", " ", "x", "nan", "inf", "1e1", "0x1", "21", "-1", "0.5", "1,5", "१"] {
      guard case .refused = LevelKeys.level(typed: text, in: scale) else {
        Issue.record("\(text) was taken")
        continue
      }
    }
  }

  @Test("whatever the section, a printed key gives the level that it is printed on, and no other key gives any")
  func printedIsAccepted() {
    let seed = Seeded.seed
    var random = Seeded(seed: seed)
    for _ in 0..<2_000 {
      let section = (0..<Int.random(in: 1...5, using: &random)).map { _ in
        let count = Int.random(in: 1...11, using: &random)
        let step = [0.5, 1, 1, 1, 2].randomElement(using: &random)!
        let first = Double(Int.random(in: -1...3, using: &random))
        return Int.random(in: 0..<4, using: &random) == 0
          ? item([0, 1], .binary) : item((0..<count).map { first + Double($0) * step })
      }
      let keys = LevelKeys(section)
      for item in section {
        let printed = item.levels.indices.map { keys.key(of: $0, in: item) }
        if LevelKeys.isTyped(item) {
          #expect(printed.allSatisfy { $0 == nil }, "seed \(seed)")
          continue
        }
        #expect(Set(printed).count == printed.count && !printed.contains(nil), "seed \(seed)")
        for (index, key) in printed.enumerated() {
          #expect(keys.meaning(of: key!, in: item) == .level(index), "seed \(seed)")
        }
        for key in "0123456789t" where !printed.contains(key) {
          guard case .refused = keys.meaning(of: key, in: item) else {
            Issue.record("\(key) was taken, seed \(seed)")
            continue
          }
        }
      }
    }
  }
}

import Glibc
import SeededNumbers
import Testing

@testable import CircuitModel
@testable import ExamStore
@testable import Reports

@Suite("Mark values")
struct MarkValueTests {
  @Test("a mark is written in its shortest decimal form")
  func description() {
    let cases: [(Double, String)] = [
      (4, "4"), (0, "0"), (0.5, "0.5"), (-1.25, "-1.25"), (10, "10"), (0.000001, "0.000001"), (-0.5, "-0.5"),
      (2.10, "2.1"),
    ]
    for (number, text) in cases { #expect(MarkValue(number)?.description == text) }
  }

  @Test("only whole marks are whole")
  func whole() {
    #expect(MarkValue(4)?.whole == 4 && MarkValue(-4)?.whole == -4 && MarkValue(0)?.whole == 0)
    #expect(MarkValue(0.5)?.whole == nil && MarkValue(3.999999)?.whole == nil)
  }

  @Test("what has no exact form with six decimals is no mark")
  func exact() {
    for number in [1.0 / 3, .nan, .infinity, 1e300, 0.0000001] { #expect(MarkValue(number) == nil) }
  }

  @Test("every mark goes to text and to a number and back unchanged, and keeps its order")
  func roundTrip() {
    let seed = Seeded.seed
    var random = Seeded(seed: seed)
    for _ in 0..<5_000 {
      let (first, second) = (
        MarkValue(scaled: Int64.random(in: -1_000_000_000...1_000_000_000, using: &random)),
        MarkValue(scaled: Int64.random(in: -1_000_000_000...1_000_000_000, using: &random))
      )
      #expect(MarkValue(first.number) == first, "seed \(seed)")
      #expect(Double(first.description) == first.number, "seed \(seed)")
      #expect((first < second) == (first.number < second.number), "seed \(seed)")
    }
  }
}

/// Random numbers that can be had again: the seed is in the test's message and can be given in OSCE_SEED.

import Journal
import SeededNumbers
import Testing

@Suite("Values and times")
struct ValueTests {
  @Test("marks with up to six decimals come back as they were")
  func scaled() throws {
    for number in [0, 1, -1, 0.5, 0.1, 0.000001, 99.999999, -12.345678, 3_999_999_999.5] {
      #expect(Scaled.decode(try #require(Scaled.encode(number))) == number)
    }
    #expect(Scaled.encode(2.5) == 2_500_000)
    for seed in Seeded.seeds(5) {
      var generator = Seeded(seed: seed)
      for _ in 0..<200 {
        let scaled = Int64.random(in: -4_000_000_000_000_000...4_000_000_000_000_000, using: &generator)
        #expect(Scaled.encode(Scaled.decode(scaled)) == scaled, "seed \(seed)")
      }
    }
  }

  @Test(
    "a number that six decimals cannot write is refused",
    arguments: [
      0.0000001, 1.0 / 3, Double.pi, .infinity, -.infinity, .nan, 1e300, 4_000_000_001,
    ])
  func notScaled(number: Double) {
    #expect(Scaled.encode(number) == nil)
  }

  @Test("two spellings of one letter are two values and two rows")
  func byteEquality() {
    #expect(Value.text("Zo\u{EB}") != .text("Zoe\u{308}"))
    #expect(RowKey(entity: "a", id: "Zo\u{EB}") != RowKey(entity: "a", id: "Zoe\u{308}"))
    #expect(Value.bool(true) != .integer(1))
    #expect(Value.null != .text(""))
    #expect(Set<Value>([.text("a"), .text("a"), .integer(1), .null]).count == 3)
    let rows = [RowKey(entity: "b", id: "a"), RowKey(entity: "a", id: "b"), RowKey(entity: "a", id: "a")]
    #expect(rows.sorted() == rows.reversed())
  }

  @Test("the next time is after all that was seen, and after the wall clock where that is ahead")
  func hybridTime() {
    let first = HybridTime.next(after: nil, wall: 1_000)
    #expect(first.milliseconds == 1_000)
    #expect(first.counter == 0)
    let steppedBack = HybridTime.next(after: first, wall: 400)
    #expect(steppedBack.milliseconds == 1_000)
    #expect(steppedBack.counter == 1)
    #expect(HybridTime.next(after: steppedBack, wall: 0) > steppedBack)
    #expect(HybridTime.next(after: steppedBack, wall: 2_000).description == "2000.0")
  }

  @Test("a full counter and clocks beyond all bounds do not overflow")
  func overflow() {
    let full = HybridTime(raw: 1_000 << 16 | 0xFFFF)
    #expect(HybridTime.next(after: full, wall: 1_000).milliseconds == 1_001)
    #expect(HybridTime.next(after: .max, wall: 5) == .max)
    #expect(HybridTime.next(after: nil, wall: .min).raw == 0)
    #expect(HybridTime.next(after: nil, wall: .max).raw > 0)
    #expect(HybridTime.next(after: HybridTime(raw: .min), wall: .max) <= .max)
  }

  @Test("a number or a text names a row by its key, and any other value names none")
  func rows() {
    #expect(RowKey(.integer(-7), of: "Student") == RowKey(entity: "Student", id: "-7"))
    #expect(RowKey(.text("a"), of: "DataForm") == RowKey(entity: "DataForm", id: "a"))
    for value in [Value.null, .bool(true), nil] { #expect(RowKey(value, of: "Student") == nil) }
  }
}

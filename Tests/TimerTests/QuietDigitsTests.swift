import Testing
import Timer

@Suite("The quiet countdown")
struct QuietDigitsTests {
  @Test("above a minute it shows whole minutes, in the last minute steps of ten seconds")
  func steps() {
    #expect(QuietDigits.stepped(420_000) == 420_000)
    #expect(QuietDigits.stepped(419_000) == 420_000)
    #expect(QuietDigits.stepped(361_000) == 420_000)
    #expect(QuietDigits.stepped(61_000) == 120_000)
    #expect(QuietDigits.stepped(60_000) == 60_000)
    #expect(QuietDigits.stepped(50_001) == 60_000)
    #expect(QuietDigits.stepped(1) == 10_000)
    #expect(QuietDigits.stepped(0) == 0)
  }

  @Test("eight minutes change it thirteen times after the first, and it never shows less than is left")
  func count() {
    let shown = stride(from: Int64(480_000), through: 0, by: -250).map { ($0, QuietDigits.stepped($0)) }
    #expect(shown.allSatisfy { $0.1 >= $0.0 })
    #expect(Set(shown.map(\.1)).count == 14)
  }
}

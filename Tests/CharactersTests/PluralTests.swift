import Characters
import Testing

@Suite("Counts in words") struct PluralTests {
  @Test("what was done one time was done once") func times() {
    #expect([0, 1, 2].map { Plural.times($0) } == ["0 times", "once", "2 times"])
  }
}

import Testing

@testable import OsceHub

@Suite("A code as a square") struct QRCodeTests {
  @Test("has its three corners, and light around them") func corners() throws {
    let square = try QRCode("F6HJ-8E2J-XTJD-TV94-50ER-ERG9")
    for (left, top) in [(0, 0), (square.width - 7, 0), (0, square.width - 7)] {
      for offset in 0..<7 {
        #expect(square.isDark(left + offset, top) && square.isDark(left, top + offset))
        #expect(square.isDark(left + offset, top + 6) && square.isDark(left + 6, top + offset))
      }
      #expect(!square.isDark(left + 1, top + 1) && square.isDark(left + 3, top + 3))
    }
    #expect(!square.isDark(-1, 0) && !square.isDark(square.width, 0))
  }

  @Test("is drawn two modules a character, all lines of one width") func lines() throws {
    let square = try QRCode("F6HJ-8E2J-XTJD-TV94-50ER-ERG9")
    #expect(square.lines.count == (square.width + 5) / 2)
    #expect(Set(square.lines.map(\.count)) == [square.width + 4])
    #expect(square.lines[0].allSatisfy { $0 == "█" } && square.lines[1].contains(" "))
  }
}

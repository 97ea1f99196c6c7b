import Testing

@testable import Hub
@testable import OsceHub

@Suite("The end of a hub's filling") struct FillingReportTests {
  @Test("tells of rows without content in one line, with what to do, and of none in no line") func lines() {
    let after = "came without content: osce-hub import FOLDER brings what is in the exam folder"
    #expect(FillingReport(holes: [], emptyRows: 1).emptyRowsText == "1 row \(after)")
    #expect(FillingReport(holes: [], emptyRows: 3).emptyRowsText == "3 rows \(after)")
    #expect(FillingReport(holes: [], emptyRows: 0).emptyRowsText == nil)
  }
}

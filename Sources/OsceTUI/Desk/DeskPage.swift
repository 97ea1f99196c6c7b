import CircuitModel
import ExamStore
import Journal
import Reports
import Terminal
import Timer

/// One page of the desk: what it lists, and what its own keys do with the focused line.
@MainActor
protocol DeskPage: AnyObject, SendableMetatype {
  /// The page's own keys, under one or two words for the line of pages.
  nonisolated static var keys: KeyTable<Self> { get }
  /// The page of a desk.
  init(_ desk: Desk)
  /// What there is to see to here: shown beside the name; 0 shows nothing.
  var count: Int { get }
  /// Whether the count is kept up to date while another page is shown.
  var callsForAttention: Bool { get }
  /// The lists that it shows.
  var table: Table { get set }
  /// What is said where the list is empty.
  var emptyText: SafeText { get }
  /// The focused line in full, for what its columns cut.
  var detail: String { get }
  /// Whether it shows what is on mark sheets. Others are not read again for a mark.
  var showsMarks: Bool { get }
  /// Reads what it shows from the store.
  func reload() throws
  /// Takes in what others have saved. In a busy hall that is several times a second.
  func follow() throws
  /// The same where nothing was saved but marks.
  func followMarks() throws
  /// Time has passed: reads what was left for later.
  /// - Parameter now: the loop's clock, in milliseconds.
  /// - Returns: whether the page shows something else now.
  func passTime(_ now: Int64) throws -> Bool
  /// Shows what the time has changed. The screen's thread does this at every change of the clock.
  func clockMoved() throws
  /// Chooses what is shown in a width, in columns.
  func fit(width: Int)
  /// Draws the page.
  func draw(on canvas: inout Canvas, in region: Rect)
}

extension DeskPage {
  var name: String { Self.keys.title }
  var keySource: any KeySource { BoundTable(Self.keys, self) }
  var count: Int { 0 }
  var callsForAttention: Bool { false }
  var showsMarks: Bool { false }
  var detail: String { "" }
  func follow() throws { try reload() }
  func followMarks() throws { try follow() }
  func passTime(_ now: Int64) throws -> Bool { false }
  func clockMoved() throws {}
  func fit(width: Int) {}
}

/// What pages have in common with the desk that they belong to.
@MainActor
protocol DeskListing: DeskPage {
  var desk: Desk { get }
}

extension DeskListing {
  var context: AppContext { desk.context }

  func draw(on canvas: inout Canvas, in region: Rect) { drawListing(detail, on: &canvas, in: region) }

  /// Draws the list, under it whom someone has to go to in any circuit, and the focused line in full.
  /// - Parameter height: lines under the list.
  func drawListing(
    _ detail: String, height: Int = DeskListingLayout.detailHeight, on canvas: inout Canvas, in region: Rect
  ) {
    let (foot, list) = region.splitBottom(min(height, max(0, region.height - 6)))
    table.draw(on: &canvas, in: list, theme: context.theme)
    HallWatch.draw(desk.chases, on: &canvas, in: foot.row(0), theme: context.theme)
    if table.rows.isEmpty {
      canvas.draw(emptyText, in: list, row: min(2, max(0, list.height - 1)), style: context.theme[.muted])
    } else if !detail.isEmpty {
      canvas.drawWrapped(
        detail, in: foot.rows(1, foot.height).inset(columns: 2, rows: 0), style: context.theme[.normal])
    }
  }

  /// Asks for one of the session's stations by its code.
  func askStation(_ question: SafeText, _ done: @escaping @MainActor (StationSession) -> Void) {
    guard let session = desk.session else { return }
    context.attempt {
      let stations = try context.store.read { try StationSession.all(of: session, in: $0) }
      let codes = stations.map(\.stationCode).joined(separator: ", ")
      context.prompt(question, note: { _ in SafeText(codes) }) { [context] text in
        let wanted = text.withSingleSpaces.lowercased()
        guard let station = stations.first(where: { $0.stationCode.lowercased() == wanted }) else {
          return context.refuse(SafeText("there is no station \(text) here; there are: \(codes)"))
        }
        done(station)
      }
    }
  }
}

/// How a page of the desk divides its room.
enum DeskListingLayout {
  /// Lines under the list for the focused line in full, the empty one above them counted.
  static let detailHeight = 4
}

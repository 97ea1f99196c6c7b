import Terminal

/// What the invigilator tells a station, for the message line: all that stands, the newest first. What does not fit
/// side by side takes turns, so that no message hides another and a long one is read to its end.
struct HallNotice {
  /// How long a page is shown, in milliseconds.
  static let turn: Int64 = 4000
  /// How long the answer to a key covers what the invigilator tells, in milliseconds.
  static let cover: Int64 = 6000

  /// Whether the first page stays: a screen reader would read every turn aloud.
  private let isStill: Bool
  private var messages: [String] = []
  private var width = 0
  private var since: Int64 = 0
  private var pages: [SafeText] = []
  private var shown = 0

  init(isStill: Bool = false) { self.isStill = isStill }

  /// What stands on the line now; nil where nothing is told.
  var page: SafeText? { pages.indices.contains(shown) ? pages[shown] : nil }

  /// Whether there is more than the line shows.
  var hasMore: Bool { pages.count > 1 }

  /// Takes in what is told, the newest last; a change begins with the newest.
  mutating func follow(_ messages: [String], width: Int, at now: Int64) {
    guard messages != self.messages || width != self.width else { return }
    (self.messages, self.width, since, shown) = (messages, width, now, 0)
    pages = HallNotice.pages(messages, width: width)
  }

  /// Turns the page when it is time.
  /// - Returns: whether another page is shown now.
  mutating func turn(at now: Int64) -> Bool {
    guard hasMore, !isStill else { return false }
    let before = shown
    shown = Int(max(0, now - since) / HallNotice.turn) % pages.count
    return shown != before
  }

  private static func pages(_ messages: [String], width: Int) -> [SafeText] {
    messages.reversed().enumerated().flatMap { place, text -> [SafeText] in
      let head: SafeText = messages.count == 1 ? " MESSAGE: " : " MESSAGE \(place + 1) of \(messages.count): "
      let whole = SafeText(text)
      if head.width + whole.width < width { return [head + whole + " "] }
      // Room for the sign that more comes.
      let lines = SafeText.wrap(text, to: max(8, width - head.width - 5))
      return lines.indices.map { head + lines[$0] + ($0 == lines.count - 1 ? " " : " ... ") }
    }
  }
}

import Terminal

/// What stands under each other on the wall, and which rows each part takes.
struct WallStack {
  /// One of them.
  enum Part {
    case word(String, Style)
    case huge(String, Style)
    case digits(String)
    case bar
    case next
    case sentence(String)
    case left(String)
    /// PAUSED, in letters of this size, cut out of a band.
    case band(BigText.Scale?)
    case large(String, BigText.Scale)
    /// What stands at the left and what at the right.
    case ends(String, String)
  }

  let parts: [Part]
  let glyphs: Glyphs

  /// Where the parts stand: the rows that are left over are shared among the gaps before, between and after them.
  /// - Parameters:
  ///   - given: the rows of each part; nil: as many as there is room for.
  ///   - order: the gaps in the order in which they take a row, again and again.
  func places(in region: Rect, heights given: [Int]? = nil, order: [Int]) -> [Rect] {
    let heights = given ?? self.heights(in: region)
    var gaps = Array(repeating: 0, count: parts.count + 1)
    var spare = region.height - heights.reduce(0, +)
    var turn = 0
    while spare > 0 {
      gaps[min(order[turn % order.count], parts.count)] += 1
      (spare, turn) = (spare - 1, turn + 1)
    }
    var y = gaps[0]
    return parts.indices.map { place in
      let top = y
      y += heights[place] + gaps[place + 1]
      return region.rows(top, heights[place])
    }
  }

  /// Rows of each part: lines take one, the loudest what is left, and the other large one under half of that.
  private func heights(in region: Rect) -> [Int] {
    var lines = 0
    var (loud, quiet): (String?, String?) = (nil, nil)
    for part in parts {
      switch part {
      case .digits(let text):
        if loud == nil { loud = WallPanelView.shape(text) } else { quiet = WallPanelView.shape(text) }
      case .huge(let text, _): (quiet, loud) = (loud, text)
      case .word(let text, _): quiet = text
      default: lines += 1
      }
    }
    let isHuge = parts.contains { if case .huge = $0 { true } else { false } }
    let room = region.height - lines
    var (loudest, other) = (1, quiet == nil ? 0 : 1)
    for height in stride(from: room, through: 3, by: -1) {
      guard let loud, let scale = self.scale(loud, region.width, height), scale.height == height else { continue }
      let rest =
        quiet.map { text -> Int in
          let limit = max(3, height * (isHuge ? 50 : 45) / 100)
          return self.scale(text, region.width, limit)?.height ?? 1
        } ?? 0
      if height + rest <= room - (room > 12 ? 2 : 0) {
        (loudest, other) = (height, rest)
        break
      }
    }
    return parts.map { part in
      switch part {
      case .huge: loudest
      case .digits: isHuge ? other : loudest
      case .word: other
      default: 1
      }
    }
  }

  private func scale(_ text: String, _ width: Int, _ height: Int) -> BigText.Scale? {
    BigText.Scale.fitting([text], in: Size(width: width, height: height), glyphs)
  }
}

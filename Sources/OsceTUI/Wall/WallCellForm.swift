import Terminal

extension WallPanelView {
  /// How several clocks look: alike, so that none is taken for the one that matters.
  struct CellForm {
    /// The largest digits that all have room for; nil where one has none for large ones.
    private(set) var digits: BigText.Scale?
    /// The same of their words.
    private(set) var word: BigText.Scale?
    /// Whether every word has its place left of the digits; else all stand above them.
    private(set) var isBeside = false

    /// - Parameter cells: the clocks, each with its place.
    init(_ cells: [(panel: WallPanel, place: Rect)], _ theme: Theme) {
      let clocks = cells.compactMap { panel, place -> (shape: String, word: String, room: Size, isLow: Bool)? in
        if case .paused = panel.face { return nil }
        if panel.digits.isEmpty { return nil }
        return (
          WallPanelView.shape(panel.digits), panel.loudWord, WallPanelView.parts(of: place, isPaused: false).body.size,
          place.height < 10
        )
      }
      func scale(_ text: String, _ width: Int, _ height: Int) -> BigText.Scale? {
        BigText.Scale.fitting([text], in: Size(width: width, height: height), theme.glyphs)
      }
      let whole = clocks.map { scale($0.shape, $0.room.width, $0.room.height) }
      guard !whole.contains(nil), let most = whole.compactMap(\.self).min() else { return }
      let limit = max(3, most.height * 45 / 100)
      let beside = clocks.map { scale($0.word, $0.room.width - (most.columns($0.shape) ?? 0) - 6, limit) }
      isBeside = !beside.contains(nil)
      if isBeside {
        (digits, word) = (most, beside.compactMap(\.self).min())
        return
      }
      // The word has its row before the digits are doubled, where the head of the cell does not say it; and three, so
      // that it is read from across the room, where the digits keep five.
      let below =
        clocks.map { clock -> BigText.Scale in
          let sizes = (clock.isLow ? [] : [4, 1]).compactMap {
            scale(clock.shape, clock.room.width, clock.room.height - $0)
          }
          return sizes.first { $0.height >= 5 } ?? sizes.last ?? most
        }.min() ?? most
      let above = clocks.compactMap { clock -> BigText.Scale? in
        let room = clock.room.height - below.height
        return room >= 4 ? scale(clock.word, clock.room.width, min(room - 1, max(3, below.height * 45 / 100))) : nil
      }
      (digits, word) = (below, above.min())
    }
  }
}

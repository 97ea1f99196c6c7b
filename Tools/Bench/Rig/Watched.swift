import CRig

/// What a watch took in, piece by piece, with the screens followed afterwards.
public struct Watched {
  private let watch: OpaquePointer
  private let taken: rig_watched

  /// Whether the reader had real-time priority.
  public var hadPriority: Bool { taken.realtime != 0 }
  /// The longest time from the reader's wake-up to the last stamp that it took then, in nanoseconds.
  public var worstBatch: Int64 { taken.worst_batch }
  /// How many pieces there are.
  public var count: Int { taken.count }

  /// Ends a watch.
  public init(ending watch: OpaquePointer) {
    self.watch = watch
    taken = rig_watch_stop(watch)
  }

  /// Gives the memory back.
  public func free() { rig_watch_free(watch) }

  /// How often a byte was written.
  public func count(of byte: UInt8) -> Int {
    (0..<taken.count).reduce(0) { sum, index in
      let piece = taken.pieces[index]
      return sum + UnsafeBufferPointer(start: taken.bytes + piece.offset, count: Int(piece.length)).count { $0 == byte }
    }
  }

  /// Goes through the pieces in order.
  /// - Parameters:
  ///   - screens: each terminal's screen when the watch began; left as they are at its end.
  ///   - seen: called with the terminal, the stamp in nanoseconds of CLOCK_BOOTTIME, and the screen with that piece.
  public func replay(_ screens: inout [ScreenText], _ seen: (Int, Int64, ScreenText) -> Void) {
    for index in 0..<taken.count {
      let piece = taken.pieces[index]
      let terminal = Int(piece.terminal)
      let bytes = UnsafeBufferPointer(start: taken.bytes + piece.offset, count: Int(piece.length))
      screens[terminal].feed(Array(bytes))
      seen(terminal, piece.stamp, screens[terminal])
    }
  }
}

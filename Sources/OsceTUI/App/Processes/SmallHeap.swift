/// glibc's heap as it suits one of fifty terminals on a machine: two threads that allocate little and seldom at once.
enum SmallHeap {
  private static let trimThreshold: Int32 = -1
  private static let topPad: Int32 = -2
  private static let mapThreshold: Int32 = -3
  private static let arenas: Int32 = -8

  /// To be called before anything else: one heap for all threads, and what is freed at its end or is large goes back to
  /// the system at once. By itself glibc keeps a heap a thread, and more and more of what was once large.
  static func use() {
    _ = setHeap(arenas, 1)
    // Above what a frame and a save take each time: a map for each would cost more than the rest of a small write.
    _ = setHeap(mapThreshold, 72 << 10)
    _ = setHeap(trimThreshold, 160 << 10)
    _ = setHeap(topPad, 16 << 10)
  }
}

/// glibc's `mallopt`, whose header Swift's Glibc module does not include.
@_silgen_name("mallopt") private func setHeap(_ parameter: Int32, _ value: Int32) -> Int32

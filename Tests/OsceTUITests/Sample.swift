import SeededNumbers

extension Collection {
  /// Every so manyth, from one on that the seed chooses: another run tries others.
  func everyNth(_ step: Int, _ seed: UInt64) -> [Element] {
    var random = Seeded(seed: seed)
    let first = Int.random(in: 0..<step, using: &random)
    return enumerated().filter { $0.offset % step == first }.map(\.element)
  }
}

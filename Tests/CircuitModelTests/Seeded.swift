import Glibc

/// SplitMix64: the same numbers from the same seed on every machine.
struct Seeded: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }

  /// The seed in OSCE_SEED alone, else so many fresh ones.
  static func seeds(_ count: Int) -> [UInt64] {
    if let text = getenv("OSCE_SEED"), let seed = UInt64(String(cString: text)) { return [seed] }
    return (0..<count).map { _ in .random(in: 0...UInt64.max) }
  }
}

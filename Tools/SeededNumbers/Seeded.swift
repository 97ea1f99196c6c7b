import Glibc

/// Random numbers that a printed seed repeats on every machine (SplitMix64), for tests and tools.
public struct Seeded: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// The sequence of a seed.
  public init(seed: UInt64) { state = seed }

  /// The next number.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// The seed in OSCE_SEED, else a fresh one.
  public static var seed: UInt64 { given ?? .random(in: 0...UInt64.max) }

  /// The seed in OSCE_SEED alone, else so many fresh ones.
  public static func seeds(_ count: Int) -> [UInt64] {
    given.map { [$0] } ?? (0..<count).map { _ in .random(in: 0...UInt64.max) }
  }

  /// The seed in OSCE_SEED; nil if there is none.
  public static var given: UInt64? { getenv("OSCE_SEED").flatMap { UInt64(String(cString: $0)) } }
}

extension RandomNumberGenerator {
  /// True so many times in a hundred.
  public mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &self) < percent }
}

import Glibc
import SeededNumbers

/// One random damage to the bytes of a store's files.
public struct Corruption: Sendable {
  /// The damage in words.
  public private(set) var description = ""
  /// What kind of damage.
  public private(set) var kind = Kind.bits
  /// The path of the damaged store.
  public let path: String
  /// Whether the store that is damaged has a log.
  public let isOpen: Bool

  /// The kinds of damage.
  public enum Kind: String, CaseIterable, Sendable {
    case bits, bytes, zeros, swapped, older, cut, noise, doubled
  }

  private static let page = 4096
  private static let sector = 512

  /// Copies the exam's files and damages one of them.
  /// - Throws: if the copies cannot be written.
  public init(_ exam: DamagedExam, into folder: String, seed: UInt64) throws {
    var random = Seeded(seed: seed)
    path = folder + "/store.sqlite"
    isOpen = random.chance(50)
    let source = isOpen ? exam.open : exam.closed
    let inLog = isOpen && random.chance(50)
    for suffix in ["", "-wal", "-shm", ".lock"] { unlink(path + suffix) }
    try DamagedExam.write([], to: path + ".lock")
    for suffix in isOpen ? ["", "-wal", "-shm"] : [""] {
      var bytes = DamagedExam.read(source + suffix)
      if suffix == (inLog ? "-wal" : "") {
        damage(&bytes, older: inLog ? [] : DamagedExam.read(exam.older), using: &random)
      }
      try DamagedExam.write(bytes, to: path + suffix)
    }
    description = (inLog ? "log: " : "file: ") + description
  }

  private mutating func damage(_ bytes: inout [UInt8], older: [UInt8], using random: inout Seeded) {
    kind = Kind.allCases.randomElement(using: &random)!
    let length = [1, 16, Corruption.sector, Corruption.page].randomElement(using: &random)!
    switch kind {
    case .bits:
      for _ in 0...Int.random(in: 0...3, using: &random) {
        let place = written(bytes, using: &random)
        bytes[place] ^= 1 << UInt8.random(in: 0...7, using: &random)
        description += "a bit of byte \(place) "
      }
    case .bytes:
      let place = written(bytes, using: &random)
      let count = Int.random(in: 1...32, using: &random)
      for index in place..<min(place + count, bytes.count) { bytes[index] = .random(in: 0...255, using: &random) }
      description = "\(count) bytes from \(place)"
    case .zeros, .noise:
      let place = start(length, in: bytes, using: &random)
      for index in place..<min(place + length, bytes.count) {
        bytes[index] = kind == .zeros ? 0 : .random(in: 0...255, using: &random)
      }
      description = "\(kind) of \(length) bytes from \(place)"
    case .swapped, .doubled:
      let (one, other) = (start(length, in: bytes, using: &random), start(length, in: bytes, using: &random))
      let end = min(length, bytes.count - max(one, other))
      let first = Array(bytes[one..<one + end])
      if kind == .swapped { bytes.replaceSubrange(one..<one + end, with: bytes[other..<other + end]) }
      bytes.replaceSubrange(other..<other + end, with: first)
      description = "\(kind): \(end) bytes at \(one) and \(other)"
    case .older:
      guard older.count >= Corruption.page else { return self.cut(&bytes, using: &random) }
      for _ in 0...Int.random(in: 0...4, using: &random) {
        let place =
          Int.random(in: 0..<min(older.count, bytes.count) / Corruption.page, using: &random) * Corruption.page
        bytes.replaceSubrange(place..<place + Corruption.page, with: older[place..<place + Corruption.page])
        description += "an older page at \(place) "
      }
    case .cut: cut(&bytes, using: &random)
    }
  }

  private mutating func cut(_ bytes: inout [UInt8], using random: inout Seeded) {
    var end = Int.random(in: 0..<bytes.count, using: &random)
    if random.chance(50) { end -= end % Corruption.page }
    bytes.removeLast(bytes.count - end)
    description = "cut after \(end) bytes"
  }

  /// A byte, more often one that is not zero: half of a file holds nothing.
  private func written(_ bytes: [UInt8], using random: inout Seeded) -> Int {
    var place = 0
    for _ in 0..<8 {
      place = Int.random(in: 0..<bytes.count, using: &random)
      if bytes[place] != 0 { break }
    }
    return place
  }

  private func start(_ length: Int, in bytes: [UInt8], using random: inout Seeded) -> Int {
    let place = Int.random(in: 0..<bytes.count, using: &random)
    return random.chance(70) ? place - place % length : place
  }
}

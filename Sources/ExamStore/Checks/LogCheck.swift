import Glibc

/// Looks whether the write-ahead log still holds all that was written to it.
///
/// SQLite reads a log up to its first frame that does not fit and forgets the rest without a word: after a power cut that
/// is what nobody was told of, after damage it is marks. The index beside the log says how far it went, and a
/// frame that follows a whole commit says that this commit counted.
package struct LogCheck {
  private let location: StoreLocation

  package init(location: StoreLocation) { self.location = location }

  /// What the log has lost, in words; nil where it is whole, or where somebody has the store open, and so its index.
  package func loss() -> String? {
    let files = [StoreLocation.Companion.log, .logIndex].map(location.path(of:))
    guard files.contains(where: { FileFacts.status($0)?.size ?? 0 > 0 }), !StoreUsers.isOpen(location.path) else {
      return nil
    }
    var diagnosis = Diagnosis()
    run(&diagnosis)
    return diagnosis.checks.first { $0.result == .failed }?.detail
  }

  package func run(_ diagnosis: inout Diagnosis) {
    for _ in 0..<5 {
      let before = index()
      let log = Log(LogCheck.read(location.path(of: .log)))
      // Somebody wrote meanwhile: what was read is of two moments.
      guard index() == before else { continue }
      return report(log, before, &diagnosis)
    }
    diagnosis.add("log", .ok, "being written")
  }

  private func report(_ log: Log, _ index: Index?, _ diagnosis: inout Diagnosis) {
    if log.goesOnBehindDamage {
      return diagnosis.add(
        "log", .failed, "damaged after page \(log.committed): changes that were saved behind it are not read any more")
    }
    let isSame = !log.isReadable || log.salt == index?.salt
    if let index, isSame, log.committed < index.last, log.committed > 0 || index.moved < index.last {
      return diagnosis.add(
        "log", .failed, "cut or damaged after it was written: \(log.committed) of \(index.last) pages can be read")
    }
    diagnosis.add("log", .ok, log.committed == 0 ? "empty" : "\(log.committed) pages, whole")
  }

  // MARK: The index of the log

  /// What the index says: how many frames count, how many of them are in the file already, of which log.
  private struct Index: Equatable {
    let last: Int
    let moved: Int
    let salt: [UInt8]
  }

  /// - Returns: nil where there is none that can be relied on.
  private func index() -> Index? {
    let bytes = LogCheck.read(location.path(of: .logIndex), limit: 100)
    guard bytes.count == 100, bytes[0..<48] == bytes[48..<96], bytes[12] != 0 else { return nil }
    return bytes.withUnsafeBytes { bytes in
      func word(_ offset: Int) -> UInt32 { bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self) }
      var sum = Checksum()
      sum.add(UnsafeRawBufferPointer(rebasing: bytes[0..<40]), isBigEndian: false)
      guard sum.first == word(40), sum.second == word(44) else { return nil }
      return Index(last: Int(word(16)), moved: Int(word(96)), salt: Array(bytes[32..<40]))
    }
  }

  // MARK: The log

  /// The log as SQLite reads it, and what lies behind the place where it stops.
  private struct Log {
    /// Whether it begins as a log does.
    private(set) var isReadable = false
    private(set) var salt: [UInt8] = []
    /// How many frames are read: up to the last whole commit.
    private(set) var committed = 0
    /// Whether a commit behind the damage was followed by another change, so that it counted.
    private(set) var goesOnBehindDamage = false

    init(_ bytes: [UInt8]) { bytes.withUnsafeBytes { read($0) } }

    private mutating func read(_ bytes: UnsafeRawBufferPointer) {
      guard bytes.count >= 32 else { return }
      func word(_ offset: Int) -> UInt32 {
        UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
      }
      let pageSize = Int(word(8))
      let isBigEndian = word(0) & 1 == 1
      var sum = Checksum()
      sum.add(UnsafeRawBufferPointer(rebasing: bytes[0..<24]), isBigEndian: isBigEndian)
      guard word(0) & ~1 == 0x377F_0682, (512...65_536).contains(pageSize), pageSize & (pageSize - 1) == 0,
        sum.first == word(24), sum.second == word(28)
      else { return }
      isReadable = true
      salt = Array(bytes[16..<24])
      let size = 24 + pageSize
      let count = (bytes.count - 32) / size
      var isWhole = true
      var isAfterCommit = false
      for frame in 0..<count {
        let start = 32 + frame * size
        guard bytes[start + 8..<start + 16].elementsEqual(salt) else { return }
        sum.add(UnsafeRawBufferPointer(rebasing: bytes[start..<start + 8]), isBigEndian: isBigEndian)
        sum.add(UnsafeRawBufferPointer(rebasing: bytes[start + 24..<start + size]), isBigEndian: isBigEndian)
        let fits = sum.first == word(start + 16) && sum.second == word(start + 20)
        if fits && !isWhole && isAfterCommit {
          goesOnBehindDamage = true
          return
        }
        if !fits {
          isWhole = false
          // Behind the damage each frame is held against the one before it as that is stored.
          sum = Checksum(first: word(start + 16), second: word(start + 20))
        }
        let isCommit = word(start + 4) != 0
        if isWhole && isCommit { committed = frame + 1 }
        isAfterCommit = isCommit && !isWhole
      }
    }
  }

  /// The sum that SQLite keeps over a log (its file format, "Checksum Algorithm").
  private struct Checksum {
    var first: UInt32 = 0
    var second: UInt32 = 0

    mutating func add(_ bytes: UnsafeRawBufferPointer, isBigEndian: Bool) {
      for offset in stride(from: 0, to: bytes.count, by: 8) {
        var one = bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
        var other = bytes.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self)
        if isBigEndian { (one, other) = (one.bigEndian, other.bigEndian) }
        first = first &+ one &+ second
        second = second &+ other &+ first
      }
    }
  }

  // MARK: Files

  private static func read(_ path: String, limit: Int = .max) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return [] }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: min(limit, 1 << 18))
    while bytes.count < limit {
      let count = Glibc.read(descriptor, &chunk, min(chunk.count, limit - bytes.count))
      if count <= 0 { break }
      bytes += chunk[..<count]
    }
    return bytes
  }
}

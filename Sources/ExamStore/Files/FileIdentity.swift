import Glibc

/// Which file lies at a path.
///
/// Device and number are not enough: a file system gives the number of a file that was deleted to the next one. When it
/// was made is kept by the file system and cannot be set.
struct FileIdentity: Equatable, Sendable {
  let device: UInt64
  let inode: UInt64
  /// When the file was made, in nanoseconds since 1970; nil where the file system does not keep it.
  let birth: Int64?

  /// The file at a path, symbolic links not followed; nil if there is none.
  init?(_ path: String) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return nil }
    self.init(status, birth: FileIdentity.birth(of: path))
  }

  private init(_ status: stat, birth: Int64?) {
    (device, inode, self.birth) = (UInt64(status.st_dev), UInt64(status.st_ino), birth)
  }

  private static func birth(of path: String) -> Int64? {
    var status = [UInt64](repeating: 0, count: StatX.words)
    return status.withUnsafeMutableBytes { bytes -> Int64? in
      guard readStatus(AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, StatX.birth, bytes.baseAddress!) == 0,
        bytes.load(as: UInt32.self) & StatX.birth != 0
      else { return nil }
      let seconds = bytes.load(fromByteOffset: StatX.birthOffset, as: Int64.self)
      return seconds &* 1_000_000_000 &+ Int64(bytes.load(fromByteOffset: StatX.birthOffset + 8, as: UInt32.self))
    }
  }

  /// `device/number/time`, as a store keeps it; without the last where there is none.
  var text: String { "\(device)/\(inode)" + (birth.map { "/\($0)" } ?? "") }

  /// `device/number`: what a store kept before the time was.
  var shortText: String { "\(device)/\(inode)" }
}

/// A file at one moment: the same file, nothing written to it since.
struct FileState: Equatable, Sendable {
  let identity: FileIdentity
  let size: Int64
  let changed: Int64
  let mode: UInt32
  let owner: UInt32
  let names: UInt64

  /// The file at a path, symbolic links not followed; nil if there is none.
  init?(_ path: String) {
    var status = stat()
    guard let identity = FileIdentity(path), lstat(path, &status) == 0 else { return nil }
    self.identity = identity
    size = Int64(status.st_size)
    changed = Int64(status.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_mtim.tv_nsec)
    mode = UInt32(status.st_mode)
    owner = UInt32(status.st_uid)
    names = UInt64(status.st_nlink)
  }

  var isRegular: Bool { mode & UInt32(S_IFMT) == UInt32(S_IFREG) }
  var isLink: Bool { mode & UInt32(S_IFMT) == UInt32(S_IFLNK) }
}

/// `statx`, which Swift's Glibc module leaves out: a `struct statx` of 256 bytes, the same on every architecture.
private enum StatX {
  static let words = 32
  /// `STATX_BTIME`, in the mask that is asked and in the one that is answered.
  static let birth: UInt32 = 0x800
  static let birthOffset = 80
}

@_silgen_name("statx") private func readStatus(
  _ folder: Int32, _ path: UnsafePointer<CChar>, _ flags: Int32, _ mask: UInt32, _ status: UnsafeMutableRawPointer
) -> Int32

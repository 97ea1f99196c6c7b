import Glibc

/// Plain facts about files.
package enum FileFacts {
  /// Bytes that an ordinary user may still write where a folder lies; nil if that cannot be told.
  static func freeBytes(folder: String) -> Int64? {
    var status = statvfs()
    guard statvfs(folder, &status) == 0 else { return nil }
    return Int64(status.f_bavail) * Int64(status.f_frsize)
  }

  /// The share of a disk that an ordinary user may still write, 0 to 1; nil if that cannot be told.
  package static func freeShare(folder: String) -> Double? {
    var status = statvfs()
    guard statvfs(folder, &status) == 0, status.f_blocks > 0 else { return nil }
    return Double(status.f_bavail) / Double(status.f_blocks)
  }

  /// The file's permissions, size and time of the last change; nil if it is not there.
  package static func status(_ path: String) -> (mode: UInt32, size: Int64, changed: Int64)? {
    var status = stat()
    guard lstat(path, &status) == 0 else { return nil }
    let changed = Int64(status.st_mtim.tv_sec) * 1000 + Int64(status.st_mtim.tv_nsec) / 1_000_000
    return (status.st_mode & 0o7777, Int64(status.st_size), changed)
  }

  /// A size as people read it.
  static func size(_ bytes: Int64) -> String {
    if bytes < 10 << 10 { return "\(bytes) bytes" }
    if bytes < 10 << 20 { return "\(bytes >> 10) KiB" }
    return bytes < 10 << 30 ? "\(bytes >> 20) MiB" : "\(bytes >> 30) GiB"
  }
}

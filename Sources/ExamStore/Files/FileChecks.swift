import Glibc

/// Looks at the store's files: nothing is opened.
package struct FileChecks {
  let location: StoreLocation
  let freeBytes: @Sendable (String) -> Int64?

  package init(location: StoreLocation, freeBytes: @escaping @Sendable (String) -> Int64?) {
    self.location = location
    self.freeBytes = freeBytes
  }

  private static let largeLog: Int64 = 64 << 20
  private static let littleSpace: Int64 = 512 << 20
  private static let noSpace: Int64 = 16 << 20

  package func run(_ diagnosis: inout Diagnosis) {
    do {
      try location.check(for: .reading)
      do {
        try location.check(for: .writing)
        diagnosis.add("place", .ok, location.path)
      } catch {
        diagnosis.add("place", .warning, "\(error)")
      }
    } catch {
      diagnosis.add("place", .failed, "\(error)")
    }
    var open: [String] = []
    for file in [location.path, location.path + "-wal", location.path + "-shm"] {
      if let status = FileFacts.status(file), status.mode & 0o077 != 0 { open.append(file) }
    }
    if open.isEmpty {
      diagnosis.add("permissions", .ok, "only the owner can read the store")
    } else {
      diagnosis.add(
        "permissions", .failed,
        "others can read \(open.joined(separator: ", ")); put it right with: chmod 600 "
          + open.map(\.shellWord).joined(separator: " "))
    }
    let log = FileFacts.status(location.path + "-wal")?.size ?? 0
    diagnosis.add("log size", log > FileChecks.largeLog ? .warning : .ok, FileFacts.size(log))
    space(&diagnosis)
  }

  package func space(_ diagnosis: inout Diagnosis) {
    guard let free = freeBytes(location.folder) else {
      diagnosis.add("disk space", .warning, "cannot be told")
      return
    }
    let result: Diagnosis.Result =
      free < FileChecks.noSpace ? .failed : free < FileChecks.littleSpace ? .warning : .ok
    diagnosis.add("disk space", result, "\(FileFacts.size(free)) free")
  }
}

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

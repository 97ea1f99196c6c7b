import Glibc

/// Who else has a store open.
enum StoreUsers {
  /// The other processes that hold SQLite's lock on the log's index, which every connection does.
  static func others(of location: StoreLocation) -> [LockHolder] {
    var status = stat()
    guard stat(location.path + "-shm", &status) == 0, let table = readSmallFile("/proc/locks", limit: 1 << 20) else {
      return []
    }
    let suffix = ":\(status.st_ino)"
    let own = getpid()
    var processes: Set<Int32> = []
    for line in table.split(separator: "\n") {
      let fields = line.split(separator: " ", omittingEmptySubsequences: true)
      guard fields.count >= 6, fields[1] == "POSIX", fields[5].hasSuffix(suffix), let process = Int32(fields[4]),
        process != own, process > 0
      else { continue }
      processes.insert(process)
    }
    return processes.sorted().map { process in
      let command = readSmallFile("/proc/\(process)/comm", limit: 64).map { String($0.prefix { $0 != "\n" }) }
      return LockHolder(process: process, command: command ?? "unknown")
    }
  }
}

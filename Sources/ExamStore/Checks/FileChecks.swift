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
    for file in [location.path, location.path(of: .log), location.path(of: .logIndex)] {
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
    let log = FileFacts.status(location.path(of: .log))?.size ?? 0
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

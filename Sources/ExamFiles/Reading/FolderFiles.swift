#if canImport(Glibc)
  import Glibc
#endif

/// Where the files of an exam folder come from.
enum FolderFiles {
  /// A folder on the disk.
  case disk(String)
  /// Texts by path.
  case memory([String: String])

  func source(_ name: String, _ problems: ProblemList) -> SourceFile? {
    switch self {
    case .disk(let folder): return SourceFile(path: folder + "/" + name, name: name, problems: problems)
    case .memory(let texts):
      if let text = texts[name] { return SourceFile(bytes: Array(text.utf8), name: name, problems: problems) }
      problems.error(Place(file: name, line: 1), "file not found; put it back, or name another folder")
      return nil
    }
  }

  /// What lies in `sheets`.
  enum Sheets: Equatable {
    /// The names in the order of their bytes, hidden files left out.
    case names([String])
    /// There is no such folder.
    case missing
    /// There is something that cannot be read as a folder, with the reason: nothing is known of what it holds.
    case unreadable(String)
  }

  /// The names of what lies in `sheets`. A folder that cannot be read is never one that is empty: an import would take
  /// every station's sheet away.
  var sheets: Sheets {
    switch self {
    case .memory(let texts):
      let names = texts.keys.filter { $0.hasPrefix("sheets/") }.map { String($0.dropFirst(7)) }
      return names.isEmpty ? .missing : .names(names.inByteOrder)
    case .disk(let folder): return Self.list(folder + "/sheets")
    }
  }

  private static func list(_ path: String) -> Sheets {
    guard let directory = opendir(path) else {
      let error = errno
      return error == ENOENT && !isLink(path) ? .missing : .unreadable(Unreadable.reason(error, path))
    }
    defer { closedir(directory) }
    var names: [String] = []
    while true {
      errno = 0
      guard let entry = readdir(directory) else {
        return errno == 0 ? .names(names.inByteOrder) : .unreadable(Unreadable.reason(errno, path))
      }
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name.first != "." { names.append(name) }
    }
  }
}

extension [String] {
  fileprivate var inByteOrder: [String] { sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) } }
}

/// Why something on the disk cannot be read, and what to do.
enum Unreadable {
  /// - Parameters:
  ///   - error: as `errno` has it.
  ///   - path: where it was looked for.
  static func reason(_ error: Int32, _ path: String) -> String {
    let said =
      switch error {
      case ENOENT where isLink(path): "it is a link to nothing; mend the link"
      case ENOENT: "it is not there; put it back, or name another folder"
      case EACCES, EPERM: "this account may not read it; change its permissions"
      case ELOOP: "its link leads back to itself; mend the link"
      case ENOTDIR: "it is not a folder; put the folder back"
      default: String(cString: strerror(error))
      }
    return "cannot be read: " + said
  }
}

/// Whether a path is a symbolic link, wherever that leads.
private func isLink(_ path: String) -> Bool {
  var info = stat()
  return lstat(path, &info) == 0 && info.st_mode & S_IFMT == S_IFLNK
}

/// Whether a path leads to a folder.
func isFolder(_ path: String) -> Bool {
  var info = stat()
  return stat(path, &info) == 0 && info.st_mode & S_IFMT == S_IFDIR
}

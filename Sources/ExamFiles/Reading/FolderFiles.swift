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
      problems.error(Place(file: name, line: 1), "cannot be read: it is not there")
      return nil
    }
  }

  /// The names of what lies in `sheets`, in the order of their bytes, hidden files left out.
  var sheets: [String] {
    var names: [String] = []
    switch self {
    case .memory(let texts):
      names = texts.keys.filter { $0.hasPrefix("sheets/") }.map { String($0.dropFirst(7)) }
    case .disk(let folder):
      guard let directory = opendir(folder + "/sheets") else { return [] }
      while let entry = readdir(directory) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) {
          $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        if name.first != "." { names.append(name) }
      }
      closedir(directory)
    }
    return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }
}

/// Whether a path leads to a folder.
func isFolder(_ path: String) -> Bool {
  var info = stat()
  return stat(path, &info) == 0 && info.st_mode & S_IFMT == S_IFDIR
}

#if canImport(Glibc)
  import Glibc
#endif

/// The commented example that `osce new` writes: a folder to be changed into a real exam.
public enum ExampleFolder {
  /// Why the example was not written.
  public struct Failure: Error, CustomStringConvertible {
    /// One line for a person.
    public let description: String
  }

  /// The files of the example by path.
  public static let files: [(path: String, text: String)] = [
    ("exam.yaml", exam), ("candidates.csv", candidates), ("staff.csv", staff), ("sheets/HISTORY.yaml", history),
    ("sheets/HANDS.yaml", hands),
  ]

  /// Writes the example into a new folder, or into one that holds none of its files: all of it, or nothing.
  ///
  /// - Throws: `Failure` if a file of the example is there already or cannot be written; nothing is ever overwritten.
  public static func write(to folder: String) throws {
    for file in files where access(folder + "/" + file.path, F_OK) == 0 {
      throw Failure(description: "\(Visible.quoted(folder + "/" + file.path)) already exists; nothing was written")
    }
    var made: [String] = []
    do {
      for path in [folder, folder + "/sheets"] {
        if mkdir(path, 0o755) == 0 { made.append(path) } else if errno != EEXIST { throw failure("make", path) }
      }
      for file in files {
        let path = folder + "/" + file.path
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw failure("write", path) }
        made.append(path)
        defer { close(descriptor) }
        try write(file.text, to: descriptor, at: path)
      }
    } catch {
      for path in made.reversed() { remove(path) }
      throw error
    }
  }

  private static func write(_ text: String, to descriptor: Int32, at path: String) throws {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw failure("write", path) }
      bytes = bytes.dropFirst(count)
    }
  }

  private static func failure(_ task: String, _ path: String) -> Failure {
    Failure(description: "cannot \(task) \(Visible.quoted(path)): " + String(cString: strerror(errno)))
  }
}

import Glibc
import Rig

/// A git repository with some history for tig to show.
enum History {
  /// Makes one with empty commits.
  static func make(_ path: String, commits: Int) throws {
    var stream = ""
    for number in 1...commits {
      let text = "Commit number \(number)\n"
      stream += "commit refs/heads/main\ncommitter Bench <bench@example.org> \(1_700_000_000 + number * 60) +0000\n"
      stream += "data \(text.utf8.count)\n\(text)\n"
    }
    try Files.write(Array(stream.utf8), to: path + ".stream")
    defer { unlink(path + ".stream") }
    try run("git init -q -b main '\(path)' && git -C '\(path)' fast-import --quiet < '\(path).stream'")
  }

  static func remove(_ path: String) { try? run("rm -rf '\(path)'") }

  private static func run(_ command: String) throws {
    let child = try Child(onPipe: "/bin/sh", ["-c", command])
    _ = child.remainingLines()
    guard child.wait() == 0 else { throw RigError("this failed: \(command)") }
  }
}

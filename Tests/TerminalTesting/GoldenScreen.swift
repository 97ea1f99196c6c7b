import Glibc

/// Compares a canvas with a text file that a person has reviewed.
///
/// With `OSCE_UPDATE_GOLDEN=1` in the environment the file is written instead.
public enum GoldenScreen {
  /// True if golden files are to be written.
  public static var isUpdating: Bool {
    getenv("OSCE_UPDATE_GOLDEN").map { String(cString: $0) } == "1"
  }

  /// Compares `text` with the file `Golden/NAME.txt` beside the test's source file.
  /// - Returns: nil if they agree, else what differs, to be shown by the test.
  public static func difference(
    _ text: String, _ name: String, update: Bool = isUpdating, testFile: String = #filePath
  ) -> String? {
    let folder = testFile.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
    let path = "\(folder)/Golden/\(name).txt"
    if update {
      mkdir("\(folder)/Golden", 0o755)
      return write(text, to: path) ? nil : "\(path) cannot be written"
    }
    guard let expected = read(path) else {
      return "\(path) is missing; run with OSCE_UPDATE_GOLDEN=1 to write it, then review it. The screen is:\n\(text)"
    }
    return compare(expected: expected, actual: text, name: name)
  }

  /// Lines that differ, each with its number: `-` as the file has it, `+` as the screen is. Nil if there are none.
  static func compare(expected: String, actual: String, name: String) -> String? {
    if expected == actual { return nil }
    let old = expected.split(separator: "\n", omittingEmptySubsequences: false)
    let new = actual.split(separator: "\n", omittingEmptySubsequences: false)
    var report = "\(name) differs from its golden file\n"
    for line in 0..<max(old.count, new.count) {
      let before = line < old.count ? old[line] : nil
      let after = line < new.count ? new[line] : nil
      if before == after { continue }
      if let before { report += "\(line + 1) - \(before)\n" }
      if let after { report += "\(line + 1) + \(after)\n" }
    }
    return report + "The screen is:\n\(actual)"
  }

  private static func read(_ path: String) -> String? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = fread(&buffer, 1, buffer.count, file)
      if count == 0 { return String(decoding: bytes, as: UTF8.self) }
      bytes += buffer[..<count]
    }
  }

  private static func write(_ text: String, to path: String) -> Bool {
    guard let file = fopen(path, "w") else { return false }
    let bytes = Array(text.utf8)
    let written = fwrite(bytes, 1, bytes.count, file)
    return fclose(file) == 0 && written == bytes.count
  }
}

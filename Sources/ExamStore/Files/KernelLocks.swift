import Glibc

/// The kernel's table of file locks, `/proc/locks`.
enum KernelLocks {
  /// The lines about one file, as their fields; empty where there is none, or the kernel does not say.
  ///
  /// Only these are taken apart: the table has a line for each lock of the whole machine.
  static func lines(on inode: UInt64) -> [[Substring]] {
    guard let table = readSmallFile("/proc/locks", limit: 1 << 20) else { return [] }
    return table.withCString { start in
      var lines: [[Substring]] = []
      var rest = start
      while let found = strstr(rest, ":\(inode) ") {
        var begin = UnsafePointer(found)
        while begin > start, begin[-1] != UInt8(ascii: "\n") { begin -= 1 }
        rest = UnsafePointer(strchr(found, Int32(UInt8(ascii: "\n"))) ?? found + strlen(found))
        let line = UnsafeBufferPointer(start: begin, count: rest - begin)
        lines.append(String(decoding: line.map { UInt8(bitPattern: $0) }, as: UTF8.self).split(separator: " "))
      }
      return lines
    }
  }
}

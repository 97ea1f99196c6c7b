import Glibc

/// This test process, as the kernel names it.
enum ProcessID {
  static let own = getpid()
  static let command: String = {
    guard let file = fopen("/proc/self/comm", "r") else { return "" }
    defer { fclose(file) }
    var buffer = [UInt8](repeating: 0, count: 64)
    let count = fread(&buffer, 1, 64, file)
    return String(decoding: buffer[..<count], as: UTF8.self).split(separator: "\n").first.map(String.init) ?? ""
  }()
}

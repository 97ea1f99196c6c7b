import ExamStore
import Glibc

/// A program of the product that lies beside this one: what needs more than a terminal does is not linked into it.
struct CompanionProgram {
  /// Its name.
  let name: String
  /// What builds it, from the project's folder.
  let builtBy: String

  /// Where it lies; nil where it is not installed.
  var path: String? {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = buffer.withUnsafeMutableBytes { bytes in
      bytes.baseAddress.map { readlink("/proc/self/exe", $0, bytes.count) } ?? -1
    }
    guard count > 0 else { return nil }
    let own = String(decoding: buffer[..<count], as: UTF8.self)
    guard let slash = own.lastIndex(of: "/") else { return nil }
    let path = own[...slash] + name
    return access(String(path), X_OK) == 0 ? String(path) : nil
  }

  /// What is said where it is not installed.
  var missing: StoreError { StoreError("\(name) is not installed beside osce; build it with: \(builtBy)") }
}

import Glibc

/// Reads a small file whole, for `/proc` and the like.
public func readSmallFile(_ path: String, limit: Int) -> String? {
  let descriptor = open(path, O_RDONLY | O_CLOEXEC)
  guard descriptor >= 0 else { return nil }
  defer { close(descriptor) }
  var bytes: [UInt8] = []
  var chunk = [UInt8](repeating: 0, count: 16_384)
  while bytes.count < limit {
    let count = read(descriptor, &chunk, chunk.count)
    if count <= 0 { break }
    bytes.append(contentsOf: chunk[0..<count])
  }
  return String(decoding: bytes, as: UTF8.self)
}

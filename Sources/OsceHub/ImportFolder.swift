import Dispatch
import Foundation

/// The folder of the store in which an import is done. It holds candidates' data and a token, and goes with the import,
/// also where that is interrupted; what one left that was killed, the next takes away.
final class ImportFolder {
  /// Where the store lies.
  let store: String
  private let path: String
  private let signals: [any DispatchSourceSignal]

  private static let prefix = "osce-hub-import-"
  /// A folder of which another import has not yet said that it uses it is younger, in seconds.
  private static let youth = 60

  /// Makes it, for its owner alone.
  init() throws {
    Self.sweep()
    let path = NSTemporaryDirectory() + Self.prefix + UUID().uuidString
    let store = Self.store(in: path)
    (self.path, self.store) = (path, store)
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    try DatabaseUse.take(store)
    signals = [SIGINT, SIGTERM, SIGHUP].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler {
        try? FileManager.default.removeItem(atPath: path)
        signal(number, SIG_DFL)
        kill(getpid(), number)
      }
      source.resume()
      return source
    }
  }

  /// Takes it away.
  func remove() { try? FileManager.default.removeItem(atPath: path) }

  private static func store(in folder: String) -> String { folder + "/import.sqlite" }

  private static func sweep() {
    let folder = NSTemporaryDirectory()
    for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] where name.hasPrefix(prefix) {
      let path = folder + name
      var status = stat()
      guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, status.st_uid == geteuid(),
        status.st_mtim.tv_sec < time(nil) - youth, (try? DatabaseUse.takeAlone(store(in: path))) != nil
      else { continue }
      try? FileManager.default.removeItem(atPath: path)
    }
  }
}

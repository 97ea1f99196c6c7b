import CircuitModel
import ExamFiles
import ExamStore
import Foundation
import Glibc
import Timer

/// The folder of a demonstration's store: gone when the demonstration is left, and found again for a day if it was broken
/// off.
struct DemoFolder {
  /// Where it lies.
  let path: String
  /// When something was saved in it last.
  let changed: Instant
  /// Held for as long as the demonstration is open: the kernel lets go of it when the process dies.
  private let lock: Int32

  private static let prefix = "osce-demo-"
  /// How long one that was broken off is kept, in milliseconds.
  private static let keptMs: Int64 = 86_400_000

  /// Whether a store is a demonstration's.
  static func holds(_ store: StoreLocation) -> Bool {
    let folder = URL(fileURLWithPath: store.folder)
    return folder.lastPathComponent.hasPrefix(prefix) && folder.deletingLastPathComponent().path == place
      && store == DemoExam.location(in: store.folder)
  }

  private static var place: String { FileManager.default.temporaryDirectory.path }

  /// Makes a new one that only its owner can read.
  /// - Throws: `StoreError` if it cannot be made.
  static func make() throws -> DemoFolder {
    let path = place + "/" + prefix + UUID().uuidString
    guard mkdir(path, 0o700) == 0, let made = DemoFolder(taking: path) else {
      let reason = String(cString: strerror(errno))
      throw StoreError("cannot make the folder \(path): \(reason); TMPDIR names another place")
    }
    return made
  }

  /// The demonstration of this user that was broken off last, taken, and what is offered of it; those of more than a day
  /// ago are removed.
  static func interrupted() -> (folder: DemoFolder, offer: InterruptedDemo)? {
    let now = Instant(milliseconds: Int64(time(nil)) * 1000)
    let names = (try? FileManager.default.contentsOfDirectory(atPath: place)) ?? []
    let free = names.filter { $0.hasPrefix(prefix) }.compactMap { DemoFolder(taking: place + "/" + $0) }
    let kept = free.filter { now - $0.changed <= keptMs && $0.isBuilt }.sorted { $0.changed > $1.changed }
    // One whose exam is not built may be about to be.
    for folder in free where folder.path != kept.first?.path {
      if now - folder.changed > keptMs { folder.remove() } else { folder.release() }
    }
    return kept.first.map { ($0, InterruptedDemo(changed: $0.changed, earlier: kept.count - 1)) }
  }

  /// Takes a folder of this user's that no process has.
  private init?(taking path: String) {
    lock = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard lock >= 0 else { return nil }
    var status = stat()
    guard fstat(lock, &status) == 0, status.st_uid == geteuid(), status.st_mode & 0o077 == 0,
      flock(lock, LOCK_EX | LOCK_NB) == 0
    else {
      close(lock)
      return nil
    }
    self.path = path
    let files = [path, path + "/demo.sqlite", path + "/demo.sqlite-wal"]
    changed = files.map(DemoFolder.changed).max() ?? .earliest
  }

  /// Whether the exam in it was built to its end.
  var isBuilt: Bool { access(mark, F_OK) == 0 }

  private var mark: String { path + "/built" }

  /// Notes that the exam in it has been built. Where that cannot be noted, it is not offered again.
  func noteBuilt() {
    let descriptor = open(mark, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    if descriptor >= 0 { close(descriptor) }
  }

  private static func changed(_ path: String) -> Instant {
    var status = stat()
    guard lstat(path, &status) == 0 else { return .earliest }
    return Instant(milliseconds: Int64(status.st_mtim.tv_sec) * 1000 + Int64(status.st_mtim.tv_nsec) / 1_000_000)
  }

  /// Leaves it as it is, for another to take.
  func release() { close(lock) }

  /// Removes it with all that is in it.
  func remove() {
    try? FileManager.default.removeItem(atPath: path)
    close(lock)
  }
}

/// What is offered of the demonstrations that were broken off: the newest, and after it the one before.
struct InterruptedDemo {
  /// When something was saved in it last.
  let changed: Instant
  /// How many were broken off before it.
  let earlier: Int

  /// The offer in words, without a full stop.
  var text: String {
    let time = LocalTime.reading(of: changed).minute
    return "Resume the demo interrupted at \(time)" + (earlier == 0 ? "" : ", the newest of \(earlier + 1)")
  }
}

import Foundation

/// Folders for what a test writes.
public enum ScratchFolder {
  /// Where they lie: in memory, where there is a disk of memory, for tests wait for thousands of saves.
  public static let disk = FileManager.default.isWritableFile(atPath: "/dev/shm") ? "/dev/shm" : "/tmp"

  /// Makes one that is the caller's to remove.
  public static func make() throws -> String {
    let folder = disk + "/osce-test-" + UUID().uuidString
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    return folder
  }
}

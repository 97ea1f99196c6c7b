import Sync

/// The disk of a hub's file has no room for a change.
public struct DiskFull: StorageFailure {
  let path: String

  /// One line.
  public var description: String { "the disk of \(path) is full: the change was NOT saved; free some space" }
  /// The hub takes nothing until there is room.
  public var answer: HubError { .readOnly(after: 5) }
}

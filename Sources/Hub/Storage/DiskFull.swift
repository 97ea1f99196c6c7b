import Sync

/// The disk of a hub's file has no room for a change.
struct DiskFull: StorageFailure {
  let path: String

  var description: String { "the disk of \(path) is full: the change was NOT saved; free some space" }
  var answer: HubError { .readOnly(after: 5) }
}

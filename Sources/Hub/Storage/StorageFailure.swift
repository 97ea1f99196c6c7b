import Sync

/// Why a database did not do what a hub asked: one line for the person who runs it, and an answer for who asked the
/// hub.
public protocol StorageFailure: Error, CustomStringConvertible {
  /// What the hub answers. Nothing of the request was done, or it is not known whether it was.
  var answer: HubError { get }
}

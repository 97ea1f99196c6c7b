import Journal

/// Where a hub keeps everything. Nothing outside it decides: what a hub process has in memory can be lost at any
/// moment, and any number of processes may serve one database, where the database allows it.
///
/// The statements are the hub's, and the same for every database: `?` stands for an argument.
public protocol HubDatabase: Sendable {
  /// Runs a read: one consistent view.
  func read<T: Sendable>(_ body: @escaping @Sendable (any HubConnection) throws -> T) async throws -> T

  /// Runs a change. When it returns, the change is durable; when `body` throws, nothing of it is.
  /// - Parameter weight: how many operations it brings, for those that are made durable together.
  func write<T: Sendable>(
    weight: Int, _ body: @escaping @Sendable (any HubConnection) throws -> T
  ) async throws -> T

  /// Tells the other processes that serve this database that an exam's log has grown. It may get lost.
  func announce(_ exam: UUIDBytes, head: Int64)

  /// Hands over what the others announce, until it is cancelled.
  func listen(_ hear: @escaping @Sendable (_ exam: UUIDBytes, _ head: Int64) -> Void) async

  /// The clocks of a hub on this database.
  var clock: HubTimeSource { get }

  /// Which share of the disk it lies on is free, 0 to 1; nil where a hub cannot see that disk.
  var freeShare: Double? { get }

  /// Takes what was destroyed out of the database's own files too, where it may still lie in free pages.
  /// - Returns: whether it is out of them now.
  func scrub() async throws -> Bool

  /// Ends its use.
  func close() throws
}

extension HubDatabase {
  /// A database of one process tells nobody.
  public func announce(_ exam: UUIDBytes, head: Int64) {}

  /// A database of one process hears nothing.
  public func listen(_ hear: @escaping @Sendable (_ exam: UUIDBytes, _ head: Int64) -> Void) async {}

  /// The machine's.
  public var clock: HubTimeSource { .machine }

  /// A server's files are its own.
  public func scrub() async throws -> Bool { false }

  /// Another machine's disk, as a rule.
  public var freeShare: Double? { nil }
}

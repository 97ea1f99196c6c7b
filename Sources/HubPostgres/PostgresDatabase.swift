import Hub
import Journal

/// A hub's database in PostgreSQL: any number of hubs serve it, and a standby that takes over has all that was
/// acknowledged.
///
/// A transaction that changes an exam holds its lock to the commit, so that numbers of its log have no gaps and are
/// seen in their order, whichever hub gives them.
public final class PostgresDatabase: HubDatabase {
  private let readers: PostgresLane
  private let writers: PostgresLane
  private let news: PostgresNews
  private let time = PrimaryTime()

  /// How many connections a process has for each.
  private static let size = 8

  /// Opens the database of an address, and makes the tables if there are none.
  /// - Parameter address: as libpq takes it: `postgresql://user@host1,host2/database`, or `host=… dbname=…`.
  /// - Throws: one line where it cannot be reached, is another's, or is written by a newer hub.
  public init(address: String) async throws {
    readers = PostgresLane(address, size: Self.size)
    writers = PostgresLane(address, size: Self.size)
    // Who reads waits for no exam's lock: the doorbell is not held up.
    news = PostgresNews(address, readers, time)
    try await writers.run(.changing) { [time] connection in
      try PostgresTables.make(in: connection)
      for _ in 0..<3 { try time.compare(over: connection.link) }
    }
  }

  /// Runs a read: one consistent view.
  public func read<T: Sendable>(_ body: @escaping @Sendable (any HubConnection) throws -> T) async throws -> T {
    try await readers.run(.reading, body)
  }

  /// Runs a change.
  public func write<T: Sendable>(
    weight: Int, _ body: @escaping @Sendable (any HubConnection) throws -> T
  ) async throws -> T {
    try await writers.run(.changing, body)
  }

  /// Tells the other hubs of this database that an exam's log has grown.
  public func announce(_ exam: UUIDBytes, head: Int64) { news.announce(exam, head: head) }

  /// Hands over what the others announce, and keeps the primary's time.
  public func listen(_ hear: @escaping @Sendable (UUIDBytes, Int64) -> Void) async { await news.listen(hear) }

  /// The primary's clock; the machine's, while it only ever rises.
  public var clock: HubTimeSource {
    HubTimeSource(now: { [time] in time.now }, steady: HubTimeSource.machine.steady)
  }

  /// Ends its connections.
  public func close() {
    readers.close()
    writers.close()
  }
}

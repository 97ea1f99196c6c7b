import Hub

/// The hub's tables in PostgreSQL.
enum PostgresTables {
  /// The lock that lets one process at a time make them.
  private static let lock: Int64 = 0x6F73_6365_0001

  /// Makes the tables where there are none yet.
  /// - Throws: where the database is another's, or of a newer hub.
  static func make(in connection: PostgresConnection) throws {
    // Hubs that start together wait for the one that makes them, as long as any statement may take.
    _ = try connection.fetch("SELECT set_config('lock_timeout', '0', true)", [])
    _ = try connection.fetch("SELECT pg_advisory_xact_lock(?)", [.integer(lock)])
    // A table that somebody else holds is waited for as in any change.
    _ = try connection.fetch("SELECT set_config('lock_timeout', '\(PostgresLink.lockTimeout)', true)", [])
    let known = try connection.fetch("SELECT count(*) FROM pg_tables WHERE schemaname = current_schema()", [])
    guard known.first?.values.first == .integer(0) else {
      let own = try connection.fetch(
        "SELECT count(*) FROM pg_tables WHERE schemaname = current_schema() AND tablename IN ('hub', 'exam', 'op')", [])
      guard own.first?.values.first == .integer(3),
        case .integer(let version)? = try connection.fetch("SELECT version FROM hub", []).first?.values.first
      else {
        throw PostgresFault(.refused, "the database is not a hub's; nothing was changed; make an empty one: createdb")
      }
      if let refusal = HubSchema.refusal(of: version, in: "the database") { throw PostgresFault(.refused, refusal) }
      try HubSchema.upgrade(connection, from: version, .postgres)
      return
    }
    for statement in HubSchema.statements(.postgres) { _ = try connection.link.executeOnce(statement, []) }
  }
}

#if DRAW_BEFORE_COMMIT
  import GRDB

  extension DatabaseQueue {
    /// A store without its first promise, for the fault tests alone: a change is told of and shown at once, and becomes
    /// durable only with the next one. The kill test has to find this out, or it would prove nothing.
    func commitWithTheNext<T>(_ body: (Database) throws -> T) throws -> T {
      try inDatabase { db in
        if db.isInsideTransaction { try db.commit() }
        try db.beginTransaction(.immediate)
        do {
          return try body(db)
        } catch {
          try db.rollback()
          throw error
        }
      }
    }
  }
#endif

import GRDB
import Journal

/// Where a store stands in the exchange with its hub.
public struct ExchangeStanding: Equatable, Sendable {
  /// The store's place at the hub.
  public let enrolment: Enrolment
  /// Places in the hub's log that are remembered, the latest first.
  public let marks: [LogMark]
  /// Where this device's chain ends.
  public let tip: ChainTip
  /// How many changes the hub does not have, as `Outbox` counts them.
  public let waiting: Int
  /// Whether a clock runs.
  public let isRunOpen: Bool
}

extension ExamStore {
  /// Where the store stands; nil where it has no place at a hub.
  public func exchangeStanding() throws -> ExchangeStanding? {
    let (knowledge, now) = (knowledge, clock.now)
    return try read { db in
      guard let enrolment = try Enrolment.read(db) else { return nil }
      return ExchangeStanding(
        enrolment: enrolment, marks: try LogMark.all(db), tip: try ChainEnd.tip(of: device(in: db), in: db),
        waiting: try Outbox.waiting(db), isRunOpen: try !knowledge.openSessions(db, now).isEmpty)
    }
  }
}

extension ExamStore {
  /// The one of some devices that wrote to this store last; nil: none ever did.
  public func lastWriter(among devices: some Sequence<UUIDBytes>) throws -> UUIDBytes? {
    try read { db in
      let statement = try db.cachedStatement(
        sql: "SELECT seq FROM operation WHERE device = ? ORDER BY deviceSeq DESC LIMIT 1")
      let last = try devices.compactMap { device in
        try Int64.fetchOne(statement, arguments: [device.description]).map { (device: device, seq: $0) }
      }
      return last.max { $0.seq < $1.seq }?.device
    }
  }

  /// Where this device's chain ends.
  public func chainTip() throws -> ChainTip {
    try read { db in try ChainEnd.tip(of: device(in: db), in: db) }
  }

  /// Every operation of this device, in the order of its chain.
  package func ownChain() throws -> [Journal.Operation] {
    try read { db in
      let chain = try OperationTable.fetch("device = ?", [device(in: db).description], in: db)
      return chain.sorted { $0.deviceSeq < $1.deviceSeq }
    }
  }
}

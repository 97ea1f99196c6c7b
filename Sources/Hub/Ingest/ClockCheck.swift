import CircuitModel
import Journal

/// Holds events of a running clock against the hub's time: an old one counts only from the device that has the run, for
/// no other was in contact with the hall when it was given. What is older than this run of the log was judged by the one
/// before, and comes again after a restore.
struct ClockCheck {
  let tables: IngestTables
  let rows: ComingRows

  /// How old an event may be that any device gives, in milliseconds.
  static let patience: Int64 = 20_000

  /// Whether an event comes too late from a device that does not have its run.
  func isPartitioned(_ opened: OpenedOperation) throws -> Bool {
    let operation = opened.operation
    guard operation.row.entity == Stored.ClockEvent.entityName, case .integer(let at)? = opened.body?.fields["at"],
      at < tables.log.now - Self.patience, at >= tables.log.began,
      case .text(let run)? = try rows.value("run", of: operation.row)
    else { return false }
    guard let host = try host(of: Stored.CircuitRun.row(run)) else { return false }
    return try !tables.lineage(of: operation.device).contains(host)
  }

  /// The device that has a run: the one that was named, else the one that made it; nil where the run is new here.
  private func host(of run: RowKey) throws -> UUIDBytes? {
    if let named = try rows.rows.text("host", of: run).flatMap({ UUIDBytes($0) }) { return named }
    return try rows.rows.history(of: run).first?.operation.device
  }
}

import Journal
import Sync

/// What of one exam's log taking operations reads and writes.
struct IngestTables {
  let log: ExamLog
  let operations: OperationStore
  let heads: HeadTable
  let devices: DeviceTable
  let scope: ScopeTable
  let memory = PushMemory()
  let former = FormerRefusals()

  init(_ log: ExamLog) {
    self.log = log
    operations = OperationStore(log: log)
    heads = HeadTable(log: log, operations: operations)
    devices = DeviceTable(connection: log.beside, exam: log.exam)
    scope = ScopeTable(log)
  }

  /// A device and those whose place it took.
  func lineage(of device: UUIDBytes) throws -> [UUIDBytes] {
    try memory.lineage(of: device) { try devices.lineage(of: device) }
  }

  /// Every operation of a transaction that is here, each once.
  func members(of key: TransactionKey) throws -> [TransactionMember] {
    var ids: Set<OperationID> = []
    var members: [TransactionMember] = []
    for device in try lineage(of: key.device).reversed() {
      for stored in try operations.members(device: device, tx: key.tx) where ids.insert(stored.operation.id).inserted {
        let isSecondVersion = try stored.fate.answer == .rejected(.twoVersions) && !operations.isFirst(stored)
        members.append(
          TransactionMember(
            opened: OpenedOperation(stored.operation), stored: (stored.seq, stored.fate),
            isSecondVersion: isSecondVersion))
      }
    }
    return members
  }
}

/// An operation of a transaction that is being decided.
struct TransactionMember {
  let opened: OpenedOperation
  /// Its number, and what was said of it; nil while it is new.
  let stored: (seq: Int64, fate: LogEntry.Fate)?
  /// Whether it has the identifier of another change that stands: a verdict on that identifier would be on the other.
  var isSecondVersion = false
  var operation: Journal.Operation { opened.operation }
}

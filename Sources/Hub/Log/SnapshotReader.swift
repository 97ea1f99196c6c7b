import Journal
import Sync

/// Where a page of a snapshot begins, as the hub names it: the run of the log, the number that fixes the snapshot, and the
/// last one given.
struct SnapshotPlace {
  /// Nil: the first page fixes it.
  var epoch: UUIDBytes?
  /// The snapshot holds what stands at this number of the log; nil: the first page fixes it.
  var fixed: Int64?
  var after: Int64 = 0
  /// The version of the device's scope that the first page fixes.
  var version: Int64?

  /// A place in a snapshot.
  init(epoch: UUIDBytes, fixed: Int64, after: Int64, version: Int64) {
    (self.epoch, self.fixed, self.after, self.version) = (epoch, fixed, after, version)
  }

  /// Reads what an earlier page said.
  /// - Throws: `HubError.malformed` for a text that no page says.
  init(_ text: String?) throws {
    guard let text, !text.isEmpty else { return }
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    let numbers = parts.dropFirst().compactMap { Int64($0) }
    guard parts.count == 4, numbers.count == 3, let epoch = UUIDBytes(String(parts[0])), numbers[0] >= 0,
      0...numbers[0] ~= numbers[1], numbers[2] >= 0
    else {
      throw HubError.malformed(pointer: "/page")
    }
    (self.epoch, fixed, after, version) = (epoch, numbers[0], numbers[1], numbers[2])
  }

  /// As a page says it.
  var text: String? {
    guard let epoch, let fixed, let version else { return nil }
    return "\(epoch).\(fixed).\(after).\(version)"
  }
}

/// Reads what stands in a log at a number: for each operation that stands on a field, deletes, is not decided or is the
/// device's own, its entry, and without content those of the others of its transaction; and what was destroyed. With
/// history, all of them.
struct SnapshotReader {
  private let log: ExamLog
  private let device: DeviceRecord
  private let wantsHistory: Bool

  init(_ log: ExamLog, _ device: DeviceRecord, wantsHistory: Bool) {
    self.log = log
    self.device = device
    self.wantsHistory = wantsHistory
  }

  /// Whether an operation stands; its arguments are those of `standing`.
  private var stands: String { wantsHistory ? "1 = 1" : "o.untilSeq IS NULL OR o.untilSeq > ? OR o.device = ?" }
  /// Whether another of its transaction does; its arguments are those of `standing`.
  private var standsInPart: String {
    """
    o.txSize > 1 AND EXISTS (SELECT 1 FROM op p WHERE p.exam = o.exam AND p.tx = o.tx AND p.device = o.device
      AND (p.untilSeq IS NULL OR p.untilSeq > ? OR p.device = ?))
    """
  }

  /// A page, as it travels.
  /// - Throws: `HubError.cursor` where it goes on a page of another run of the log: the device begins again.
  func page(from place: SnapshotPlace) throws -> [UInt8] {
    if let epoch = place.epoch, epoch != log.epoch {
      throw HubError.cursor(
        epoch: log.epoch, common: try log.common(among: []), last: device.last.deviceSeq, lastHash: device.last.hash)
    }
    let fixed = place.fixed ?? log.head.seq
    let version = min(place.version ?? device.scopeVersion, device.scopeVersion)
    let reader = try ScopeReader(log, device, version: device.role == nil ? nil : version)
    guard let hash = try log.hash(at: fixed) else { throw HubError.malformed(pointer: "/page") }
    let standing: [HubValue] = wantsHistory ? [] : [.integer(fixed), HubValue(device.id)]
    var (bytes, count, last, isFull) = ([UInt8](), Int64(0), place.after, false)
    try log.connection.forEach(
      """
      SELECT l.seq, l.time, l.type, l.subject, l.detail, CASE WHEN \(stands) THEN 1 ELSE 0 END, o.result,
        \(LoggedOperation.columns)
      FROM log l LEFT JOIN op o ON o.exam = l.exam AND o.seq = l.seq
      WHERE l.exam = ? AND l.seq > ? AND l.seq <= ? AND l.type <> ?\(
        wantsHistory ? "" : " AND (l.type = ? OR \(stands) OR \(standsInPart))")
      ORDER BY l.seq
      """,
      standing + [
        HubValue(log.exam), .integer(place.after), .integer(fixed), .text(ExamLog.EntryType.verdict.rawValue),
      ] + (wantsHistory ? [] : [.text(ExamLog.EntryType.erase.rawValue)]) + standing + standing
    ) { row in
      let entry = try count < SyncLimits.standard.page ? entry(row, reader, at: fixed) : nil
      isFull = count >= SyncLimits.standard.page || entry.map { !LogPage.hasRoom(for: $0, after: bytes.count) } ?? false
      if isFull { return false }
      last = try row.integer(0)
      if let entry {
        bytes += entry + [UInt8(ascii: "\n")]
        count += 1
      }
      return true
    }
    let end = SnapshotPage(
      entries: [],
      next: isFull ? SnapshotPlace(epoch: log.epoch, fixed: fixed, after: last, version: version).text : nil,
      cursor: log.cursor(at: LogPlace(seq: fixed, version: version), hash), hash: hash,
      scope: device.scope, time: log.now)
    return bytes + end.encoded
  }

  /// An entry as it travels; nil where the device does not get it.
  private func entry(_ row: HubRow, _ reader: ScopeReader, at fixed: Int64) throws -> [UInt8]? {
    let (seq, time) = (try row.integer(0), try row.integer(1))
    var bytes: [UInt8] = []
    if try row.text(2) == ExamLog.EntryType.erase.rawValue {
      try EntryReader.erasure(seq, time, of: row.text(3), bodies: row.text(ifAny: 4)).write(to: &bytes)
      return bytes
    }
    let result = try LogEntry.Fate(stored: row.text(6)).answer
    let operation = try LoggedOperation(row, from: 7)
    let isShown = result.refusal == nil || device.seesOthers || operation.author == device.id
    if try !isShown && !reader.takesBackRefused(operation, at: fixed, time) { return nil }
    guard let content = try reader.content(of: operation, at: fixed, time) else { return nil }
    LogEntry.write(
      seq: seq, time: time, try row.flag(5) ? content : content.withoutBody, result, operation.part, to: &bytes)
    return bytes
  }
}

import Journal
import Sync

/// Where a page of a snapshot begins, as the hub names it: the number that fixes the snapshot, and the last one given.
struct SnapshotPlace {
  /// The snapshot holds what stands at this number of the log; nil: the first page fixes it.
  var fixed: Int64?
  var after: Int64 = 0
  /// The version of the device's scope that the first page fixes.
  var version: Int64?

  /// Reads what an earlier page said.
  /// - Throws: `HubError.malformed` for a text that no page says.
  init(_ text: String?) throws {
    guard let text, !text.isEmpty else { return }
    let parts = text.split(separator: ".", omittingEmptySubsequences: false).map { Int64($0) }
    guard parts.count == 3, let fixed = parts[0], let after = parts[1], let version = parts[2], fixed >= 0,
      0...fixed ~= after, version >= 0
    else {
      throw HubError.malformed(pointer: "/page")
    }
    (self.fixed, self.after, self.version) = (fixed, after, version)
  }
}

/// Reads what stands in a log at a number: for each operation that stands on a field, deletes, is not decided or is the
/// device's own, its entry. With history, all of them.
struct SnapshotReader {
  private let log: ExamLog
  private let device: DeviceRecord
  private let wantsHistory: Bool

  init(_ log: ExamLog, _ device: DeviceRecord, wantsHistory: Bool) {
    self.log = log
    self.device = device
    self.wantsHistory = wantsHistory
  }

  /// A page, as it travels.
  func page(from place: SnapshotPlace) throws -> [UInt8] {
    let fixed = place.fixed ?? log.head.seq
    let version = min(place.version ?? device.scopeVersion, device.scopeVersion)
    let reader = try ScopeReader(log, device, version: device.role == nil ? nil : version)
    guard let hash = try log.hash(at: fixed) else { throw HubError.malformed(pointer: "/page") }
    let stands = wantsHistory ? "" : "AND (untilSeq IS NULL OR untilSeq > ? OR device = ?)"
    let standing: [HubValue] = wantsHistory ? [] : [.integer(fixed), HubValue(device.id)]
    var (bytes, count, last, isFull) = ([UInt8](), Int64(0), place.after, false)
    try log.connection.forEach(
      """
      SELECT o.seq, o.result, o.device, o.txIndex, o.txSize, o.id, l.time, o.header, o.bodyHash, o.hash, o.sealed, o.absent,
        o.atoms, o.tx
      FROM op o JOIN log l ON l.exam = o.exam AND l.seq = o.seq
      WHERE o.exam = ? AND o.seq > ? AND o.seq <= ? \(stands) ORDER BY o.seq
      """, [HubValue(log.exam), .integer(place.after), .integer(fixed)] + standing
    ) { row in
      guard count < SyncLimits.standard.page, bytes.count < SyncLimits.pageBytes else {
        isFull = true
        return false
      }
      last = try row.integer(0)
      guard let standing = StoredOperation.Standing(try row.text(1)) else {
        throw HubDamage(what: "what is said of an operation cannot be read")
      }
      let (author, result) = (try row.id(2), standing.result)
      let (words, time) = (try row.text(12), try row.integer(6))
      let isShown = result.refusal == nil || device.seesRefused || author == device.id
      if try !isShown && !reader.takesBackRefused(row.id(5), by: author, called: words, at: fixed, time) { return true }
      let part = LogEntry.Part(index: try row.integer(3), count: try row.integer(4))
      let content = try reader.content(
        LogPage.parts(row, from: 7), by: author, called: words, tx: row.text(13), of: part.count, at: fixed, time)
      guard let content else { return true }
      LogEntry.write(seq: last, time: try row.integer(6), content, result, part, to: &bytes)
      bytes.append(UInt8(ascii: "\n"))
      count += 1
      return true
    }
    let end = SnapshotPage(
      entries: [], next: isFull ? "\(fixed).\(last).\(version)" : nil,
      cursor: log.cursor(at: LogPlace(seq: fixed, version: version), hash), hash: hash,
      scope: device.scope, time: log.now)
    return bytes + end.encoded
  }
}

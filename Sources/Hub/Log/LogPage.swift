import Journal
import Sync

/// A page of an exam's log, as a device is given it, its entries written as they travel.
struct LogPage {
  private(set) var entries: [[UInt8]] = []
  /// Up to here the device has all that it gets.
  private(set) var place: LogPlace
  /// Whether there is more.
  private(set) var more = false

  private var size = 0

  /// Reads what follows a place.
  /// - Parameters:
  ///   - limit: how many entries it has at most, but for those that belong together; 0: none, and it ends where it begins.
  ///   - receipts: whether the device's own operations are answered for.
  init(_ log: ExamLog, after start: LogPlace, for device: DeviceRecord, limit: Int64, receipts: Bool) throws {
    place = start
    let isWhole = start.isWhole(at: device.scopeVersion)
    guard limit > 0 else {
      more = start.seq < log.head.seq || !isWhole
      return
    }
    let most = min(limit, SyncLimits.standard.page)
    let reader = try ScopeReader(log, device)
    if isWhole {
      place = LogPlace(seq: start.seq, version: device.scopeVersion, late: start.late)
    } else {
      try readChange(log, reader, most)
      if place.change != nil || place.version != device.scopeVersion {
        more = true
        return
      }
    }
    try readLog(log, reader, for: device, most, receipts: receipts)
  }

  /// - Returns: false, with nothing added, where the page has no room for the entry.
  private mutating func add(_ entry: [UInt8]) -> Bool {
    guard Self.hasRoom(for: entry, after: size) else { return false }
    // With the comma that follows.
    size += entry.count + 1
    entries.append(entry)
    return true
  }

  private func isFull(_ most: Int64) -> Bool { entries.count >= most || size >= SyncLimits.pageBytes }

  /// Whether a page of so many bytes has room for an entry: one alone always has it.
  static func hasRoom(for entry: [UInt8], after size: Int) -> Bool {
    size == 0 || size + entry.count <= SyncLimits.pageBytes
  }

  /// Gives what the device gained of what it has gone past, and takes back what it lost.
  private mutating func readChange(_ log: ExamLog, _ reader: ScopeReader, _ most: Int64) throws {
    let change = place.change ?? LogPlace.Change(version: reader.device.scopeVersion, seq: 0)
    let (end, hasAll) = try reader.change(
      from: place.version, to: change.version, after: change.seq, upTo: place.seq, most: most, entries: &entries)
    size = entries.reduce(0) { $0 + $1.count + 1 }
    place =
      hasAll
      ? LogPlace(seq: place.seq, version: change.version)
      : LogPlace(seq: place.seq, version: place.version, change: LogPlace.Change(version: change.version, seq: end))
  }

  private mutating func readLog(
    _ log: ExamLog, _ reader: ScopeReader, for device: DeviceRecord, _ most: Int64, receipts: Bool
  ) throws {
    let (start, version) = (place.seq, place.version)
    // Who gets little of a log goes through it in steps, so that no page holds the database for long.
    let last = reader.held.isAll ? Int64.max : start + Self.step
    var late = try reader.late(after: start, upTo: last)[...]
    // What comes before the next entry may have been given in part.
    var (upTo, begun, hasMore) = (start, place.late ?? 0, false)
    try log.connection.forEach(
      """
      SELECT l.seq, l.type, l.subject, l.result, l.time, l.byOp, l.detail, o.id, o.device, o.txIndex, o.txSize,
        o.header, o.bodyHash, o.hash, o.sealed, o.absent, o.atoms, o.tx
      FROM log l LEFT JOIN op o ON o.exam = l.exam AND o.seq = l.seq
      WHERE l.exam = ? AND l.seq > ? AND l.seq <= ? ORDER BY l.seq
      """, [HubValue(log.exam), .integer(start), .integer(last)]
    ) { row in
      hasMore = isFull(most)
      if hasMore { return false }
      let seq = try row.integer(0)
      var rows: [RowKey] = []
      while let next = late.first, next.since <= seq { rows.append(late.removeFirst().row) }
      for number in rows.isEmpty ? [] : try reader.earlier(rows, since: seq) where number.seq > begun {
        if let entry = try reader.entry(of: number), !add(entry) {
          hasMore = true
          return false
        }
        begun = number.seq
        hasMore = isFull(most)
        if hasMore { return false }
      }
      if let entry = try Self.entry(row, in: log, reader, receipts: receipts), !add(entry) {
        hasMore = true
        return false
      }
      (upTo, begun) = (seq, 0)
      return true
    }
    place = LogPlace(seq: upTo, version: version, late: begun == 0 ? nil : begun)
    more = hasMore || upTo < log.head.seq
  }

  private static let step: Int64 = 5000

  private static func entry(
    _ row: HubRow, in log: ExamLog, _ reader: ScopeReader, receipts: Bool
  ) throws -> [UInt8]? {
    let device = reader.device
    let (seq, time) = (try row.integer(0), try row.integer(4))
    guard let type = ExamLog.EntryType(rawValue: try row.text(1)) else {
      throw HubDamage(what: "entry \(seq) of a log cannot be read")
    }
    var bytes: [UInt8] = []
    switch type {
    case .operation:
      guard case .result(let result)? = LogEntry.Fate(try row.text(3)) else {
        throw HubDamage(what: "entry \(seq) of a log cannot be read")
      }
      let author = try row.id(8)
      if author == device.id {
        guard receipts else { return nil }
        LogEntry(seq: seq, time: time, .receipt(try row.id(7), result)).write(to: &bytes)
        return bytes
      }
      if result.refusal != nil && !device.seesRefused {
        // Who holds it by another way, as out of a file, hears that it counts for nothing, and not what it is.
        let id: OperationID = try row.id(7)
        if try reader.takesBackRefused(id, by: author, called: row.text(16), at: seq, time) {
          LogEntry.write(
            seq: seq, time: time, try Self.parts(row, from: 11).withoutBody, result,
            LogEntry.Part(index: try row.integer(9), count: try row.integer(10)), to: &bytes)
          return bytes
        }
        guard try reader.held.see(row.text(16), at: seq),
          try OperationStore(log: log).versions(of: id).first?.operation.hash == row.bytes(13)
        else { return nil }
        LogEntry(seq: seq, time: time, .receipt(id, result)).write(to: &bytes)
        return bytes
      }
      let part = LogEntry.Part(index: try row.integer(9), count: try row.integer(10))
      let content = try reader.content(
        Self.parts(row, from: 11), by: author, called: row.text(16), tx: row.text(17), of: part.count, at: seq, time)
      guard let content else { return nil }
      // Content that came later comes to everybody with what became of it then.
      LogEntry.write(
        seq: seq, time: time, result == .withheld ? content.withoutBody : content, result, part, to: &bytes)
    case .verdict:
      guard let id = OperationID(try row.text(2)), let fate = LogEntry.Fate(try row.text(3)) else {
        throw HubDamage(what: "entry \(seq) of a log cannot be read")
      }
      if try !reader.sees(id, at: seq) { return nil }
      let by = try row.text(ifAny: 5).flatMap { OperationID($0) }
      let isContent = try row.text(ifAny: 6) == ExamLog.Note.content.rawValue
      let late = try missing(id, fate, by, isContent: isContent, log, device)
      if late == nil, !device.seesRefused, try wasRefused(id, log, device), try !wasAdmitted(id, before: seq, log) {
        return nil
      }
      LogEntry(seq: seq, time: time, .verdict(id, fate, by: by, late)).write(to: &bytes)
    case .erase:
      try erasure(seq, time, of: row.text(2), bodies: row.text(ifAny: 6)).write(to: &bytes)
    }
    return bytes
  }

  /// An entry that names what was destroyed, as every device is given it.
  static func erasure(_ seq: Int64, _ time: Int64, of subject: String, bodies: String?) throws -> LogEntry {
    guard let subject = UUIDBytes(subject) else { throw HubDamage(what: "entry \(seq) of a log cannot be read") }
    let names = (bodies ?? "").split(separator: " ").compactMap { OperationID(String($0)) }
    return LogEntry(seq: seq, time: time, .erase(subject: subject, bodies: names))
  }

  /// Up to a thousand entries after a number, as lines: each as a device is given it, with the log's hash after it.
  /// - Returns: the lines, and the number of the last.
  static func exported(_ log: ExamLog, after start: Int64) throws -> (lines: [UInt8], last: Int64) {
    var (lines, last) = ([UInt8](), start)
    try log.connection.forEach(
      """
      SELECT l.seq, l.type, l.subject, l.result, l.time, l.byOp, l.detail, l.hash, o.header, o.bodyHash, o.hash, o.sealed,
        o.absent
      FROM log l LEFT JOIN op o ON o.exam = l.exam AND o.seq = l.seq WHERE l.exam = ? AND l.seq > ? ORDER BY l.seq LIMIT 1000
      """, [HubValue(log.exam), .integer(start)]
    ) { row in
      last = try row.integer(0)
      var out = WireWriter()
      out.add("seq", last)
      out.add("type", try row.text(1))
      out.add("subject", try row.text(2))
      out.add("result", try row.text(3))
      out.add("time", try row.integer(4))
      out.add("by", try row.text(ifAny: 5))
      out.add("detail", try row.text(ifAny: 6))
      out.add("hash", hash: try row.bytes(7))
      if try row.bytes(ifAny: 8) != nil {
        var document: [UInt8] = []
        try parts(row, from: 8).write(to: &document)
        out.add("op", document: document)
      }
      lines += out.document + [UInt8(ascii: "\n")]
      return true
    }
    return (lines, last)
  }

  static func parts(_ row: HubRow, from place: Int) throws -> WireOperation.Parts {
    WireOperation.Parts(
      header: try row.bytes(place), bodyHash: try row.bytes(place + 1), hash: try row.bytes(place + 2),
      sealedBody: try row.bytes(ifAny: place + 3),
      absent: try row.text(ifAny: place + 4).flatMap { AbsentContent(rawValue: $0) })
  }

  /// Whether an operation ever counted, so that everybody who has its part was given it then.
  static func hasCounted(_ id: OperationID, _ log: ExamLog, _ device: DeviceRecord) throws -> Bool {
    try !wasRefused(id, log, device) || wasAdmitted(id, before: .max, log)
  }

  /// Whether a device was not given an operation of another as it came.
  private static func wasRefused(_ id: OperationID, _ log: ExamLog, _ device: DeviceRecord) throws -> Bool {
    let row = try log.connection.row(
      """
      SELECT o.device, l.result FROM op o JOIN log l ON l.exam = o.exam AND l.seq = o.seq
      WHERE o.exam = ? AND o.id = ? ORDER BY +o.seq LIMIT 1
      """, [HubValue(log.exam), HubValue(id)])
    guard let row else { return false }
    let author = try row.id(0)
    if author == device.id { return false }
    guard case .result(let result)? = LogEntry.Fate(try row.text(1)) else { return false }
    return result.refusal != nil
  }

  /// Whether an operation counted for a while, so that everybody was given it then.
  private static func wasAdmitted(_ id: OperationID, before seq: Int64, _ log: ExamLog) throws -> Bool {
    try log.connection.row(
      """
      SELECT 1 FROM log WHERE exam = ? AND seq > (SELECT min(+seq) FROM op WHERE exam = ? AND id = ?) AND seq < ?
        AND type = ? AND subject = ? AND result IN \(HubResult.countingList) LIMIT 1
      """,
      [
        HubValue(log.exam), HubValue(log.exam), HubValue(id), .integer(seq), .text(ExamLog.EntryType.verdict.rawValue),
        .text(id.description),
      ]) != nil
  }

  /// An operation that counts now, and of which the device may have been given nothing: as it came it was refused, or the
  /// device came while it was. And one whose content came only now.
  private static func missing(
    _ id: OperationID, _ fate: LogEntry.Fate, _ by: OperationID?, isContent: Bool, _ log: ExamLog,
    _ device: DeviceRecord
  ) throws -> WireOperation? {
    guard isContent ? device.seesRefused || fate.answer.refusal == nil : !device.seesRefused && fate.counts,
      let stored = try OperationStore(log: log).versions(of: id).first, stored.operation.device != device.id
    else { return nil }
    if try !isContent && by == nil && !wasRefused(id, log, device) { return nil }
    return WireOperation(received: stored.operation)
  }
}

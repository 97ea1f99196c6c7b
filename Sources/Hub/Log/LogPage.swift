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
    try readLog(log, reader, most, receipts: receipts)
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
    _ log: ExamLog, _ reader: ScopeReader, _ most: Int64, receipts: Bool
  ) throws {
    let (start, version) = (place.seq, place.version)
    // Who gets little of a log goes through it in steps, so that no page holds the database for long.
    let last = reader.held.isAll ? Int64.max : start + Self.step
    let entryReader = EntryReader(log, reader, receipts: receipts)
    var late = try reader.late(after: start, upTo: last)[...]
    // What comes before the next entry may have been given in part.
    var (upTo, begun, hasMore) = (start, place.late ?? 0, false)
    try log.connection.forEach(
      """
      SELECT \(EntryReader.columns)
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
      if let entry = try entryReader.entry(row), !add(entry) {
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
}

import CircuitModel
import ExamStore
import GRDB
import Glibc
import Gzip
import Journal

/// Writes all that a store may give to others into one file, for stores that no network joins.
public enum PackWriter {
  /// What was written.
  public struct Outcome: Equatable, Sendable {
    /// Operations with their content.
    public var operations = 0
    /// Operations whose content stays here.
    public var stubs = 0
  }

  /// Writes a pack; the file appears whole or not at all, for its owner alone.
  /// - Throws: `StoreError` if something else than a pack is there, or the disk refuses.
  public static func write(
    _ store: ExamStore, to path: String, progress: CheckProgress = .silent
  ) throws -> Outcome {
    try refuseOther(path)
    let file = try AtomicFile(path)
    let outcome = try store.read { db in try write(store, db, progress) { try file.write($0) } }
    try file.finish()
    return outcome
  }

  private static func write(
    _ store: ExamStore, _ db: Database, _ progress: CheckProgress, to file: @escaping ([UInt8]) throws -> Void
  ) throws -> Outcome {
    let (verdicts, erased) = (try OutgoingOperations.verdicts(db), try OutgoingOperations.erased(db))
    let enrolment = try Enrolment.read(db)
    let header = PackHeader(
      exam: enrolment?.exam, plan: try ExamIdentity.read(db), device: store.device, made: store.clock.now,
      scope: enrolment?.atoms ?? [], tips: try OutgoingOperations.tips(db),
      count: try OutgoingOperations.count(db) + verdicts.count + (erased.isEmpty ? 0 : 1))
    var outcome = Outcome()
    let gzip = try GzipWriter(file)
    var digest = StreamDigest()
    var pending: [UInt8] = []
    func add(_ line: [UInt8]) throws {
      pending += line
      pending.append(UInt8(ascii: "\n"))
      if pending.count > 1 << 18 { try flush() }
    }
    func flush() throws {
      digest.update(pending)
      try gzip.add(pending)
      pending.removeAll(keepingCapacity: true)
    }
    try add(header.line)
    try OutgoingOperations.forEach(in: db) { operation in
      if operation.absent == nil { outcome.operations += 1 } else { outcome.stubs += 1 }
      progress.report("changes", outcome.operations + outcome.stubs)
      try add(operation.encoded())
    }
    for (id, verdict) in verdicts {
      try add(
        CanonicalJSON.encode(
          .object([
            .init("type", .text("verdict")), .init("id", .text(id.description)),
            .init("result", .text(verdict.rawValue)), .init("code", .null), .init("by", .null),
          ])))
    }
    if !erased.isEmpty {
      try add(
        CanonicalJSON.encode(
          .object([
            .init("type", .text("erase")), .init("subject", .null),
            .init("bodies", .array(erased.map { .text($0.description) })),
          ])))
    }
    try flush()
    let last: CanonicalJSON.Node = .object([
      .init("sha256", .text(digest.text)), .init("count", .integer(Int64(header.count))),
    ])
    try gzip.add(CanonicalJSON.encode(last) + [UInt8(ascii: "\n")])
    try gzip.finish()
    return outcome
  }

  /// Only an earlier pack is replaced: the name may be a slip.
  private static func refuseOther(_ path: String) throws {
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFREG, (try? PackReader(path)) != nil else {
      throw StoreError("\(path) is not a pack; it was left as it is; name another file")
    }
  }
}

import CircuitModel
import ExamStore
import Glibc
import Gzip
import Journal

/// A pack that is whole: its digest and its count are what its last line says.
public struct PackReader: Sendable {
  /// Its first line.
  public let header: PackHeader
  private let path: String
  private let packed: [UInt8]

  /// The most that a file may hold.
  private static let greatestFile = 64 << 20
  /// The longest line: an operation with a body of the greatest length, each of its bytes escaped.
  private static let longestLine = 4 << 20

  /// Reads a file to its end before anything of it is taken.
  /// - Throws: `StoreError` that says why it is no pack, or not a whole one.
  public init(_ path: String) throws {
    func fault(_ what: String) -> StoreError { StoreError("cannot unpack \(path): \(what); nothing was changed") }
    self.path = path
    packed = try PackReader.bytes(path, fault)
    var lines = 0
    var digest = StreamDigest()
    var first: PackHeader?
    var held: [UInt8]?
    do {
      try PackReader.forEachLine(packed) { line in
        if let held {
          digest.update(held)
          digest.update([UInt8(ascii: "\n")])
        }
        if lines == 0 {
          first = PackHeader(line)
          if first == nil { throw fault("it is not a pack of osce") }
        }
        lines += 1
        held = line
      }
    } catch let error as GzipFault {
      switch error {
      case .damaged where lines == 0: throw fault("it is not a pack of osce")
      case .damaged: throw fault("it was damaged on the way; copy it again")
      case .cut: throw fault("it was cut short; copy it again")
      case .engine: throw StoreError("cannot unpack: the system's zlib does not work")
      case .tooLarge: throw fault("it holds far more than a pack does")
      }
    }
    guard let first, lines > 1, let last = held.flatMap({ try? WireJSON.decode($0) }), let sum = last["sha256"]?.text
    else { throw fault("it was cut short; copy it again") }
    guard sum == digest.text, last["count"]?.integer == Int64(first.count), lines - 2 == first.count else {
      throw fault("it was changed after it was made; ask for it again")
    }
    header = first
  }

  /// Whether a file begins as a pack does: compressed, which no store is.
  public static func isPack(_ path: String) -> Bool {
    // A FIFO would be waited for.
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, let file = fopen(path, "rb") else {
      return false
    }
    defer { fclose(file) }
    var start: [UInt8] = [0, 0]
    return fread(&start, 1, 2, file) == 2 && start == [0x1F, 0x8B]
  }

  /// Calls `body` with each operation in it, chain by chain, and with what a hub said of it.
  /// - Throws: `StoreError` for an entry that cannot be read.
  public func forEachOperation(_ body: (WireOperation) -> Void) throws {
    var number = 0
    try forEachEntry { line in
      number += 1
      for entry in PackReader.entries(line) {
        switch entry {
        case .operation(let operation, let result, _):
          body(WireOperation(received: operation, said: result))
        case .unreadable(let why, let id):
          let name = id.map { ", operation \($0)," } ?? ""
          throw StoreError(
            "\(path): entry \(number)\(name) cannot be read (\(why.rawValue)); ask for the pack again; "
              + "nothing was changed")
        case .outcome, .verdict, .erase, .receipt: break
        }
      }
    }
  }

  /// Takes the pack into a store: all of it that can be taken, in one transaction.
  /// - Throws: `StoreError` if it is of another exam, or the disk refuses; nothing is changed then.
  public func unpack(into store: ExamStore, progress: CheckProgress = .silent) throws -> IngestReport {
    try store.read { db in
      try refuseOther(exam: try Enrolment.read(db)?.exam, plan: try ExamIdentity.read(db))
    }
    return try store.ingest(isOfFile: true) { ingest in
      var count = 0
      try forEachEntry { line in
        count += 1
        progress.report("changes", count)
        for entry in PackReader.entries(line) { try ingest.take(entry, bytes: line) }
      }
    }
  }

  /// Calls `body` with each line between the first and the last.
  private func forEachEntry(_ body: ([UInt8]) throws -> Void) throws {
    var number = 0
    try PackReader.forEachLine(packed) { line in
      if number > 0 && number <= header.count { try body(line) }
      number += 1
    }
  }

  private func refuseOther(exam: UUIDBytes?, plan: ExamIdentity) throws {
    if let exam, let other = header.exam {
      if exam == other { return }
      throw StoreError("\(path) is of another exam of the hub; nothing was changed")
    }
    switch plan.difference(from: header.plan) {
    case nil: return
    case .nothingShared:
      throw StoreError("\(path) is of another exam: no station session is in both; nothing was changed")
    case .other(let entity, let key):
      throw StoreError(
        "\(path) is of an exam that was imported otherwise: \(entity) \(key) is not the same there; import the same "
          + "exam folder in both stores; nothing was changed")
    }
  }

  // MARK: Lines

  /// What a line says; one that says nothing is an entry that cannot be taken.
  private static func entries(_ line: [UInt8]) -> [ExchangeEntry] {
    let node: CanonicalJSON.Node
    do { node = try WireJSON.decode(line) } catch { return [.unreadable(.malformed)] }
    func unreadable() -> [ExchangeEntry] { [.unreadable(.malformed)] }
    switch node["type"]?.text {
    case nil, "op":
      do {
        let operation = try WireOperation.read(node["op"] ?? node)
        return [.operation(operation, result: WireOperation.said(in: node))]
      } catch { return [.unreadable(RefusedEntry.Why(error), error.id)] }
    case "verdict":
      guard let id = node["id"]?.text.flatMap({ OperationID($0) }),
        let verdict = node["result"]?.text.flatMap({ Journal.Verdict(rawValue: $0) })
      else { return unreadable() }
      return [.verdict(id, verdict)]
    case "erase":
      guard case .array(let bodies)? = node["bodies"] else { return unreadable() }
      return [.erase(bodies.compactMap { $0.text.flatMap { OperationID($0) } })]
    default: return unreadable()
    }
  }

  private static func forEachLine(_ packed: [UInt8], _ body: ([UInt8]) throws -> Void) throws {
    var rest: [UInt8] = []
    try GzipReader.inflate(packed) { piece in
      var piece = piece[...]
      while let end = piece.firstIndex(of: UInt8(ascii: "\n")) {
        rest += piece[..<end]
        piece = piece[(end + 1)...]
        try body(rest)
        rest.removeAll(keepingCapacity: true)
      }
      rest += piece
      if rest.count > longestLine { throw GzipFault.tooLarge }
    }
    if !rest.isEmpty { throw GzipFault.cut }
  }

  private static func bytes(_ path: String, _ fault: (String) -> StoreError) throws -> [UInt8] {
    do { return try BoundedFile.bytes(path, limit: greatestFile) } catch {
      switch error {
      case .refused(let number): throw fault(String(cString: strerror(number)))
      case .noFile: throw fault("it is no file")
      case .tooLong: throw fault("it holds far more than a pack does")
      }
    }
  }
}

import Characters
import Journal
import Terminal

@testable import ExamFiles

/// A reader of what strangers write, and what must hold of whatever it is given. A trap is a fault by itself.
public enum FuzzTarget: String, CaseIterable, Sendable {
  /// `exam.yaml` and the mark sheets.
  case yaml
  /// `candidates.csv` and `staff.csv`.
  case csv
  /// Bundles.
  case json
  /// What a terminal sends.
  case keys
  /// Names and texts on their way to a terminal.
  case text
  /// The bodies of operations, of a store or from elsewhere.
  case operation
  /// What other terminals and hubs send: documents, and the operations in them.
  case wire

  /// Reads an input as the product would.
  /// - Throws: `BrokenPromise` where something came of it that must not.
  public func read(_ bytes: [UInt8]) throws(BrokenPromise) {
    switch self {
    case .yaml: try FuzzTarget.yaml(bytes)
    case .csv: try FuzzTarget.csv(bytes)
    case .json: try FuzzTarget.json(bytes)
    case .keys: try FuzzTarget.keys(bytes)
    case .text: try FuzzTarget.text(bytes)
    case .operation: try FuzzTarget.operation(bytes)
    case .wire: try FuzzTarget.wire(bytes)
    }
  }

  /// What must never come of an input.
  public struct BrokenPromise: Error, CustomStringConvertible {
    /// What was promised.
    public let description: String
  }

  private static func promise(_ holds: Bool, _ what: @autoclosure () -> String) throws(BrokenPromise) {
    if !holds { throw BrokenPromise(description: what()) }
  }

  // MARK: Files

  private static func yaml(_ bytes: [UInt8]) throws(BrokenPromise) {
    let problems = ProblemList()
    guard let source = SourceFile(bytes: bytes, name: "exam.yaml", problems: problems) else {
      return try refused(nil as ExamPlan?, problems)
    }
    guard let tree = YAMLTree.read(source, problems: problems) else { return try refused(nil as ExamPlan?, problems) }
    let plan = ExamReader(file: source.name, problems: problems).read(tree)
    try refused(plan, problems)
    let ofSheet = ProblemList()
    try refused(MarkSheetReader(file: source.name, problems: ofSheet).read(tree, stem: "S"), ofSheet)
  }

  private static func csv(_ bytes: [UInt8]) throws(BrokenPromise) {
    let problems = ProblemList()
    guard let source = SourceFile(bytes: bytes, name: "candidates.csv", problems: problems) else {
      return try refused(nil as ExamPlan?, problems)
    }
    try refused(PeopleReader(problems: problems).candidates(source), problems)
    let ofStaff = ProblemList()
    try refused(PeopleReader(problems: ofStaff).staff(source), ofStaff)
  }

  private static func json(_ bytes: [UInt8]) throws(BrokenPromise) {
    let problems = ProblemList()
    guard let source = SourceFile(bytes: bytes, name: "bundle.json", problems: problems) else {
      return try refused(nil as ExamPlan?, problems)
    }
    let read = BundleReader.read(source)
    try promise(read.bundle != nil || read.problems.contains { $0.severity == .error }, "a refusal gives a reason")
    try lines(read.problems)
  }

  /// Whatever is not taken is explained, in lines of one line each.
  private static func refused<T>(_ found: T?, _ problems: ProblemList) throws(BrokenPromise) {
    try promise(found != nil || problems.problems.contains { $0.severity == .error }, "a refusal gives a reason")
    try lines(problems.problems)
  }

  private static func lines(_ problems: [Problem]) throws(BrokenPromise) {
    for problem in problems {
      let line = "\(problem)"
      try promise(
        !line.unicodeScalars.contains { UnsafeCharacter($0) != nil }, "a message is safe text: \(problem.line)")
    }
  }

  // MARK: The terminal

  /// The first byte of each read says how long it is and how long nothing came before it.
  private static func keys(_ bytes: [UInt8]) throws(BrokenPromise) {
    var decoder = KeyDecoder()
    var (rest, now, typed) = (bytes[...], Int64(0), 0)
    while let head = rest.popFirst() {
      now += Int64(head >> 4) * 20
      let count = min(rest.count, 1 + Int(head & 0x0F))
      let events = decoder.feed(rest.prefix(count), at: now)
      rest = rest.dropFirst(count)
      typed += count
      try promise(events.count <= typed, "no key comes of nothing")
    }
    for _ in 0..<4 { if let deadline = decoder.deadline { _ = decoder.expire(at: deadline) } }
    try promise(decoder.deadline == nil, "whatever is pending ends by itself")
    let after = decoder.feed([UInt8(ascii: "7")], at: now + 60_000)
    try promise(after == [.key(KeyEvent("7", at: now + 60_000))], "a key after a pause is that key")
  }

  private static func text(_ bytes: [UInt8]) throws(BrokenPromise) {
    let string = String(decoding: bytes, as: UTF8.self)
    let text = SafeText(string)
    try promise(!text.plain.unicodeScalars.contains { isControl($0) }, "no control character is shown")
    try promise(text.width >= 0 && text.width <= 8 * bytes.count, "a width is of what is shown")
    for columns in [0, 1, 7, 80] {
      try promise(text.truncated(to: columns).width <= columns, "what is cut to \(columns) columns fits")
      try promise(text.slice(0..<columns).width <= columns, "a part of \(columns) columns fits")
      for line in SafeText.wrap(string, to: max(1, columns)) {
        try promise(line.width <= max(2, columns), "a wrapped line fits \(columns) columns")
      }
    }
    let visible = VisibleText.of(string)
    try promise(!visible.unicodeScalars.contains { UnsafeCharacter($0) != nil }, "a line of a command is safe")
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) || (0x202A...0x202E).contains(scalar.value)
      || (0x2066...0x2069).contains(scalar.value)
  }

  // MARK: The journal

  private static func operation(_ bytes: [UInt8]) throws(BrokenPromise) {
    if let node = try? CanonicalJSON.decode(bytes) {
      try promise(CanonicalJSON.encode(node) == bytes, "canonical bytes are written back as they were read")
    }
    if let body = try? OperationBody.decode(bytes) {
      try promise(body.encode() == bytes, "a body is written back as it was read")
      try promise(body.causes.count <= bytes.count / 36, "each operation named was written out")
    }
  }

  private static func wire(_ bytes: [UInt8]) throws(BrokenPromise) {
    if let node = try? WireJSON.decode(bytes) {
      let written = CanonicalJSON.encode(node)
      let read = try? CanonicalJSON.decode(written)
      try promise(read.map { CanonicalJSON.encode($0) } == written, "what any JSON says can be said canonically")
    }
    do {
      let operation = try WireOperation.decode(bytes)
      try promise(operation.damage == nil, "what is taken is what was sealed")
      try promise((try? operation.body()) == nil || operation.sealedBody != nil, "a stub has no body")
      let wire = WireOperation(operation)
      try promise(wire.absent == operation.absent, "what came with its content goes on with it")
      try promise((try? WireOperation.decode(wire.encoded())) == operation, "what is taken can be sent on")
    } catch let broken as BrokenPromise {
      throw broken
    } catch {
      let fault = error as? WireFault
      try promise(fault.map { !"\($0)".contains("\n") } ?? false, "a refusal is a fault in one line")
    }
  }
}

import Characters
import CircuitModel
import ExamStore
import GRDB
import Journal
import Timer

/// What `osce journal --pack` and `--unpack` say, for people and for programs.
public struct PackReport: Sendable {
  /// What one terminal's store made, as far as it was in a pack.
  public struct Device: Equatable, Sendable {
    /// Its identity in the journal.
    public let id: UUIDBytes
    /// The machine's name, where it is known here.
    public let name: String?
    /// What became of its changes.
    public let counts: IngestReport.Counts
  }

  /// Who made the pack.
  public let maker: UUIDBytes
  /// When, by that store's clock.
  public let made: Instant
  /// The changes by who made them: the maker first, then in the order of names.
  public let devices: [Device]
  private let report: IngestReport

  /// Names the devices as far as the store knows them.
  public init(_ report: IngestReport, madeBy maker: UUIDBytes, at made: Instant, in db: Database) throws {
    (self.report, self.maker, self.made) = (report, maker, made)
    let statement = try db.makeStatement(sql: "SELECT name FROM device WHERE uuid = ?")
    devices = try report.devices.map { id, counts in
      let name = try String.fetchOne(statement, arguments: [id.description])
      return Device(id: id, name: name.flatMap { $0.isEmpty ? nil : $0 }, counts: counts)
    }.sorted { left, right in
      if (left.id == maker) != (right.id == maker) { return left.id == maker }
      return (left.name ?? "") != (right.name ?? "") ? (left.name ?? "") < (right.name ?? "") : left.id < right.id
    }
  }

  // MARK: For people

  /// The lines for a person who unpacked a file.
  public func lines(from path: String) -> [String] {
    let total = report.total
    var lines = ["\(path): made \(made.localMoment)", PackReport.text(total)]
    if devices.count > 1 || devices.first?.id != maker {
      for device in devices { lines.append("  from \(name(device)): \(PackReport.text(device.counts))") }
    }
    if report.released > 0 { lines.append("\(Plural.count(report.released, "change")) that waited here now count") }
    if report.rulings > 0 { lines.append("\(report.rulings) decisions of the hub") }
    if report.erased > 0 { lines.append("the content of \(Plural.count(report.erased, "change")) was erased") }
    if !report.reasons.isEmpty {
      let reasons = report.reasons.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
      lines.append("refused: \(reasons.joined(separator: ", ")); osce outbox lists them")
    }
    lines += setAside
    return lines
  }

  private var setAside: [String] {
    let kinds: [(why: RefusedEntry.Why, of: String, rest: String)] = [
      (why: .lock, of: "a lock", rest: "to open an exam again takes two people, here too"),
      (why: .plan, of: "the plan, its people or templates", rest: "those come by an import, or from a hub"),
    ]
    var lines: [String] = []
    for kind in kinds {
      let count = report.setAside.filter { $0.why == kind.why }.count
      if count == 0 { continue }
      lines.append(
        "\(Plural.count(count, "change")) of \(kind.of) \(Plural.verb(count, "was", "were")) set aside and changed nothing: \(kind.rest)"
      )
    }
    let others = report.setAside.map(\.why).filter { why in !kinds.contains { $0.why == why } }
    if !others.isEmpty {
      let reasons = Set(others.map(\.rawValue)).sorted().joined(separator: ", ")
      let were = Plural.count(others.count, "entry was", "entries were")
      lines.append("\(were) set aside and changed nothing (\(reasons))")
    }
    return lines
  }

  /// The lines for a person who made a pack.
  public static func lines(of operations: Int, stubs: Int, to path: String) -> [String] {
    [
      "\(path): \(Plural.count(operations, "change")) packed (\(stubs) of the plan are named, not contained); "
        + "take it to the other store: osce journal --unpack \(path.shellWord)"
    ]
  }

  private func name(_ device: Device) -> String {
    let short = String(device.id.description.prefix(8))
    return device.name.map { "\($0) (\(short))" } ?? short
  }

  private static func text(_ counts: IngestReport.Counts) -> String {
    var parts = ["\(Plural.count(counts.applied, "change")) new"]
    if counts.waiting > 0 { parts.append("\(counts.waiting) waiting for others") }
    if counts.refused > 0 { parts.append("\(counts.refused) refused") }
    if counts.stubs > 0 { parts.append("\(counts.stubs) named only") }
    parts.append("\(counts.known) already here")
    return parts.joined(separator: ", ")
  }

  // MARK: For programs

  /// `{"device","made","applied","waiting","refused","withheld","known","released","rulings","erased",
  /// "devices":[{"device","name","applied","waiting","refused","withheld","known"}],"setAside":[{"why","operation"}]}`.
  public var json: JSONDocument {
    .object(
      [("device", .text(maker.description)), ("made", .time(made))] + PackReport.members(report.total) + [
        ("released", .number(report.released)), ("rulings", .number(report.rulings)),
        ("erased", .number(report.erased)),
        (
          "devices",
          .array(
            devices.map {
              .object(
                [("device", .text($0.id.description)), ("name", .optional($0.name))] + PackReport.members($0.counts))
            })
        ),
        (
          "setAside",
          .array(
            report.setAside.map {
              .object([("why", .text($0.why.rawValue)), ("operation", .optional($0.operation?.description))])
            })
        ),
      ])
  }

  /// `{"operations","withheld"}`.
  public static func json(of operations: Int, stubs: Int) -> JSONDocument {
    .object([("operations", .number(operations)), ("withheld", .number(stubs))])
  }

  private static func members(_ counts: IngestReport.Counts) -> [(String, JSONDocument)] {
    [
      ("applied", .number(counts.applied)), ("waiting", .number(counts.waiting)), ("refused", .number(counts.refused)),
      ("withheld", .number(counts.stubs)), ("known", .number(counts.known)),
    ]
  }
}

import CircuitModel
import ExamStore
import Journal
import Timer

/// The first line of a pack: of which exam it is, who made it, and when.
public struct PackHeader: Equatable, Sendable {
  /// What every pack says of itself.
  static let format = "osce-pack/1"

  /// The exam at its hub; nil where the maker has none.
  public let exam: UUIDBytes?
  /// By what an exam without a hub is told.
  public let plan: ExamIdentity
  /// The store that made it.
  public let device: UUIDBytes
  /// When, by that store's clock.
  public let made: Instant
  /// What of the exam a hub gave the maker.
  public let scope: [String]
  /// The ends of the chains in it.
  public let tips: [ChainTip]
  /// How many entries follow.
  public let count: Int

  /// The line, without its end.
  var line: [UInt8] {
    func text(_ value: String?) -> CanonicalJSON.Node { value.map { .text($0) } ?? .null }
    return CanonicalJSON.encode(
      .object([
        .init("format", .text(PackHeader.format)), .init("exam", text(exam?.description)),
        .init("device", .text(device.description)), .init("made", .integer(made.milliseconds)),
        .init("scope", .array(scope.map { .text($0) })), .init("count", .integer(Int64(count))),
        .init(
          "tips",
          .array(
            tips.map {
              .object([
                .init("device", .text($0.device.description)), .init("seq", .integer($0.deviceSeq)),
                .init("hash", .text(Hexadecimal.text($0.hash))),
              ])
            })),
        .init(
          "plan",
          .object(plan.names.map { .init($0, .object($1.map { .init($0, .text($1)) })) })),
      ]))
  }

  init(
    exam: UUIDBytes?, plan: ExamIdentity, device: UUIDBytes, made: Instant, scope: [String], tips: [ChainTip],
    count: Int
  ) {
    self.exam = exam
    self.plan = plan
    self.device = device
    self.made = made
    self.scope = scope
    self.tips = tips
    self.count = count
  }

  /// Reads the line; nil for what is no pack's.
  init?(_ line: [UInt8]) {
    guard let node = try? WireJSON.decode(line), node["format"]?.text == PackHeader.format,
      let device = node["device"]?.text.flatMap({ UUIDBytes($0) }), let made = node["made"]?.integer,
      let count = node["count"]?.integer, count >= 0
    else { return nil }
    self.device = device
    self.made = Instant(stored: made)
    self.count = Int(count)
    exam = node["exam"]?.text.flatMap { UUIDBytes($0) }
    if exam == nil, let given = node["exam"], given != .null { return nil }
    scope = PackHeader.list(node["scope"]).compactMap(\.text)
    tips = PackHeader.list(node["tips"]).compactMap { tip in
      guard let device = tip["device"]?.text.flatMap({ UUIDBytes($0) }), let seq = tip["seq"]?.integer,
        let hash = tip["hash"]?.text.flatMap({ Hexadecimal.hash($0) })
      else { return nil }
      return ChainTip(device: device, deviceSeq: seq, hash: hash)
    }
    var names: [String: [String: String]] = [:]
    for (entity, rows) in PackHeader.members(node["plan"]) {
      for (key, name) in PackHeader.members(rows) { names[entity, default: [:]][key] = name.text }
    }
    plan = ExamIdentity(names: names)
  }

  static func list(_ node: CanonicalJSON.Node?) -> [CanonicalJSON.Node] {
    if case .array(let nodes)? = node { nodes } else { [] }
  }

  private static func members(_ node: CanonicalJSON.Node?) -> [(String, CanonicalJSON.Node)] {
    if case .object(let members)? = node { members.map { ($0.key, $0.value) } } else { [] }
  }
}

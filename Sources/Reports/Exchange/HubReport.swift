import CircuitModel
import ExamStore
import GRDB
import Timer

extension HubContact {
  /// What a header says of it in few words; empty where all is well.
  /// - Parameter isShort: whether it leaves out for whom changes wait.
  public func note(at now: Instant, isShort: Bool = false) -> String {
    // What a person must do is said beside it, and why in the outbox.
    let since = needsPerson ? nil : awaySince(at: now)
    let isBare = isShort || needsPerson || since != nil
    let waits = waiting > 0 ? "\(waiting) waiting" + (isBare ? "" : " for the hub") : nil
    return [waits, since.map { "no hub since \(LocalTime.reading(of: $0).minute)" }].compactMap { $0 }
      .joined(separator: ", ")
  }
}

/// How a store stands with its hub, for people: when they last met, what is in the way, what waits.
public struct HubReport: Equatable, Sendable {
  /// Where the hub answers; nil where the store has no place at one.
  public let url: String?
  /// The exam's identifier at the hub.
  public let exam: String?
  /// What this store is there, such as `station`.
  public let role: String?
  /// Whether the hub gives this store less than the whole exam.
  public let isPartial: Bool
  /// How far the hub's log is here.
  public let cursor: String?
  /// What the uploader last said; nil where none ever ran.
  public let state: SyncState?
  /// How the exam's time stands to the hub's, in words; nil where no hub has answered since the machine was started.
  let clockLine: String?
  /// Changes that wait for the hub.
  public let waiting: Int
  /// Changes and fields at which a person must look.
  public let attention: Int

  /// What the hub last said of each device of the exam; empty where it does not tell this store.
  public let devices: [ListedHubDevice]
  /// This store's device.
  public let device: String?
  /// Whose settings do not hold here, in words; nil: the exam's do.
  public let foreignSettings: String?
  /// What devices last said of themselves, by device, as far as that is here.
  public let records: [String: ContactRecord]
  /// When rows of each entity last came from the hub.
  public let updates: LastUpdates

  /// Reads the store.
  public static func read(_ db: Database, by clock: ExamClock) throws -> HubReport {
    let now = clock.now
    let enrolment = try Enrolment.read(db)
    let state = try SyncState.read(db)
    let waiting = try Outbox.waiting(db)
    let own = try DeviceBinding.known(db)?.description
    var devices = ListedHubDevice.all(json: state?.devices)
    // The hub says how it was when it last heard of this store; here it is known.
    for index in devices.indices where devices[index].id == own { devices[index].waiting = Int64(waiting) }
    return HubReport(
      url: enrolment?.url, exam: enrolment?.exam.description, role: enrolment?.role.rawValue,
      isPartial: enrolment?.isPartial ?? false, cursor: enrolment?.cursor, state: state,
      clockLine: clock.hub?.line(at: clock.boot), waiting: waiting,
      attention: try Outbox.attention(db, at: now).count, devices: devices, device: own,
      foreignSettings: try ConfigInForce.foreignText(db), records: try ContactRecord.all(in: db),
      updates: try LastUpdates.read(db))
  }

  /// A few calm lines.
  /// - Parameter now: the exam's time.
  public func lines(at now: Instant) -> [String] {
    var lines = [OutboxText.waiting(waiting, isEnrolled: url != nil)]
    if let text = OutboxText.attention(attention) { lines.append(text) }
    guard let url, let role else { return lines + ["no place at a hub; take one with: osce enrol URL CODE"] }
    lines.append("hub \(url), as \(role)" + (isPartial ? ", which is given part of the exam" : ""))
    guard let state else { return lines + ["nothing was exchanged yet"] }
    lines.append(contact(state, now))
    if let trouble = state.trouble { lines.append(trouble) }
    if let clockLine { lines.append("the exam's time here: " + clockLine) }
    if let attempt = state.attemptAt, now - attempt > HubContact.silence {
      lines.append("nobody exchanges at the moment: a terminal, or osce sync, begins again")
    }
    if let foreignSettings { lines.append(foreignSettings) }
    lines += updates.lines
    // The hub itself is a device, and nobody's terminal.
    let terminals = devices.filter { $0.role != "hub" }
    if !terminals.isEmpty { lines.append("terminals of the exam, as the hub last said:") }
    return lines + terminals.map { "  " + $0.line(at: now, records[$0.id], isHere: $0.id == device) }
  }

  private func contact(_ state: SyncState, _ now: Instant) -> String {
    guard let contact = state.contactAt else { return "no contact yet" }
    let seconds = max(0, (now - contact) / 1000)
    if state.trouble == nil && seconds < HubContact.silence / 1000 { return "in contact" }
    return "last contact at \(LocalTime.reading(of: contact).minute)"
  }

  /// `{"enrolled","url","exam","role","cursor","state","trouble","attemptAt","contactAt","clockOffset","clockBound",
  /// "waiting","attention","whole","devices":[{"id","name","role","last","held","waiting","seen","clockOffset","clockBound",
  /// "revoked","lastSync","version","system"}],"updates":[{"entity","at"}]}`.
  public var json: JSONDocument {
    .object([
      ("enrolled", .bool(url != nil)), ("url", .optional(url)), ("exam", .optional(exam)), ("role", .optional(role)),
      ("cursor", .optional(cursor)), ("state", .optional(state?.state.rawValue)),
      ("trouble", .optional(state?.trouble)), ("attemptAt", .time(state?.attemptAt)),
      ("contactAt", .time(state?.contactAt)),
      ("clockOffset", .number(state?.clockOffset)), ("clockBound", .number(state?.clockBound)),
      ("waiting", .number(waiting)), ("attention", .number(attention)), ("whole", .bool(!isPartial)),
      ("devices", .array(devices.map { $0.json(records[$0.id]) })), ("updates", updates.json),
    ])
  }
}

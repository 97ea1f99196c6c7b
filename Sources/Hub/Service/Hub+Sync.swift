import ExamStore
import Journal
import Sync

extension Hub {
  // MARK: The round trip

  /// `POST /v1/sync`: takes what a device brings, then gives it a page of the log.
  func sync(_ request: WireRequest) async throws -> WireResponse {
    let caller = try await provenCaller(of: request)
    let asked = try SyncRequest.decode(request.body)
    guard asked.device == caller.device else { throw HubError.malformed(pointer: "/device") }
    // Before the exam's lock is taken: others wait for that.
    let arrivals = asked.operations.map { OpenedOperation($0.operation) }
    let (now, note) = (clock.now(), request.note.flatMap { DeviceNote($0) })
    let took: Taken
    do {
      took = try await take(asked, arrivals, caller, note, at: now)
    } catch let error as HubError {
      await audit(error, of: caller.device, in: caller.exam, at: now)
      throw error
    }
    if took.isOfNote { ring(caller.exam, head: took.head) }
    counters.noteOperations(asked.operations.count)
    // Read again, after the commit: the page may hold what others brought meanwhile.
    let body = try await database.read { connection in
      try Hub.page(asked, caller, took.results, in: connection, at: now)
    }
    return Hub.json(200, body)
  }

  private func take(
    _ asked: SyncRequest, _ arrivals: [OpenedOperation], _ caller: Caller, _ note: DeviceNote?, at now: Int64
  ) async throws -> Taken {
    do {
      return try await database.write(weight: asked.operations.count) { connection in
        try Hub.take(asked, arrivals, caller, note, in: connection, at: now)
      }
    } catch let error as HubError {
      guard case .cursor = error, try await beginAnew(caller.exam, shownBy: asked, at: now) else { throw error }
      // The same again, by the run of the log that has begun.
      return try await take(asked, arrivals, caller, note, at: now)
    }
  }

  /// Notes that a device has another history than the hub: nothing of its request was kept.
  func audit(_ error: HubError, of device: UUIDBytes, in exam: UUIDBytes, at now: Int64) async {
    let (action, detail): (Audit.Action, String)
    switch error {
    case .fork(let deviceSeq, _, let last): (action, detail) = (.fork, "number \(deviceSeq) of \(last)")
    case .cursor(_, let common, _, _): (action, detail) = (.rewind, "to \(common.seq)")
    default: return
    }
    // The device asks again: what cannot be noted now is noted then.
    try? await database.write(weight: 1) { connection in
      let log = try ExamLog(exam, in: connection, at: now, forChange: true)
      try log.audit(action, by: device.description, detail)
    }
  }

  /// What a device brought is kept.
  private struct Taken: Sendable {
    let results: [SyncAnswer.Result]
    let head: Int64
    /// Whether the log has grown by more than what no other device waits for.
    let isOfNote: Bool
  }

  private static func take(
    _ asked: SyncRequest, _ arrivals: [OpenedOperation], _ caller: Caller, _ note: DeviceNote?,
    in connection: any HubConnection, at now: Int64
  ) throws -> Taken {
    let log = try ExamLog(caller.exam, in: connection, at: now, forChange: true)
    let devices = DeviceTable(connection: connection, exam: caller.exam)
    var device = try authorised(caller, in: devices, at: now)
    if log.isFilling {
      if asked.limit > 0 { throw HubError.filling }
    } else if asked.cursor.epoch != log.epoch {
      throw try otherLog(asked, device, log)
    } else if let seq = asked.cursor.seq, seq > 0, try log.hash(at: seq) != asked.hash {
      throw try otherLog(asked, device, log)
    } else if let seq = asked.cursor.seq, try asked.marks.contains(where: { try $0.seq > seq && log.lacks($0) }) {
      throw try otherLog(asked, device, log)
    } else if asked.cursor.seq == nil {
      throw HubError.malformed(pointer: "/cursor")
    }
    try DeviceScope(connection: connection, exam: caller.exam).tidy(&device, at: now)
    let push = Push(log)
    try push.checkTip(asked.tip, of: device)
    try push.noteAnswers(to: asked.operations, by: device)
    let before = log.head.seq
    let results = try asked.isRelay ? push.relay(arrivals, from: device) : push.take(arrivals, of: &device)
    try log.close()
    device.held = max(device.held, min(asked.held, log.head.seq))
    device.seen = now
    if let note { device.note = note }
    try devices.saveContact(of: device)
    let isOfNote =
      log.head.seq - before > arrivals.count || (log.head.seq > before && !arrivals.allSatisfy(\.isContactRecord))
    return Taken(results: results, head: log.head.seq, isOfNote: isOfNote)
  }

  private static func otherLog(_ asked: SyncRequest, _ device: DeviceRecord, _ log: ExamLog) throws -> HubError {
    let marks = asked.marks + (asked.cursor.seq.map { [LogMark(seq: $0, hash: asked.hash)] } ?? [])
    return .cursor(
      epoch: log.epoch, common: try log.common(among: marks), last: device.last.deviceSeq, lastHash: device.last.hash)
  }

  private static func page(
    _ asked: SyncRequest, _ caller: Caller, _ results: [SyncAnswer.Result], in connection: any HubConnection,
    at now: Int64
  ) throws -> [UInt8] {
    let log = try ExamLog(caller.exam, in: connection, at: now, forChange: false)
    let device = try authorised(caller, in: DeviceTable(connection: connection, exam: caller.exam), at: now)
    let start = LogPlace(asked.cursor)
    let page = try LogPage(
      log, after: log.isFilling ? LogPlace(seq: log.head.seq, version: device.scopeVersion) : start, for: device,
      limit: asked.limit, receipts: asked.wantsReceipts)
    let place = log.isFilling ? LogPlace(seq: 0, version: 1) : page.place
    let upTo = place.seq
    guard let hash = try log.hash(at: upTo) else { throw HubDamage(what: "entry \(upTo) of a log is missing") }
    let answer = SyncAnswer(
      results: results, entries: [], cursor: log.cursor(at: place, hash), hash: hash, head: log.head, more: page.more,
      scope: device.scope, last: device.last.deviceSeq, lastHash: device.last.hash, time: now)
    return answer.encoded(entries: page.entries)
  }

  /// The device of a caller.
  /// - Throws: `HubError.token` where the secret is not the device's; `revoked`; `session` where the one that is shown
  ///   is not open.
  static func authorised(_ caller: Caller, in devices: DeviceTable, at now: Int64) throws -> DeviceRecord {
    guard let device = try devices.find(caller.device), let hash = device.tokenHash,
      Secret.isSame(hash, caller.token.hash)
    else { throw HubError.token }
    if device.isRevoked { throw HubError.revoked }
    if let session = caller.session {
      try SessionTable(connection: devices.connection, exam: devices.exam).check(session, device: device.id, at: now)
    }
    return device
  }

  // MARK: News

  /// `GET /v1/wait`: answers as soon as the log is past a cursor.
  func wait(_ request: WireRequest) async throws -> WireResponse {
    let caller = try caller(of: request)
    guard let cursor = request.query["cursor"].flatMap({ LogCursor($0) }), let seq = cursor.seq else {
      throw HubError.malformed(pointer: "/cursor")
    }
    guard let asked = Int64(request.query["t"] ?? "0"), asked >= 0 else { throw HubError.malformed(pointer: "/t") }
    let seconds = min(asked, SyncLimits.standard.wait)
    let rings = bell.rings(of: caller.exam)
    let (head, isDue) = try await database.read { [clock] connection in
      let now = clock.now()
      let log = try ExamLog(caller.exam, in: connection, at: now, forChange: false)
      let device = try Hub.authorised(caller, in: DeviceTable(connection: connection, exam: caller.exam), at: now)
      let isOtherScope = !LogPlace(cursor).isWhole(at: device.scopeVersion)
      // Another run of the log, or another part of it: the next exchange says so.
      return (log.head.seq, log.epoch != cursor.epoch || isOtherScope || log.head.seq > seq)
    }
    if isDue { return Hub.json(200, WaitAnswer(head: head).encoded) }
    let heard = await bell.wait(caller.exam, device: caller.device, after: seq, since: rings, seconds: seconds)
    guard let head = heard else { return WireResponse(status: 204) }
    return Hub.json(200, WaitAnswer(head: head).encoded)
  }

  // MARK: All at once

  /// `GET /v1/snapshot`: what stands, up to a number of the log that the first page fixes.
  func snapshot(_ request: WireRequest) async throws -> WireResponse {
    let caller = try caller(of: request)
    let place = try SnapshotPlace(request.query["page"])
    let history = request.query["history"] ?? "0"
    guard ["0", "1"].contains(history) else { throw HubError.malformed(pointer: "/history") }
    let wantsHistory = history == "1"
    let body = try await database.read { [clock] connection in
      let now = clock.now()
      let log = try ExamLog(caller.exam, in: connection, at: now, forChange: false)
      let device = try Hub.authorised(caller, in: DeviceTable(connection: connection, exam: caller.exam), at: now)
      if log.isFilling { throw HubError.filling }
      return try SnapshotReader(log, device, wantsHistory: wantsHistory).page(from: place)
    }
    return WireResponse(status: 200, content: .lines, body: body)
  }

  /// `GET /v1/devices`: who has what.
  func listDevices(_ request: WireRequest) async throws -> WireResponse {
    let caller = try caller(of: request)
    let list = try await database.read { [clock] connection in
      let devices = DeviceTable(connection: connection, exam: caller.exam)
      let device = try Hub.authorised(caller, in: devices, at: clock.now())
      guard device.seesOthers else { throw HubError.role }
      return DeviceList(devices: try devices.all().map { $0.listed })
    }
    return Hub.json(200, list.encoded)
  }
}

extension DeviceRecord {
  /// As a list names it.
  var listed: ListedDevice {
    ListedDevice(
      id: id, name: name, role: roleName, last: last.deviceSeq, held: held, waiting: note.waiting, seen: seen,
      clock: note.clock, isRevoked: isRevoked)
  }
}

extension OpenedOperation {
  /// Whether it only says that its device met the hub.
  fileprivate var isContactRecord: Bool { operation.row.entity == ExamLog.contactRecord }
}

import ExamStore
import Journal
import Sync

extension Hub {
  /// `GET /v1/hello`: what this hub is, and how it knows the device that asks.
  func hello(_ request: WireRequest) async throws -> WireResponse {
    let now = clock.now()
    guard request.token != nil else {
      return Hub.json(200, HelloAnswer(version: version, time: now, exam: nil, device: nil).encoded)
    }
    let caller = try caller(of: request)
    let answer = try await database.read { [version] connection in
      let log = try ExamLog(caller.exam, in: connection, at: now, forChange: false)
      let device = try Hub.authorised(caller, in: DeviceTable(connection: connection, exam: caller.exam), at: now)
      return HelloAnswer(version: version, time: now, exam: log.described, device: device.described)
    }
    return Hub.json(200, answer.encoded)
  }

  /// `POST /v1/enrol`: gives a device a place at the exam of a one-time code.
  func enrol(_ request: WireRequest) async throws -> WireResponse {
    try checkEntry(request)
    let asked = try EnrolRequest.decode(request.body)
    guard Operation.schemas.contains(asked.schema) else { throw HubError.schema(Operation.schemas) }
    let now = clock.now()
    let answer = try await database.write(weight: 1) { connection in
      let code = try CodeTable(connection: connection).use(asked.code, by: asked.device, at: now)
      let log = try ExamLog(code.exam, in: connection, at: now, forChange: true)
      let devices = DeviceTable(connection: connection, exam: code.exam)
      let scope = DeviceScope(connection: connection, exam: code.exam)
      let token = DeviceToken(exam: code.exam, device: asked.device)
      var device: DeviceRecord
      if let known = try devices.find(asked.device) {
        guard known.role != nil else { throw HubError.role }
        try Push(log).checkTip(asked.tip, of: known)
        device = known
        device.role = code.role
        device.name = Hub.plain(asked.name)
        (device.tokenHash, device.isRevoked) = (token.hash, false)
        try devices.savePlace(of: device)
        try scope.replace(&device, code.atoms, at: now)
      } else {
        device = DeviceRecord(asked.device, name: Hub.plain(asked.name), role: code.role)
        device.tokenHash = token.hash
        try devices.insert(device)
        try scope.begin(&device, code.atoms, at: now)
      }
      try log.audit(.enrol, by: device.id.description, code.role.rawValue)
      return EnrolAnswer(exam: log.described, device: device.described, token: token.text, hubDevice: log.hubDevice)
    }
    return Hub.json(201, answer.encoded)
  }

  /// `POST /v1/device`: a new chain in the place of one that has two histories. The token of the former stays valid for
  /// its twin.
  func continueDevice(_ request: WireRequest) async throws -> WireResponse {
    let caller = try await provenCaller(of: request)
    let asked = try NewDeviceRequest.decode(request.body)
    guard asked.former == caller.device else { throw HubError.malformed(pointer: "/from") }
    let now = clock.now()
    let answer = try await database.write(weight: 1) { connection in
      let log = try ExamLog(caller.exam, in: connection, at: now, forChange: true)
      let devices = DeviceTable(connection: connection, exam: caller.exam)
      let former = try Hub.authorised(caller, in: devices, at: now)
      let next = DeviceToken(exam: caller.exam, device: asked.device)
      var device: DeviceRecord
      let scope = DeviceScope(connection: connection, exam: caller.exam)
      if let known = try devices.find(asked.device) {
        device = known
        if known.tokenHash == nil, known.continues == nil, known.role != nil {
          // Others passed on of it before it came itself.
          (device.role, device.continues) = (former.role, former.id)
          try devices.saveContinuation(of: device)
          try scope.inherit(&device, from: former)
        } else if known.continues != former.id {
          throw HubError.role
        }
        // Where the answer was lost it is the same place, and a new token.
        device.tokenHash = next.hash
        try devices.savePlace(of: device)
      } else {
        device = DeviceRecord(asked.device, name: Hub.plain(asked.name), role: former.role)
        (device.tokenHash, device.continues) = (next.hash, former.id)
        try devices.insert(device)
        try scope.inherit(&device, from: former)
      }
      try log.audit(.device, by: former.id.description, device.id.description)
      return EnrolAnswer(exam: log.described, device: device.described, token: next.text, hubDevice: log.hubDevice)
    }
    return Hub.json(201, answer.encoded)
  }

  /// A machine's name as lists show it: short, and without what steers a terminal.
  private static func plain(_ name: String) -> String {
    String(
      String.UnicodeScalarView(
        name.unicodeScalars.filter { $0.properties.isAlphabetic || "0123456789-_. ".unicodeScalars.contains($0) }
          .prefix(64)))
  }
}

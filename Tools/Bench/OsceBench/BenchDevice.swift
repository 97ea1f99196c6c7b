import Foundation
import Hub
import Journal
import Rig
import Sync

/// A device that makes marks and pushes them, without a store; used by one task at a time.
final class BenchDevice: @unchecked Sendable {
  let device = UUIDBytes.random()
  let token: String
  private let cursor: LogCursor
  private let start: [UInt8]
  private var chain: ChainTip
  private var heads: [String: OperationID] = [:]
  private var random = SystemRandomNumberGenerator()

  /// Takes a place at a hub.
  init(in exam: UUIDBytes, of hub: Hub) async throws {
    let code = String(UUID().uuidString.filter { $0 != "-" }.prefix(12))
    try await hub.keep(code: code, for: .station, in: exam)
    chain = ChainTip(device: device, deviceSeq: 0, hash: Journal.Operation.genesisHash)
    let asked = EnrolRequest(code: code, device: device, name: "bench", tip: chain, schema: 2)
    let answer = try EnrolAnswer.decode(await hub.answer(WireRequest(.post, .enrol, body: asked.encoded)).body)
    token = answer.token
    cursor = LogCursor(epoch: answer.exam.epoch, seq: 0)
    start = LogHash.start(of: exam).hash
  }

  /// The next marks, as a push: each item is marked, some twice.
  func push(_ count: Int) -> WireRequest {
    let operations = (0..<count).map { _ in WireOperation(mark()) }
    let sync = SyncRequest(
      device: device, cursor: cursor, hash: start, marks: [], tip: chain, operations: operations, limit: 0, held: 0)
    return WireRequest(.post, .sync, token: token, body: sync.encoded)
  }

  /// Where the log of its exam begins.
  var beginning: (cursor: LogCursor, hash: [UInt8]) { (cursor, start) }

  /// Asks for what follows a place.
  func fetch(after place: (cursor: LogCursor, hash: [UInt8])) -> WireRequest {
    let sync = SyncRequest(
      device: device, cursor: place.cursor, hash: place.hash, marks: [], tip: chain, operations: [], held: 0)
    return WireRequest(.post, .sync, token: token, body: sync.encoded)
  }

  private func mark() -> Journal.Operation {
    let number = chain.deviceSeq + 1
    let now = Int64(Date().timeIntervalSince1970 * 1000)
    let item = "\(device)-\(number * 7 / 8)"
    let operation = Journal.Operation.seal(
      id: .v7(milliseconds: now, using: &random), device: device, deviceSeq: number, tx: .random(using: &random),
      kind: .set, row: RowKey(entity: "RatingQuestion", id: item),
      body: OperationBody(
        fields: [
          "rating": .integer(3_000_000), "markedAt": .integer(now), "source": .text("screen"), "unable": .bool(false),
        ], replaces: heads[item].map { ["rating": [$0], "markedAt": [$0], "source": [$0], "unable": [$0]] } ?? [:]),
      hlc: HybridTime(raw: now << 16 + number & 0xFFFF), wallTime: now, staff: 7, schema: 2, prevHash: chain.hash,
      salt: .drawn(using: &random))
    heads[item] = operation.id
    chain = operation.tip
    return operation
  }
}

extension Hub {
  /// Takes the requests of many devices at once, each device's one after another.
  /// - Returns: how long that took, in seconds.
  /// - Throws: `RigError` where one is refused.
  func takeAtOnce(_ requests: [[WireRequest]]) async throws -> Double {
    let begin = ContinuousClock.now
    let refused = await withTaskGroup(of: Int.self) { group in
      for requests in requests {
        group.addTask {
          var refused = 0
          for request in requests where await self.answer(request).status != 200 { refused += 1 }
          return refused
        }
      }
      return await group.reduce(0, +)
    }
    if refused > 0 { throw RigError("\(refused) pushes were refused") }
    return (ContinuousClock.now - begin) / .seconds(1)
  }
}

import ArgumentParser
import Foundation
import Hub
import HubRig
import HubTransport
import Journal
import Rig
import Sync
import Synchronization

/// Many devices that wait for news, and some that push: how long a push takes.
struct CrowdedHub: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "crowd", abstract: "How long a push takes while hundreds of devices wait for it.")

  @Option(help: "How many devices wait, and fetch what comes.") var polling = 500
  @Option(help: "How many push.") var pushing = 100
  @Option(help: "A push of one mark each so many seconds, at each of them.") var every = 5.0
  @Option(help: "How long is measured, in seconds.") var seconds = 60
  @OptionGroup var place: FolderOption

  private struct Count: Sendable {
    var times = Timings()
    var fetched = 0
    var refused = 0
  }

  func run() throws {
    let scratch = try ScratchFolder(in: place.folder)
    defer { scratch.remove() }
    let hub = try RigHub(BenchExam(candidates: 50), in: scratch.path)
    defer { hub.close() }
    try hub.start()
    let count = Mutex(Count())
    try runBlocking { try await measure(hub, count) }
    let result = count.withLock { $0 }
    print(
      "\(polling) devices wait and fetch, \(pushing) push a mark each \(decimal(every, 0)) s, \(seconds) s: \(result.times.count) "
        + "pushes, p50 \(decimal(result.times.median / 1000, 1)) ms, p99 "
        + "\(decimal(result.times.microseconds(at: 0.99) / 1000, 1)) ms, most "
        + "\(decimal(result.times.microseconds(at: 1) / 1000, 1)) ms; \(result.fetched) fetches, \(result.refused) refused"
    )
  }

  private func measure(_ hub: RigHub, _ count: borrowing Mutex<Count>) async throws {
    try await Task.sleep(for: .milliseconds(500))
    let start = try await hub.inside { hub, exam in
      let device = try await BenchDevice(in: exam, of: hub)
      var (place, hasMore) = (device.beginning, true)
      while hasMore {
        let page = try SyncAnswer.decode(await hub.answer(device.fetch(after: place)).body)
        (place, hasMore) = ((page.cursor, page.hash), page.more)
      }
      return place
    }
    StandardError.note("\(polling + pushing) devices get a place, then \(seconds) s are measured")
    var devices: [BenchDevice] = []
    for _ in 0..<(polling + pushing) {
      devices.append(try await hub.inside { try await BenchDevice(in: $1, of: $0) })
    }
    let end = ContinuousClock.now + .seconds(seconds)
    try await withThrowingTaskGroup(of: Count.self) { group in
      for (index, device) in devices.enumerated() {
        let url = hub.url
        group.addTask {
          let transport = try LiveTransport(url: url, trust: .loopback)
          let part =
            index < polling
            ? try await poll(device, from: start, transport, until: end) : try await push(device, transport, until: end)
          await transport.close()
          return part
        }
      }
      for try await part in group {
        count.withLock {
          $0.times.add(part.times)
          $0.fetched += part.fetched
          $0.refused += part.refused
        }
      }
    }
  }

  private func push(
    _ device: BenchDevice, _ transport: LiveTransport, until end: ContinuousClock.Instant
  ) async throws -> Count {
    var part = Count()
    try await Task.sleep(for: .seconds(Double.random(in: 0..<every)))
    while ContinuousClock.now < end {
      let request = device.push(1)
      let begin = ContinuousClock.now
      let answer = try await transport.send(request, wait: 0)
      part.times.add(Int64((ContinuousClock.now - begin) / .nanoseconds(1)))
      if answer.status != 200 { part.refused += 1 }
      try await Task.sleep(for: .seconds(every))
    }
    return part
  }

  private func poll(
    _ device: BenchDevice, from start: (cursor: LogCursor, hash: [UInt8]), _ transport: LiveTransport,
    until end: ContinuousClock.Instant
  ) async throws -> Count {
    var part = Count()
    var place = start
    while ContinuousClock.now < end {
      let left = max(1, Int64((end - ContinuousClock.now) / .seconds(1)))
      let asked = WireRequest(
        .get, .wait, query: ["cursor": place.cursor.description, "t": String(min(50, left))],
        token: device.token)
      let rung = try await transport.send(asked, wait: 50)
      if rung.status == 204 { continue }
      let answer = try await transport.send(device.fetch(after: place), wait: 0)
      guard answer.status == 200, let page = try? SyncAnswer.decode(answer.body) else {
        part.refused += 1
        try await Task.sleep(for: .seconds(1))
        continue
      }
      part.fetched += 1
      place = (page.cursor, page.hash)
    }
    return part
  }
}

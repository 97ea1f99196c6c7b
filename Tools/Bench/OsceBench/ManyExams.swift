import ArgumentParser
import Hub
import HubPostgres
import HubRig
import Journal
import Rig
import Sync

/// What a push costs where one database holds many exams, beside one that has a single exam.
struct ManyExams: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "exams", abstract: "The cost of a push with a hundred exams on one PostgreSQL, beside one exam.")

  @Option(help: "The PostgreSQL database.") var postgres: String
  @Option(help: "How many exams.") var exams = 100
  @Option(help: "How many pushes of one mark.") var pushes = 1000
  @Option(help: "How many devices push at once where they push at once.") var devices = 16

  func run() throws { try runBlocking { try await measure() } }

  private func measure() async throws {
    let hub = Hub(try await PostgresDatabase(address: postgres), version: "bench", limitsRates: false)
    StandardError.note("\(exams) exams are made")
    let one = try await places(1, hub)
    let many = try await places(exams, hub)
    var ratios: [Double] = []
    for _ in 0..<3 {
      let (single, all) = (try await inTurn(one, hub), try await inTurn(many, hub))
      ratios.append(all.median / single.median)
      print(
        "  one after another: p50 \(decimal(single.median / 1000, 1)) ms with one exam, "
          + "\(decimal(all.median / 1000, 1)) ms with \(exams)")
    }
    print("a push costs \(decimal(ratios.sorted()[1], 2)) times as much with \(exams) exams (median of three)")
    let (single, all) = (try await atOnce(one, hub), try await atOnce(many, hub))
    print("at once, \(devices) devices: \(Int(single)) pushes/s with one exam, \(Int(all)) with \(exams)")
  }

  /// One device more than one exam has room for: all of them push at once later.
  private func places(_ count: Int, _ hub: Hub) async throws -> [BenchDevice] {
    var exams: [UUIDBytes] = []
    for _ in 0..<count {
      let exam = UUIDBytes.random()
      try await hub.makeExam(exam, named: "bench", device: .random())
      exams.append(exam)
    }
    var places: [BenchDevice] = []
    for index in 0..<max(count, devices) { places.append(try await BenchDevice(in: exams[index % count], of: hub)) }
    return places
  }

  private func inTurn(_ places: [BenchDevice], _ hub: Hub) async throws -> Timings {
    var times = Timings()
    for number in 0..<pushes {
      let request = places[number % places.count].push(1)
      let begin = ContinuousClock.now
      guard await hub.answer(request).status == 200 else { throw RigError("a push was refused") }
      times.add(Int64((ContinuousClock.now - begin) / .nanoseconds(1)))
    }
    return times
  }

  private func atOnce(_ places: [BenchDevice], _ hub: Hub) async throws -> Double {
    let chosen = places.shuffled().prefix(devices).map { place in (0..<pushes / devices).map { _ in place.push(1) } }
    return Double(devices * (pushes / devices)) / (try await hub.takeAtOnce(chosen))
  }
}

import Foundation
import GRDB
import Journal
import Sync
import Synchronization
import SystemTesting
import Testing

@testable import CircuitModel
@testable import ExamStore
@testable import Hub
@testable import StoreSync

@Suite("Who sits at a terminal") struct PeopleSessionsTests {
  /// A hub with a station session of one candidate, and a station's terminal that was given no station.
  private func station() async throws -> (hall: Hall, terminal: Terminal) {
    let hall = try await Hall()
    try await hall.importExam { transaction in
      try transaction.set("Staff", "1", ["passcodeHash": .text(try Passcode.hash("right", rounds: 16))])
      try transaction.create(
        "Timetable", "12",
        [
          "date": .text("2026-12-07"), "startTime": .text("09:00"), "activityType": .integer(1), "staff": .integer(1),
        ])
      try transaction.create(
        "TimetableAttendanceLog", "entry", ["timetable": .integer(12), "student": .integer(11), "order": .integer(1)])
    }
    let terminal = try await hall.terminal("a", scope: CodeScope())
    #expect(await terminal.sync())
    return (hall, terminal)
  }

  private func candidates(_ terminal: Terminal) async throws -> [String] {
    #expect(await terminal.sync())
    return try terminal.store.read {
      try String.fetchAll($0, sql: "SELECT uuid FROM timetableAttendanceLog WHERE studentID IS NOT NULL")
    }
  }

  private func person(_ passcode: String = "right", gone: Bool = false) -> PersonAtTerminal {
    PersonAtTerminal(
      sitting: UUIDBytes(high: 1, low: 2), username: "adeyemi", passcode: passcode, timetable: 12, hasGone: gone)
  }

  /// What the hub gives the device, as it says with each answer.
  private func atoms(_ terminal: Terminal) async throws -> String {
    #expect(await terminal.sync())
    return try terminal.store.exchangeStanding()?.enrolment.scope ?? ""
  }

  @Test("brings the roster of where they sit, and takes the terminal's part back when they go") func roster()
    async throws
  {
    let (hall, terminal) = try await station()
    #expect(try await candidates(terminal).isEmpty)
    let people = PeopleSessions(terminal.store, over: hall.road, clock: QuickClock())
    #expect(await people.take([person()]))
    #expect(try await candidates(terminal) == ["entry"])
    #expect(await !people.take([person()]), "said again, nothing is asked")
    #expect(try await atoms(terminal).contains("station:12"))
    #expect(await people.take([person(gone: true)]))
    #expect(try await !atoms(terminal).contains("station:12"))
  }

  @Test("is not asked again with a passcode that the hub refused") func refused() async throws {
    let (hall, terminal) = try await station()
    let people = PeopleSessions(terminal.store, over: hall.road, clock: QuickClock())
    let before = hall.road.count
    for _ in 0..<4 { #expect(await !people.take([person("wrong")])) }
    #expect(hall.road.count == before + 1)
    #expect(try await candidates(terminal).isEmpty)
  }

  @Test("is signed out when the terminal falls silent") func silence() async throws {
    let (hall, terminal) = try await station()
    let clock = QuickClock()
    let people = PeopleSessions(terminal.store, over: hall.road, clock: clock)
    #expect(await people.take([person()]))
    await clock.sleep(milliseconds: PeopleSessions.silence)
    #expect(await !people.take([]))
    await clock.sleep(milliseconds: 1)
    #expect(await people.take([]))
    #expect(try await !atoms(terminal).contains("station:12"))
  }

  @Test("is signed in before what they did while the hub was away goes there") func away() async throws {
    let (hall, terminal) = try await station()
    let people = PeopleSessions(terminal.store, over: hall.road, clock: QuickClock())
    var storm = Road.Weather()
    storm.isCut = true
    hall.road.set(storm)
    #expect(await !people.take([person()]))
    hall.road.set(Road.Weather())
    let client = SyncClient(
      store: EnrolledStore(terminal.store), transport: people, clock: QuickClock(),
      random: SystemRandomNumberGenerator())
    #expect(await client.runOnce())
    #expect(try terminal.store.exchangeStanding()?.enrolment.scope.contains("station:12") == true)
  }

  @Test("is signed in once, though another way to do so opens while somebody else is") func once() async throws {
    let (hall, terminal) = try await station()
    let road = Meanwhile(hall.road)
    let people = PeopleSessions(terminal.store, over: road, clock: QuickClock())
    let both = [1, 2].map {
      PersonAtTerminal(
        sitting: UUIDBytes(high: 1, low: $0), username: "adeyemi", passcode: "right", timetable: 12, hasGone: false)
    }
    var storm = Road.Weather()
    storm.isCut = true
    hall.road.set(storm)
    #expect(await !people.take(both))
    hall.road.set(Road.Weather())
    road.once { _ = await people.take(both) }
    let before = road.signIns
    let client = SyncClient(
      store: EnrolledStore(terminal.store), transport: people, clock: QuickClock(),
      random: SystemRandomNumberGenerator())
    #expect(await client.runOnce())
    #expect(road.signIns == before + 2)
  }

  /// A way on which, while the first sign-in is under way, something else happens.
  private final class Meanwhile: Transport {
    private let road: Road
    private let state = Mutex<(body: (@Sendable () async -> Void)?, signIns: Int)>((nil, 0))

    init(_ road: Road) { self.road = road }

    var signIns: Int { state.withLock { $0.signIns } }

    func once(_ body: @escaping @Sendable () async -> Void) { state.withLock { $0.body = body } }

    func send(_ request: WireRequest, wait: Int64) async throws(TransportFailure) -> WireResponse {
      if request.path == "/v1/session" {
        let body = state.withLock { state in
          state.signIns += 1
          defer { state.body = nil }
          return state.body
        }
        await body?()
      }
      return try await road.send(request, wait: wait)
    }
  }

  @Test("is said over a pipe that nobody else can open") func pipe() throws {
    let folder = try ScratchFolder.make()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let location = StoreLocation(path: folder + "/exam.sqlite")
    let path = UploaderPipe.path(of: location)
    #expect(!person().tell(uploaderOf: location), "nobody listens")
    do {
      let inbox = try PeopleInbox(of: location)
      #expect(inbox.take() == .init())
      #expect(person().tell(uploaderOf: location) && person(gone: true).tell(uploaderOf: location))
      #expect(inbox.take() == .init(people: [person(), person(gone: true)]))
      #expect(UploaderPipe.askToExchange(location))
      #expect(inbox.take() == .init(asksForExchange: true))
      let foreign = open(path, O_WRONLY | O_NONBLOCK)
      let line = Array("nonsense\n{\"sitting\":1}\n".utf8)
      #expect(write(foreign, line, line.count) == line.count)
      close(foreign)
      #expect(person().tell(uploaderOf: location))
      #expect(inbox.take() == .init(people: [person()]), "what is no person is left out")
      chmod(path, 0o620)
      #expect(!person().tell(uploaderOf: location), "others could read it")
    }
    #expect(throws: StoreError.self) { try PeopleInbox(of: location) }
    unlink(path)
    try Data().write(to: URL(fileURLWithPath: path))
    #expect(!person().tell(uploaderOf: location))
    #expect(throws: StoreError.self) { try PeopleInbox(of: location) }
  }
}

import CircuitModel
import ExamStore
import GRDB
import Synchronization
import Timer

/// A clock that stands at chosen instants of the past, so that what was done in earlier rounds has its own times.
final class PastTime: Sendable {
  private let behind: Mutex<Int64>

  init(from start: Instant) { behind = Mutex(SystemClock.live.wall() - start.milliseconds) }

  /// Sets the clock to an instant.
  func move(to instant: Instant) { behind.withLock { $0 = SystemClock.live.wall() - instant.milliseconds } }

  /// The machine's clocks, both behind by the same time.
  var system: SystemClock {
    SystemClock(
      wall: { [self] in SystemClock.live.wall() - behind.withLock { $0 } },
      boot: { [self] in SystemClock.live.boot() - behind.withLock { $0 } }, bootID: SystemClock.live.bootID)
  }
}

/// What the assessors of a demonstration did in the rounds that are over: every candidate checked, marked and signed,
/// but for one sheet that was left unsigned with its last item blank.
enum DemoMarks {
  /// - Parameters:
  ///   - now: rounds whose rotation is over by then are marked.
  ///   - time: the store's clock, which is moved to each instant.
  /// - Throws: `StoreError` if the store cannot be written.
  static func play(in store: ExamStore, until now: Instant, at time: PastTime) throws {
    var visits: [Visit] = []
    for place in try store.read({ try StationSession.all(in: $0) }) where !place.isRest {
      guard let run = try store.read({ try Run.current(of: place.session, at: now, in: $0) }) else { continue }
      let rotations = Rotation.fold(run.events, until: now).timeline.passages.filter { $0.type == .rotation }
      for seat in StationSession.seats(of: place) {
        guard let staff = place.assessors.first(where: { $0.seat == seat })?.staff else { continue }
        for entry in try store.read({ try Roster.entries(timetable: place.timetable, seat: seat, in: $0) }) {
          guard entry.candidate != nil, let round = entry.round, rotations.indices.contains(round - 1) else { continue }
          let rotation = rotations[round - 1]
          guard let end = rotation.end else { continue }
          visits.append(
            Visit(
              entry: entry, seat: seat, staff: staff, signsOut: seat == .lead && place.requiresSignout,
              start: rotation.entered, end: end))
        }
      }
    }
    let unsigned = visits.filter { $0.entry.round == 2 }.last?.entry.key
    let steps = visits.flatMap { $0.steps(isSigned: $0.entry.key != unsigned) }.sorted { $0.at < $1.at }
    for step in steps {
      time.move(to: step.at)
      try store.write(Author(staff: step.staff)) { try step.act($0) }
    }
  }

  private struct Step {
    let at: Instant
    let staff: Int
    let act: (JournalTransaction) throws -> Void
  }

  /// One candidate at one station, seen by one assessor.
  private struct Visit {
    let entry: RosterEntry
    let seat: Seat
    let staff: Int
    /// Whether the candidate is given feedback, agrees and is signed out.
    let signsOut: Bool
    let start, end: Instant

    /// The identity check, the marks in four goes, and the signature.
    func steps(isSigned: Bool) -> [Step] {
      let length = end.milliseconds - start.milliseconds
      func at(_ percent: Int64) -> Instant { start + length * percent / 100 }
      var steps = [
        Step(at: at(2), staff: staff) { _ = try Attendance.passIdentityStep(entry: entry, seat: seat, in: $0) }
      ]
      for part in 0..<4 {
        steps.append(Step(at: at(20 + 20 * Int64(part)), staff: staff) { try mark(part, leavingLast: !isSigned, $0) })
      }
      if isSigned { steps.append(Step(at: at(95), staff: staff) { try sign($0) }) }
      if signsOut { steps.append(Step(at: at(98), staff: staff) { try signOut($0) }) }
      return steps
    }

    private func sheets(_ db: Database) throws -> [Sheet] {
      let current = try Roster.entry(entry.key, seat: seat, in: db)
      return try (current?.sheets ?? []).compactMap { try Sheet.read($0.key, in: db) }
    }

    /// Marks a quarter of each sheet: able candidates reach higher levels, and nobody the same one everywhere.
    private func mark(_ part: Int, leavingLast: Bool, _ transaction: JournalTransaction) throws {
      let marking = Marking(transaction)
      let number = entry.candidate?.number.utf8.reduce(0) { ($0 * 31 + Int($1)) % 1009 } ?? 0
      for sheet in try sheets(transaction.db) {
        let items = sheet.items.filter { $0.template.kind.takesLevel && !$0.template.levels.isEmpty }
        for (place, item) in items.enumerated() where place * 4 / items.count == part {
          if leavingLast, place == items.count - 1 { continue }
          let levels = item.template.levels.sorted { $0.value < $1.value }
          let share = 40 + number % 55 + (number / 7 + place * 37 + seat.name.utf8.count * 11) % 45 - 22
          _ = try marking.mark(item, level: levels[min(max(share * levels.count / 100, 0), levels.count - 1)])
        }
      }
    }

    private func signOut(_ transaction: JournalTransaction) throws {
      try SignOut.record(feedbackReceived: true, entry: entry.key, in: transaction)
      try SignOut.record(feedbackAgreed: true, entry: entry.key, in: transaction)
      try SignOut.record(signedOut: true, entry: entry.key, in: transaction)
    }

    private func sign(_ transaction: JournalTransaction) throws {
      for sheet in try sheets(transaction.db) { try Signing.sign(sheet, in: transaction) }
    }
  }
}

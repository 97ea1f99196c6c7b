import ArgumentParser
import CircuitModel
import Console
import ExamStore
import Foundation
import Journal
import Reports

extension StoreOptions {
  /// Makes this process wait for locks as long as is asked for, and say who keeps it waiting.
  func limitWaiting() {
    StoreLock.longWait.withLock { $0 = StoreOptions.tellOfWaiting }
    StoreWait.limit(to: wait)
  }

  /// Opens the store and makes the exam's time zone, and the terminal's university, the process's own.
  func open(_ opening: ExamStore.Opening = .existing) throws -> ExamStore {
    limitWaiting()
    let location = try location()
    do { return try inItsZone(ExamStore(location, opening)) } catch {
      guard location.exists, let obstacle = location.obstacle else { throw error }
      if opening == .createIfMissing, (try? ExamStore.toRead(location).close()) == nil {
        throw StoreError("no exam was loaded: nothing can be written there (\(obstacle))")
      }
      throw StoreError.unwritable(obstacle)
    }
  }

  /// Opens the store for a command that changes nothing: also where nothing can be written, which is said.
  func openToRead() throws -> ExamStore {
    limitWaiting()
    let store = try inItsZone(ExamStore.toRead(location()))
    try store.keepMore()
    if store.obstacle != nil, let obstacle = store.location.obstacle {
      Output.failure.line("osce: nothing can be written there (\(obstacle)): read from a copy")
    }
    return store
  }

  private func inItsZone(_ store: ExamStore) throws -> ExamStore {
    if let lost = store.lostLog { Output.failure.line("osce: \(lost)") }
    Configuration.useUniversity()
    LocalTime.use(zone: try store.read { db in try ExamSettings.read(db).timeZone })
    return store
  }

  /// Says on standard error who keeps a command waiting.
  private static let tellOfWaiting: @Sendable (LockHolder?) -> Void = { holder in
    let who = holder.map { "\($0.name) has the store locked" } ?? "the store is locked"
    Output.failure.line("osce: waiting: \(who); Ctrl-C gives up and changes nothing")
  }
}

/// `--staff`: who acts.
struct ActingStaff: ParsableArguments {
  @Option(name: .long, help: "Your username (default: OSCE_STAFF).")
  var staff: String?

  /// The username that was given, here or by the environment.
  var username: String? {
    let given = staff ?? ProcessInfo.processInfo.environment["OSCE_STAFF"]
    return given?.isEmpty == true ? nil : given
  }

  /// The acting member of staff, proven by a passcode where one is set; nil if nobody is named.
  /// - Throws: `StoreError` if there is no such person or the passcode is wrong.
  func member(in store: ExamStore) throws -> StaffMember? {
    guard let username else { return nil }
    let member = try store.read { db in try StaffMember.find(username: username, in: db) }
    guard member.hasPasscode else { return member }
    let passcode = try PasscodeSource.passcode(of: member, environment: ProcessInfo.processInfo.environment)
    try member.prove(passcode, in: store)
    HubPresence.keep(passcode, of: member, at: store.location)
    return member
  }
}

/// `--session` where it names one session.
enum SessionOption {
  /// - Throws: `ValidationError` for what is no date and start.
  static func check(_ name: String?) throws {
    do { _ = try name.map { try Session.written($0) } } catch let refusal as SessionRefusal {
      throw ValidationError("\(refusal)")
    }
  }
}

/// What is said beside counts of a store that holds less than the exam.
enum PartNote {
  /// Says on standard error that the hub gives this store only part of the exam; nothing where it holds all of it.
  static func say(of store: ExamStore) throws {
    guard try store.read({ try Enrolment.isPartial($0) }) else { return }
    Output.failure.text(
      "osce: the hub gives this terminal only part of the exam; what others hold of the rest is not counted\n")
  }
}

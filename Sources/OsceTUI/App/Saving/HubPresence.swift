import CircuitModel
import ExamStore
import Glibc
import Synchronization

/// Tells the store's uploader who sits at this terminal, so that it signs them in at the hub. Says nothing of who has no
/// passcode: the hub would let them in nowhere.
@MainActor
final class HubPresence {
  private let store: StoreLocation
  /// Who was named last, until they have gone.
  private var told: PersonAtTerminal?
  private var due: Int64 = 0

  /// The passcodes with which people sat down at this terminal, by person, until the person has gone.
  private nonisolated static let passcodes = Mutex<[Int: String]>([:])

  init(_ store: StoreLocation) { self.store = store }

  /// Keeps a passcode that was found right for the sitting that follows, where the store has a place at a hub.
  nonisolated static func keep(_ passcode: String, of member: StaffMember, at store: StoreLocation) {
    guard access(store.hubCredentialPath, F_OK) == 0 else { return }
    passcodes.withLock { $0[member.id] = passcode }
  }

  /// Says who sits here where that is due, and at once where it is somebody else.
  /// - Parameter now: the loop's clock, in milliseconds.
  func tell(_ sitting: SignIn?, at now: Int64) {
    if let told, told.sitting != sitting?.id { leave(told) }
    guard let sitting, now >= due || told == nil,
      let passcode = Self.passcodes.withLock({ $0[sitting.staff.id] })
    else { return }
    let person = PersonAtTerminal(
      sitting: sitting.id, username: sitting.staff.username, passcode: passcode,
      timetable: sitting.timetable.map(Int64.init))
    (told, due) = (person, now + PersonAtTerminal.interval)
    person.tell(uploaderOf: store)
  }

  /// Says that the person who sits here goes.
  func leave() { if let told { leave(told) } }

  private func leave(_ person: PersonAtTerminal) {
    var gone = person
    gone.hasGone = true
    gone.passcode = ""
    gone.tell(uploaderOf: store)
    Self.passcodes.withLock { $0.removeAll() }
    told = nil
    due = 0
  }
}

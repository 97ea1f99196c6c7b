import ExamStore
import GRDB
import Journal
import Timer

/// One passcode that is given for a person: recorded first, then looked at, then recorded as right.
///
/// Recorded first, so that it counts whatever becomes of the process, and so that forty terminals that guess at once wait
/// as one does. The looking takes 50 ms and happens outside the transaction, which holds the store's lock.
public struct PasscodeAttempt: Sendable {
  private let key: String
  private let member: StaffMember
  private let kept: String?
  private let wait: Int

  /// Records that a passcode is going to be looked at.
  /// - Parameter place: where it was given.
  /// - Throws: `StaffRefusal` if too many were wrong and the time to wait is not over; nothing is recorded then.
  public static func begin(
    _ member: StaffMember, device: UUIDBytes, from place: TerminalInfo = .here, in transaction: JournalTransaction
  ) throws -> PasscodeAttempt {
    let now = transaction.clock.now
    let attempt = try consider(member, from: place, at: now, in: transaction.db)
    try transaction.create(
      Stored.PasscodeAttempt.self, attempt.key,
      [
        .device(device.description), .staff(member.id), .at(now), .tty(place.tty), .host(place.host),
        .sshKey(place.sshKey),
      ])
    return attempt
  }

  /// An attempt that is not recorded yet.
  /// - Throws: `StaffRefusal` if the time to wait is not over.
  static func consider(
    _ member: StaffMember, from place: TerminalInfo, at now: Instant, in db: Database
  ) throws -> PasscodeAttempt {
    let kept = try String.fetchOne(db, sql: "SELECT passcodeHash FROM user WHERE dsid = ?", arguments: [member.id])
    if let kept, !Passcode.isUsable(kept) { throw StaffRefusal.unusablePasscode(member.name) }
    let byPerson = try WrongPasscodes.of(member, until: now, in: db)
    let byPlace = try WrongPasscodes.at(place, until: now, in: db)
    if let seconds = byPerson.wait(PasscodePatience.person, at: now) {
      throw StaffRefusal.tooManyWrong(member.name, seconds: seconds)
    }
    if let seconds = byPlace.wait(PasscodePatience.terminal, at: now) {
      throw StaffRefusal.tooManyWrong(nil, seconds: seconds)
    }
    let wait = max(
      PasscodePatience.person.seconds(after: byPerson.count + 1),
      PasscodePatience.terminal.seconds(after: byPlace.count + 1))
    return PasscodeAttempt(key: UUIDBytes.random().description, member: member, kept: kept, wait: wait)
  }

  /// Looks whether a passcode is the person's. Costs about 50 ms: never while the store's lock is held.
  /// - Throws: `StaffRefusal` if it is another.
  public func verify(_ passcode: String) throws -> PasscodeProof {
    if let kept, !Passcode.verify(passcode, against: kept) { throw StaffRefusal.wrongPasscode(member.name, wait: wait) }
    return PasscodeProof(staff: member.id)
  }

  /// Records that the passcode was right: the person waits no more.
  public func succeed(in transaction: JournalTransaction) throws {
    try transaction.set(Stored.PasscodeAttempt.self, key, [.succeeded(true)])
  }
}

/// That the right passcode was given for a person.
public struct PasscodeProof: Hashable, Sendable {
  let staff: Int
}

extension StaffMember {
  /// Looks whether anything was given: an end of input, or Enter alone, is no attempt, and is not recorded as one.
  /// - Throws: `StaffRefusal` if the person has a passcode and nothing was.
  public func requireGiven(_ passcode: String) throws {
    if hasPasscode, passcode.isEmpty { throw StaffRefusal.noPasscode(name) }
  }

  /// Proves on the calling thread that a passcode is this person's. Where nothing can be written, nothing is recorded of
  /// it: on a disk that fails marks are still to be had, and who can bring that about can read the file.
  /// - Throws: `StaffRefusal` if it is not, if none was given, or if too many were wrong.
  @discardableResult
  public func prove(_ passcode: String, in store: ExamStore, from place: TerminalInfo = .here) throws -> PasscodeProof {
    try requireGiven(passcode)
    if store.takesNothing {
      let attempt = try store.read { try PasscodeAttempt.consider(self, from: place, at: store.clock.now, in: $0) }
      return try attempt.verify(passcode)
    }
    let attempt = try store.write(.program) {
      try PasscodeAttempt.begin(self, device: store.device, from: place, in: $0)
    }
    let proof = try attempt.verify(passcode)
    try store.write(.program) { try attempt.succeed(in: $0) }
    return proof
  }
}

/// How long the next passcode waits after so many wrong ones.
struct PasscodePatience {
  /// After how many wrong ones there is a wait.
  let free: Int
  /// The longest wait, in seconds.
  let most: Int

  /// Two mistypings are everybody's; a guess a minute is nobody's way in.
  static let person = PasscodePatience(free: 3, most: 60)
  /// Many people share a terminal, and what one mistypes must not keep the next one out for long: guessing across people is
  /// slowed, and each of them is guarded alone.
  static let terminal = PasscodePatience(free: 10, most: 15)
  /// For how long a wrong passcode counts, in milliseconds: a quarter of an hour.
  static let memory: Int64 = 900_000

  /// 0, then 2, 4, 8 … seconds.
  func seconds(after wrong: Int) -> Int {
    wrong < free ? 0 : min(most, 2 << min(wrong - free, 16))
  }
}

/// The wrong passcodes of the last quarter of an hour.
struct WrongPasscodes {
  let count: Int
  let last: Instant?

  /// Those for a person since the last right one, wherever they were given.
  static func of(_ member: StaffMember, until now: Instant, in db: Database) throws -> WrongPasscodes {
    try read(
      db,
      """
      staffID = ?3 AND at > coalesce((SELECT max(at) FROM passcodeAttempt
        WHERE staffID = ?3 AND succeeded = 1 AND at <= ?2), 0)
      """, now, [member.id])
  }

  /// Those that were given at a place for anybody who did not give the right one there afterwards. Over ssh a place is the
  /// key that let the person in, else the address: a new connection is no new place.
  static func at(_ place: TerminalInfo, until now: Instant, in db: Database) throws -> WrongPasscodes {
    let column = place.sshKey != nil ? "sshKey" : place.host != nil ? "host" : "tty"
    let isSuch =
      ["sshKey": "", "host": "AND sshKey IS NULL", "tty": "AND host IS NULL AND sshKey IS NULL"][column] ?? ""
    return try read(
      db,
      """
      \(column) IS ?3 \(isSuch) AND NOT EXISTS (SELECT 1 FROM passcodeAttempt r WHERE r.staffID = a.staffID AND r.succeeded = 1
        AND r.\(column) IS a.\(column) AND r.at >= a.at AND r.at <= ?2)
      """, now, [place.sshKey ?? place.host ?? place.tty])
  }

  private static func read(
    _ db: Database, _ condition: String, _ now: Instant, _ arguments: [(any DatabaseValueConvertible)?]
  ) throws -> WrongPasscodes {
    // What lies ahead of the clock, which may have been set back, counts for nothing: nobody waits until it comes.
    let row = try ReadRow.fetchOne(
      db,
      sql:
        "SELECT count(*), max(at) FROM passcodeAttempt a WHERE succeeded = 0 AND at > ?1 AND at <= ?2 AND \(condition)",
      arguments: StatementArguments([now.milliseconds - PasscodePatience.memory, now.milliseconds] + arguments))
    let (count, last): (Int, Int64?) = row.map { ($0[0], $0[1]) } ?? (0, nil)
    return WrongPasscodes(count: count, last: last.map { Instant(stored: $0) })
  }

  /// How many seconds are left to wait; nil if none are.
  func wait(_ patience: PasscodePatience, at now: Instant) -> Int? {
    guard let last else { return nil }
    let left = last.milliseconds + Int64(patience.seconds(after: count)) * 1000 - now.milliseconds
    return left > 0 ? Int((left + 999) / 1000) : nil
  }
}

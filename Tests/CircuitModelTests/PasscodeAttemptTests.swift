import Foundation
import GRDB
import Journal
import Synchronization
import Testing

@testable import CircuitModel
@testable import ExamStore
@testable import Reports

@Suite("Passcodes that are tried") struct PasscodeAttemptTests {
  /// The small exam with twelve people, each with a passcode of their own.
  private func exam() throws -> MarkedExam {
    let people = (20...29).map {
      SmallExam.row("Staff", "\($0)", ["username": .text("p\($0)"), "surname": .text("P\($0)")])
    }
    let exam = try MarkedExam(people)
    try exam.store.write(.program) { transaction in
      for key in [1, 2] + Array(20...29) {
        try transaction.set("Staff", "\(key)", ["passcodeHash": .text(try Passcode.hash("right\(key)", rounds: 16))])
      }
    }
    return exam
  }

  private func member(_ username: String, _ exam: MarkedExam) throws -> StaffMember {
    try exam.store.read { try StaffMember.find(username: username, in: $0) }
  }

  private let here = TerminalInfo(process: 1, tty: "/dev/pts/1")

  /// What a try comes to.
  private enum Outcome: Equatable {
    case right
    case wrong(wait: Int)
    case refused(seconds: Int)
  }

  private func attempt(
    _ username: String, _ passcode: String, _ exam: MarkedExam, from place: TerminalInfo? = nil
  ) throws -> Outcome {
    do {
      try member(username, exam).prove(passcode, in: exam.store, from: place ?? here)
      return .right
    } catch StaffRefusal.wrongPasscode(_, let wait) {
      return .wrong(wait: wait)
    } catch StaffRefusal.tooManyWrong(_, let seconds) {
      return .refused(seconds: seconds)
    }
  }

  @Test("nothing given is no attempt") func nothing() throws {
    let exam = try exam()
    for _ in 1...5 {
      #expect(throws: StaffRefusal.noPasscode("Dr Davies")) { try member("adavies", exam).prove("", in: exam.store) }
    }
    #expect(try exam.store.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM passcodeAttempt") } == 0)
    #expect(try attempt("adavies", "right1", exam) == .right)
  }

  @Test("two mistypings cost nothing; then each wrong one doubles the wait, to a minute; the right one ends it")
  func growing() throws {
    let exam = try exam()
    var waits: [Int] = []
    for _ in 1...10 {
      guard case .wrong(let wait) = try attempt("adavies", "x", exam) else { return #expect(Bool(false)) }
      waits.append(wait)
      if wait > 0 {
        #expect(try attempt("adavies", "right1", exam) == .refused(seconds: wait), "the right one waits too")
        exam.test.time.pass(Int64(wait) * 1000 - 1)
        #expect(try attempt("adavies", "right1", exam) == .refused(seconds: 1))
        exam.test.time.pass(1)
      }
    }
    #expect(waits == [0, 0, 2, 4, 8, 16, 32, 60, 60, 60])
    #expect(try attempt("adavies", "right1", exam) == .right)
    exam.test.time.pass(1000)
    #expect(try attempt("adavies", "x", exam) == .wrong(wait: 0))
    #expect(try attempt("adavies", "right1", exam) == .right)
  }

  @Test("the wait is that of the person at every terminal, and is there after a restart")
  func everywhere() throws {
    let exam = try exam()
    for number in 1...3 { _ = try attempt("adavies", "x", exam, from: TerminalInfo(process: 1, tty: "tty\(number)")) }
    let again = try exam.test.reopened()
    defer { again.close() }
    let person = try member("adavies", exam)
    #expect(throws: StaffRefusal.tooManyWrong("Dr Davies", seconds: 2)) {
      try person.prove("right1", in: again, from: TerminalInfo(process: 2, host: "192.0.2.9"))
    }
    #expect(try attempt("bmurphy", "right2", exam) == .right, "nobody else waits")
  }

  @Test("guessing across people is slowed by the key, else the address, not by the connection; others are not")
  func acrossPeople() throws {
    for (name, place) in [
      ("key", { TerminalInfo(process: 1, tty: "pts/\($0)", host: "192.0.2.\($0)", sshKey: "SHA256:abc") }),
      ("address", { TerminalInfo(process: 1, tty: "pts/\($0)", host: "192.0.2.1") }),
      ("terminal", { _ in TerminalInfo(process: 1, tty: "/dev/tty1") }),
    ] as [(String, (Int) -> TerminalInfo)] {
      let exam = try exam()
      var last = Outcome.right
      for key in 20...29 {
        exam.test.time.pass(100)
        last = try attempt("p\(key)", "x", exam, from: place(key))
      }
      #expect(last == .wrong(wait: 2), "\(name)")
      #expect(try attempt("adavies", "right1", exam, from: place(99)) == .refused(seconds: 2), "\(name)")
      let elsewhere = TerminalInfo(process: 1, tty: "pts/1", host: "198.51.100.1", sshKey: "SHA256:other")
      #expect(try attempt("adavies", "right1", exam, from: elsewhere) == .right, "\(name)")
      exam.test.time.pass(2000)
      // One's own passcode forgives what was guessed for nobody else.
      #expect(try attempt("adavies", "right1", exam, from: place(99)) == .right, "\(name)")
      #expect(try attempt("bmurphy", "x", exam, from: place(99)) == .wrong(wait: 4), "\(name)")
      #expect(PasscodePatience.terminal.seconds(after: 1000) == 15)
    }
  }

  @Test("a terminal at which many mistype once, and then are right, lets the next one in")
  func sharedTerminal() throws {
    let exam = try exam()
    for key in 20...29 {
      exam.test.time.pass(500)
      #expect(try attempt("p\(key)", "x", exam) == .wrong(wait: 0))
      exam.test.time.pass(500)
      #expect(try attempt("p\(key)", "right\(key)", exam) == .right)
    }
    #expect(try attempt("adavies", "x", exam) == .wrong(wait: 0))
  }

  @Test("a try that is killed before it is looked at has been made")
  func killed() throws {
    let exam = try exam()
    let person = try member("adavies", exam)
    for _ in 1...3 {
      _ = try exam.store.write(.program) {
        try PasscodeAttempt.begin(person, device: exam.store.device, from: here, in: $0)
      }
    }
    #expect(try attempt("adavies", "right1", exam) == .refused(seconds: 2))
  }

  @Test("forty terminals at once have three guesses between them")
  func atOnce() throws {
    let exam = try exam()
    let (store, person) = (exam.store, try member("adavies", exam))
    let looked = Mutex(0)
    DispatchQueue.concurrentPerform(iterations: 40) { number in
      do { try person.prove("x", in: store, from: TerminalInfo(process: 1, tty: "pts/\(number)")) } catch {
        if case StaffRefusal.wrongPasscode? = error as? StaffRefusal { looked.withLock { $0 += 1 } }
      }
    }
    #expect(looked.withLock { $0 } == 3)
  }

  @Test("a quarter of an hour later, and with the clock set back, nobody waits")
  func forgotten() throws {
    let exam = try exam()
    for _ in 1...3 { _ = try attempt("adavies", "x", exam) }
    exam.test.time.pass(PasscodePatience.memory)
    #expect(try attempt("adavies", "x", exam) == .wrong(wait: 0))
    exam.test.time.pass(-PasscodePatience.memory - 3_600_000)
    #expect(try attempt("adavies", "right1", exam) == .right)
  }

  @Test("each try is in the journal, with where it was made, and no passcode is")
  func journalled() throws {
    let exam = try exam()
    let place = TerminalInfo(process: 1, tty: "/dev/pts/1", host: "192.0.2.7", sshKey: "SHA256:abc")
    _ = try attempt("adavies", "wrong-one", exam, from: place)
    _ = try attempt("adavies", "right1", exam, from: place)
    var lines: [String] = []
    try exam.store.read { db in
      try JournalReport.forEach(in: db) { entry in
        if entry.operation.row.entity == "PasscodeAttempt" { lines.append(entry.json.text) }
      }
      #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM passcodeAttempt WHERE succeeded") == 1)
      for word in ["wrong-one", "right1"] {
        #expect(
          try Int.fetchOne(db, sql: "SELECT count(*) FROM operation WHERE instr(body, ?)", arguments: [word]) == 0)
      }
    }
    #expect(lines.count == 3)
    #expect(lines[0].contains("192.0.2.7") && lines[0].contains("SHA256:abc") && lines[2].contains("succeeded"))
  }

  /// Kept strings that ask too much of the machine, or are none.
  static let unusable: [String] = {
    let (salt, hash) = ("AAAAAAAAAAAAAAAAAAAAAA==", Data(count: 32).base64EncodedString())
    func kept(_ parameters: String, salt: String = salt, hash: String = hash) -> String {
      "scrypt$\(parameters)$\(salt)$\(hash)"
    }
    return [
      kept("1048576$32$1"), kept("1048576$8$1"), kept("131072$8$1"), kept("16384$8$17"), kept("16385$8$1"),
      kept("65536$8$16"), kept("0$8$1"), kept("-2$8$1"), kept("1$8$1"), kept("16384$0$1"), kept("16384$8$0"),
      kept("9223372036854775807$9223372036854775807$2"), kept("16384$8$1", salt: ""),
      kept("16384$8$1", salt: Data(count: 65).base64EncodedString()),
      kept("16384$8$1", hash: Data(count: 31).base64EncodedString()), kept("16384$8$1", hash: "?"), "", "scrypt",
      "plain",
      kept("16384$8$1") + String(repeating: "A", count: 1 << 20),
    ]
  }()

  private func threadTime() -> Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }

  @Test("what a kept string asks of the machine is bounded before it is looked at")
  func bounded() throws {
    // This thread's own time: on a busy machine the other one passes without any work.
    let began = threadTime()
    for kept in Self.unusable {
      #expect(!Passcode.isUsable(kept) && !Passcode.verify("x", against: kept), "\(kept.prefix(60))")
    }
    #expect(threadTime() - began < .milliseconds(500))
    for rounds in [2, 16_384, 65_536] { #expect(Passcode.isUsable(try Passcode.hash("x", rounds: rounds))) }
    let exam = try exam()
    try exam.store.write(.program) { try $0.set("Staff", "1", ["passcodeHash": .text(Self.unusable[0])]) }
    let person = try member("adavies", exam)
    #expect(throws: StaffRefusal.unusablePasscode("Dr Davies")) { try person.prove("x", in: exam.store) }
  }

  @Test(
    "an import's passcodes are hashed while another holds the store's lock, and these hashes are the ones that are kept"
  )
  func outsideTheLock() throws {
    let exam = try exam()
    let other = try exam.test.reopened()
    defer { other.close() }
    let claims = [
      PreparedPasscodes.Claim(username: "adavies", passcode: "new one"),
      PreparedPasscodes.Claim(username: "bmurphy", passcode: "right2"),
    ]
    let ready = try other.write(.program) { _ in try PreparedPasscodes(claims, in: exam.store) }
    func kept(_ key: Int) throws -> String? {
      try exam.store.read { try String.fetchOne($0, sql: "SELECT passcodeHash FROM user WHERE dsid = \(key)") }
    }
    let before = try [kept(1), kept(2)]
    let hash = try ready.hash(claims[0], standing: before[0])
    #expect(hash != nil && hash != before[0])
    #expect(try ready.hash(claims[1], standing: before[1]) == nil)
    let rows = [
      SmallExam.row("Staff", "1", ["username": .text("adavies"), "passcode": .text("new one")]),
      SmallExam.row("Staff", "2", ["username": .text("bmurphy"), "passcode": .text("right2")]),
    ]
    _ = try exam.store.write(.program) {
      try $0.set("Staff", "1", ["passcodeHash": .null], source: OperationBody.imported)
    }
    // What was made against another hash is not used.
    _ = try exam.store.write(.program) { try BundleImport.apply(rows, passcodes: ready, in: $0) }
    #expect(try kept(1) != hash)
    #expect(try kept(2) == before[1])
    #expect(Passcode.verify("new one", against: try #require(try kept(1))))
    let again = try PreparedPasscodes([.init(username: "adavies", passcode: "third")], in: exam.store)
    let third = try again.hash(.init(username: "adavies", passcode: "third"), standing: try kept(1))
    let row = SmallExam.row("Staff", "1", ["username": .text("adavies"), "passcode": .text("third")])
    _ = try exam.store.write(.program) { try BundleImport.apply([row], passcodes: again, in: $0) }
    #expect(third != nil)
    #expect(try kept(1) == third)
  }
}

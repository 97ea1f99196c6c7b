import ExamStore
import Foundation
import GRDB
import Synchronization

/// The hashes of the passcodes that an import brings, made before it takes the store's lock: each takes 50 ms, and four
/// hundred people would keep every terminal from saving for twenty seconds.
///
/// A passcode that fits what is kept keeps it: a hash has a salt of its own, and a new one would be a change where
/// nothing was changed. Whether it fits takes as long as making one; a quicker test would have to be kept beside the
/// hash, and anyone who had the store's file could guess by it.
public struct PreparedPasscodes: Sendable {
  /// A passcode for a person, by username.
  public struct Claim: Hashable, Sendable {
    /// The person.
    public let username: String
    /// As it is written in the file.
    public let passcode: String

    /// - Parameters: see the properties.
    public init(username: String, passcode: String) {
      self.username = username
      self.passcode = passcode
    }
  }

  private struct Answer: Sendable {
    /// What was kept when the passcode was looked at.
    let kept: String?
    /// The new hash; nil where the passcode fits what was kept.
    let hash: String?
  }

  private var answers: [Claim: Answer] = [:]

  /// Nothing is prepared: each passcode is looked at when its row comes.
  public init() {}

  /// Looks at passcodes on all the processor's cores, with nothing locked.
  /// - Throws: `StoreError` if the store cannot be read.
  public init(_ claims: [Claim], in store: ExamStore) throws {
    let claims = Array(Set(claims.filter { !$0.passcode.isEmpty }))
    if claims.isEmpty { return }
    let kept = try store.read { db in
      try ReadRow.fetchAll(
        db, sql: "SELECT username, passcodeHash FROM user WHERE entity = 'Staff' ORDER BY dsDeleted DESC, dsid DESC"
      ).reduce(into: [String: String]()) { known, row in
        if let username = row[0] as String? { known[username] = row[1] }
      }
    }
    let found = Mutex<[Claim: Answer]>([:])
    let failure = Mutex<(any Error)?>(nil)
    DispatchQueue.concurrentPerform(iterations: claims.count) { index in
      let claim = claims[index]
      do {
        let before = kept[claim.username]
        let answer = Answer(kept: before, hash: try Self.hash(claim.passcode, standing: before))
        found.withLock { $0[claim] = answer }
      } catch { failure.withLock { $0 = error } }
    }
    if let error = failure.withLock({ $0 }) { throw error }
    answers = found.withLock { $0 }
  }

  /// The hash to store for a passcode; nil where the one that stands fits. What was prepared against another is not
  /// used.
  func hash(_ claim: Claim, standing: String?) throws -> String? {
    if let answer = answers[claim], answer.kept == standing { return answer.hash }
    return try Self.hash(claim.passcode, standing: standing)
  }

  private static func hash(_ passcode: String, standing: String?) throws -> String? {
    if let standing, Passcode.verify(passcode, against: standing) { return nil }
    return try Passcode.hash(passcode)
  }
}

import Catalogue
import GRDB
import Journal
import Timer

import struct Journal.Operation

/// What the engine asks of the exam whose rows it keeps: the engine itself knows entities by the catalogue alone.
public struct ExamKnowledge: Sendable {
  /// The names of the sessions whose clocks are open at an instant: no migration and no restore while there is one.
  public var openSessions: @Sendable (Database, Instant) throws -> [String]
  /// Follows a row that was just written with what is derived from it and stays on this machine; called in the same
  /// transaction with the entity, the row's key and the fields that were set.
  public var derive: @Sendable (Entity, String, [String: Value], Database) throws -> Void
  /// What may not be changed now: nil where nothing is closed, else what throws for a change, by entity, key and the
  /// fields that it sets, that touches what is.
  public var closed: @Sendable (Database) throws -> ((Entity, String, [String: Value], Database) throws -> Void)?
  /// Whether an operation of another device touches what is closed and is none of what was closed, by what it sets; nil
  /// where nothing is closed.
  public var late: @Sendable (Database) throws -> ((Operation, [String: Value], Database) throws -> Bool)?
  /// The entity of locks: of what two people have closed.
  public var lockEntity: String
  /// Whether an operation of another device, by its entity and what it sets, is one that two people answer for, which goes
  /// through what is closed.
  public var isLifting: @Sendable (String, [String: Value]) -> Bool
  /// Whether an operation on a lock is one that the program makes, given whether that lock is here.
  public var isLawfulLock: @Sendable (OpenedOperation, Bool, Database) throws -> Bool
  /// How often a second copy is wished for, in minutes; nil: nothing is said. Where it goes is not the exam's to say.
  public var backupMinutes: @Sendable (Database) throws -> Int?

  /// - Parameters: see the properties.
  public init(
    openSessions: @escaping @Sendable (Database, Instant) throws -> [String],
    derive: @escaping @Sendable (Entity, String, [String: Value], Database) throws -> Void,
    closed: @escaping @Sendable (Database) throws -> ((Entity, String, [String: Value], Database) throws -> Void)?,
    late: @escaping @Sendable (Database) throws -> ((Operation, [String: Value], Database) throws -> Bool)?,
    lockEntity: String,
    isLifting: @escaping @Sendable (String, [String: Value]) -> Bool,
    isLawfulLock: @escaping @Sendable (OpenedOperation, Bool, Database) throws -> Bool,
    backupMinutes: @escaping @Sendable (Database) throws -> Int?
  ) {
    self.openSessions = openSessions
    self.derive = derive
    self.closed = closed
    self.late = late
    self.lockEntity = lockEntity
    self.isLifting = isLifting
    self.isLawfulLock = isLawfulLock
    self.backupMinutes = backupMinutes
  }
}

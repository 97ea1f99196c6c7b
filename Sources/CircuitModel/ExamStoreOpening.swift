import ExamStore
import GRDB
import Journal
import Timer

extension ExamKnowledge {
  /// What the engine needs to know of this exam model.
  public static let standard = ExamKnowledge(
    openSessions: { db, instant in try OpenRuns.all(db, at: instant).map(\.session.name) },
    derive: { entity, key, fields, db in
      guard let tags = fields[Stored.DataQuestion.Field.tags], entity.table == "dataQuestion" else { return }
      try TagMirror.follow(item: key, tags: tags, in: db)
    },
    closed: { db in try LockGuard(db)?.check },
    late: { db in try LockGuard(db)?.late() },
    lockEntity: Stored.ExamLock.entityName,
    isLifting: { entity, fields in LockChange.isLifting(entity, fields) },
    isLawfulLock: { opened, isHere, db in try LockChange.isLawful(opened, isHere: isHere, in: db) },
    backupMinutes: { db in try ExamSettings.read(db).backup.minutes })
}

extension ExamStore {
  /// Opens a store, checks its place, brings its tables up to date and proves its durability.
  /// - Throws: `StoreError` if there is none, if it is unfit, damaged, newer than this program, or cannot be durable.
  public convenience init(_ location: StoreLocation, _ opening: Opening = .existing) throws {
    try self.init(location, opening, system: .live)
  }

  package convenience init(_ location: StoreLocation, _ opening: Opening, system: SystemClock) throws {
    try self.init(location, opening, knowing: .standard, system: system)
  }

  package convenience init(copyOf location: StoreLocation, because obstacle: String, system: SystemClock) throws {
    try self.init(copyOf: location, because: obstacle, knowing: .standard, system: system)
  }

  /// Opens a store to be read: nothing of it is changed; see `toRead(_:knowing:system:)`.
  /// - Throws: `StoreError` if there is none, if it is unfit, damaged or newer than this program.
  public static func toRead(_ location: StoreLocation) throws -> ExamStore {
    try toRead(location, knowing: .standard)
  }

  package static func toRead(_ location: StoreLocation, system: SystemClock) throws -> ExamStore {
    try toRead(location, knowing: .standard, system: system)
  }
}

extension Restore {
  /// Restores a backup; see `run(from:to:isForced:knowing:system:progress:)`.
  public static func run(
    from path: String, to location: StoreLocation, isForced: Bool, system: SystemClock = .live,
    progress: CheckProgress = .silent
  ) throws -> Restore {
    try run(
      from: path, to: location, isForced: isForced, knowing: .standard, system: system, progress: progress)
  }
}

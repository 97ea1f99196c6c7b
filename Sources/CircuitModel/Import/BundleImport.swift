import ExamStore
import Journal

/// One row of an exam as files give it: values by attribute and to-one relationship name.
public struct ImportRow: Sendable {
  /// The row's place.
  public let row: RowKey
  /// The values that the files state; a field that is left out is not touched.
  public var fields: [String: Value]
  /// A row without which this one stays: it is deleted only if that one is.
  public var goesWith: RowKey?

  /// - Parameters:
  ///   - fields: doubles scaled by `Scaled`, dates in milliseconds. `passcode` of a person is a plain passcode: only
  ///     its hash is stored.
  ///   - goesWith: see the property.
  public init(_ row: RowKey, _ fields: [String: Value], goesWith: RowKey? = nil) {
    self.row = row
    self.fields = fields
    self.goesWith = goesWith
  }
}

/// What an import did.
public struct ImportReport: Equatable, Sendable {
  /// A field that the files have otherwise than it stands, and that is kept.
  public struct KeptField: Hashable, Sendable {
    /// The row.
    public let row: RowKey
    /// The field's name.
    public let field: String
    /// Why it is kept.
    public var reason = Reason.changedHere

    /// Why a field is kept.
    public enum Reason: Hashable, Sendable {
      /// A person changed it since the last import.
      case changedHere
      /// It says whose attendance, marks or comments a person has recorded.
      case recordedHere
      /// It names a row that stays deleted, and was made to forget it by the deletion.
      case namesDeleted
    }
  }

  /// A row that the files delete and that stays.
  public struct NotDeleted: Hashable, Sendable {
    /// The row.
    public let row: RowKey
    /// Why it stays.
    public let obstacle: ImportedDeletes.Obstacle
  }

  /// Rows that were made.
  public var created = 0
  /// Rows of which something was changed.
  public var changed = 0
  /// Rows that already were as the files have them.
  public var unchanged = 0
  /// What the files have otherwise than it stands, because of what a person did here.
  public var kept: [KeptField] = []
  /// Rows that the files have and that stay out of view, whether or not they would be changed: they, or rows above them,
  /// were deleted, and the files do not say of each that it is not.
  public var leftDeleted: [RowKey] = []
  /// What the files delete and is still there, because it would hide what a person made here.
  public var notDeleted: [NotDeleted] = []
  /// Where the listed rows stand that are roster entries, or belong to one.
  public var places: [RowKey: EntryPlace] = [:]
  /// What people call the listed rows that have no such place, as far as they have a name.
  public var names: [RowKey: String] = [:]
  /// The templates of which started sheets keep an earlier version.
  public var versions: [FormVersions.Kept] = []
  /// The station sessions that were examined before and are withdrawn now.
  public var withdrawn: [WithdrawnStation] = []
  /// The open clocks that keep another plan than the session has now.
  public var outdated: [OutdatedRun] = []
}

/// Brings rows from files into a store, each difference as an operation of the journal.
public enum BundleImport {
  /// Applies all rows in the caller's transaction; destinations may come later in the list.
  /// - Parameters:
  ///   - passcodes: what was made ready for the passcodes among them, so that it is not made under the lock.
  ///   - mayLoseSigned: whether signed sheets may stop counting: their station is withdrawn, or a row above them
  ///     deleted.
  ///   - completesSheets: whether what the rows leave out of mark sheets is made at once; see `completeSheets`.
  /// - Throws: `ImportRefusal` if a station would leave a session whose clock is open, if what is recorded for a
  ///   candidate would be another's or come to another round, or if signed sheets would count no more, `StoreError` if a
  ///   row cannot be stored; the caller's transaction is then to be given up.
  public static func apply(
    _ rows: [ImportRow], passcodes: PreparedPasscodes = PreparedPasscodes(), mayLoseSigned: Bool = false,
    completesSheets: Bool = true, in transaction: JournalTransaction
  ) throws -> ImportReport {
    let open = try OpenSessionStations.read(transaction.db, at: transaction.clock.now)
    let withdrawn = Set(try WithdrawnStation.all(in: transaction.db).map(\.timetable))
    let recorded = try RecordedCandidates.read(transaction.db, before: rows)
    let signed = mayLoseSigned ? nil : try SignedSheets.read(transaction.db)
    var rowImport = try RowImport(rows, passcodes, in: transaction)
    for row in rows { try rowImport.apply(row) }
    try rowImport.carryOutDeletes()
    var report = rowImport.report
    try report.findPlaces(in: transaction.db)
    try open.check(transaction.db)
    try recorded?.check(transaction.db)
    try signed?.check(transaction.db)
    report.withdrawn = try WithdrawnStation.all(in: transaction.db).filter { !withdrawn.contains($0.timetable) }
    report.versions = try FormVersions.recordAll(in: transaction)
    if report.created + report.changed > 0 {
      report.outdated = try OutdatedRun.all(in: transaction.db, at: transaction.clock.now)
    }
    if completesSheets { try completeSheets(of: rows, in: transaction) }
    return report
  }

  /// Gives the mark sheets among rows that were applied what the rows leave out: the version of the template, and the
  /// sections and items without an answer.
  public static func completeSheets(of rows: [ImportRow], in transaction: JournalTransaction) throws {
    try ImportedSheets.complete(rows, in: transaction)
  }
}

// Generated from the catalogue by script/generate; edit the catalogue, not this file.
import GRDB

/// A stored row of ActivityType. A station of a circuit; a rest station has no form.
public struct ActivityTypeRecord: FetchableRecord, TableRecord, Equatable, Sendable {
  /// The table that holds the rows.
  public static let databaseTableName = "activityType"
  /// The entity's name in the catalogue.
  public static let entityName = "ActivityType"
  /// The columns that a record reads.
  public static let columnNames: [String] = [
    "dsid", "name", "iPadEnabled", "acceptsPatients", "acceptsSimulatedPatient", "requiresStudentSignout", "code",
    "order", "forms", "doubleMarkingMargin", "dsDeleted", "clinicGroupID", "teachingLeadID",
  ]

  /// The row's key.
  public var dsid: Int

  /// ActivityType.name.
  public var name: String

  /// ActivityType.iPadEnabled.
  public var iPadEnabled: Bool

  /// ActivityType.acceptsPatients.
  public var acceptsPatients: Bool

  /// ActivityType.acceptsSimulatedPatient.
  public var acceptsSimulatedPatient: Bool

  /// ActivityType.requiresStudentSignout.
  public var requiresStudentSignout: Bool

  /// ActivityType.code. The station's natural key in an exam folder.
  public var code: String?

  /// ActivityType.order. The station's place in the ring, from 1; stations of equal order stand by key.
  public var order: Int

  /// ActivityType.forms. all: a candidate needs a sheet of every available form; one: of exactly one of them.
  public var forms: String

  /// ActivityType.doubleMarkingMargin. How far the scores of two markers of one candidate may differ, in percent of
  /// the maximum, before the lead is asked; no value: 10.
  public var doubleMarkingMargin: Double?

  /// ActivityType.dsDeleted. Soft delete. Not indexed: nearly every row holds the same value.
  public var dsDeleted: Bool

  /// The key of clinicGroup, a ClinicGroup.
  public var clinicGroupID: Int

  /// The key of teachingLead, a Staff.
  public var teachingLeadID: Int?

  /// Reads a row.
  ///
  /// - Throws: `RowDecodingError` where a column holds no value, or one of another type.
  public init(row: Row) throws {
    dsid = try row.decode(forColumn: "dsid")
    name = try row.decode(forColumn: "name")
    iPadEnabled = try row.decode(forColumn: "iPadEnabled")
    acceptsPatients = try row.decode(forColumn: "acceptsPatients")
    acceptsSimulatedPatient = try row.decode(forColumn: "acceptsSimulatedPatient")
    requiresStudentSignout = try row.decode(forColumn: "requiresStudentSignout")
    code = try row.decode(forColumn: "code")
    order = try row.decode(forColumn: "order")
    forms = try row.decode(forColumn: "forms")
    doubleMarkingMargin = try row.decode(forColumn: "doubleMarkingMargin")
    dsDeleted = try row.decode(forColumn: "dsDeleted")
    clinicGroupID = try row.decode(forColumn: "clinicGroupID")
    teachingLeadID = try row.decode(forColumn: "teachingLeadID")
  }
}

/// Which way rows of an entity travel, seen from a terminal.
public enum SyncDirection: String, Sendable, CaseIterable {
  /// From the terminal to the hub.
  case up
  /// From the hub to the terminal.
  case down
  /// Both ways.
  case both
  /// Not at all.
  case local
}

/// How rows of an entity are told apart.
public enum KeyKind: String, Sendable, CaseIterable {
  /// A whole number in the range of Int32, assigned by the person who plans the exam.
  case dsid
  /// A UUID in text form, made where the row is made.
  case uuid
  /// A name that is itself the key.
  case name
  /// A number that SQLite assigns.
  case automatic
}

/// The part of the model that an entity belongs to.
public enum Category: String, Sendable, CaseIterable {
  /// Circuits, stations, sessions, templates and sheets.
  case assessment = "Assessment"
  /// Staff, candidates and their groups.
  case users = "Users"
  /// Comments at every level.
  case comments = "Comments"
  /// What an exam is set up with.
  case configuration = "Configuration"
  /// Sign-ins, help calls and the state of the exchange.
  case syncState = "Sync and state"
  /// Runs of the rotation clock; added here.
  case clock = "Clock"
  /// Terminals and the journal; added here.
  case journal = "Journal"
}

/// One entity: a kind of row, with all that is known about it.
public struct Entity: Sendable, Equatable {
  /// The entity's name, spelled as in bundles and in the journal.
  public let name: String
  /// The entity it inherits from, whose attributes and relationships it shares.
  public internal(set) var parent: String?
  /// The part of the model it belongs to.
  public let category: Category
  /// The attribute that is its primary key in bundles and in the reference.
  public let primaryKey: String
  /// How its rows are told apart.
  public let key: KeyKind
  /// The attribute that keys rows made at a terminal, where that is not `primaryKey`.
  public internal(set) var localKey: String?
  /// Which way its rows travel.
  public let sync: SyncDirection
  /// Whether deletion sets `dsDeleted` instead of removing the row.
  public let softDelete: Bool
  /// The table that holds its rows; a family shares one.
  public let table: String
  /// Whether this product added it to the reference's model.
  public let isExtension: Bool
  /// What it is for, in one line.
  public let purpose: String
  /// Its own attributes, without inherited ones.
  public let attributes: [Attribute]
  /// Its own relationships, without inherited ones.
  public let relationships: [Relationship]
  /// Why no file brings its rows, as a part of a sentence; nil: files may.
  public internal(set) var barredFromFiles: String?
  /// Whether nobody rules on a field of which two values stand: the later one counts.
  public internal(set) var isSettledByTime = false
  /// Whether its rows record what a store holds of the plan, and each store makes its own.
  public internal(set) var isRecordOfPlan = false
  /// Whether its rows follow from a field of others and are in no operation.
  public internal(set) var isDerived = false
  /// Whether a terminal may meet one first: the row has a key below 0 then, and is known nowhere else.
  public internal(set) var isMetAtTerminals = false
  /// Why it is there, or how it differs from the reference.
  public internal(set) var note: String?

  /// The attribute whose column is the table's primary key.
  public var storageKey: String { localKey ?? primaryKey }
}

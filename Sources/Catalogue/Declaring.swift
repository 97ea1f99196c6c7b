// The small language in which the entities are declared. A declaration starts from the plainest case (optional,
// stored under its own name, not indexed, of the reference) and says only what differs.

extension Attribute {
  private init(_ name: String, _ type: AttributeType) {
    self.init(
      name: name, column: name, type: type, isOptional: true, isIndexed: false, isExtension: false,
      defaultValue: nil, isTransient: false, note: nil, bounds: .usual(of: type), personal: nil, impersonal: nil)
  }

  // Without bounds of its own an attribute has those of its type: see `Bounds.usual`.
  static func integer16(_ name: String, _ range: ClosedRange<Int64>? = nil) -> Attribute {
    Attribute(name, .integer16).within(range.map { .whole($0) })
  }
  static func integer32(_ name: String, _ range: ClosedRange<Int64>? = nil) -> Attribute {
    Attribute(name, .integer32).within(range.map { .whole($0) })
  }
  static func integer64(_ name: String, _ range: ClosedRange<Int64>? = nil) -> Attribute {
    Attribute(name, .integer64).within(range.map { .whole($0) })
  }
  static func double(_ name: String, _ range: ClosedRange<Double>? = nil) -> Attribute {
    Attribute(name, .double).within(range.map { .number($0) })
  }
  static func string(_ name: String, _ form: TextForm = .free) -> Attribute {
    Attribute(name, .string).within(.text(form, longest: Bounds.longestText))
  }
  static func date(_ name: String) -> Attribute { Attribute(name, .date).indexed }
  /// - Parameter longest: the most bytes that it has.
  static func json(_ name: String, _ shape: JSONShape, longest: Int = Bounds.longestDocument) -> Attribute {
    Attribute(name, .json).within(.json(shape, longest: longest))
  }
  static func data(_ name: String) -> Attribute { Attribute(name, .data) }
  static func transformable(_ name: String) -> Attribute { Attribute(name, .transformable) }
  /// False where a row leaves it out.
  static func boolean(_ name: String) -> Attribute { Attribute(name, .boolean).defaulting(to: .boolean(false)) }

  static let dsid = Attribute("dsid", .integer32).required.indexed
  static let uuid = Attribute("uuid", .string).required.indexed.impersonal(.key)
  static let dsDeleted = boolean("dsDeleted").noted("Soft delete. Not indexed: nearly every row holds the same value.")
  static let dsDeletedOfLink = dsDeleted.added(
    "Soft delete. The reference counts it among the attributes common to all synchronised entities, but leaves it out "
      + "of this one's list.")
  /// 1 where a row leaves it out; rows of equal order stand in the order of their keys.
  static let order16 = integer16("order", 1...Int64(Int16.max)).defaulting(to: .integer(1))
  static let order32 = integer32("order", 1...Int64(Int32.max)).defaulting(to: .integer(1))

  // The three flags of the exchange, none of which is stored: a stored flag loses an edit made during an upload.
  static let syncChangedKeys = transformable("syncChangedKeys").derived(
    "Derived from the journal: the fields that operations without a hub number have set.")
  static let syncNew = boolean("syncNew").derived(
    "Derived from the journal: true while the row's create operation has no hub number.")
  static let syncError = boolean("syncError").derived(
    "Derived from the journal: true while an operation on the row stands rejected or in conflict.")

  var required: Attribute { with { $0.isOptional = false } }
  var indexed: Attribute { with { $0.isIndexed = true } }
  /// Changed by each mark and looked up by no query: an index would be written to at each mark.
  var changedByMarks: Attribute { with { $0.isIndexed = false } }
  private func within(_ bounds: Bounds?) -> Attribute { with { $0.bounds = bounds ?? $0.bounds } }
  var withoutDefault: Attribute { with { $0.defaultValue = nil } }
  func defaulting(to value: DefaultValue) -> Attribute { with { $0.defaultValue = value } }
  func noted(_ note: String) -> Attribute { with { $0.note = note } }
  /// A text that tells of a person, and of whom.
  func personal(_ subject: PersonalSubject) -> Attribute { with { $0.personal = subject } }
  /// A text that tells of the candidate at the end of these relationships; none: of the row itself.
  func ofCandidate(_ path: String...) -> Attribute { personal(.candidate(path: path)) }
  /// A text that tells of nobody, and why.
  func impersonal(_ reason: Impersonal) -> Attribute { with { $0.impersonal = reason } }
  /// Each value has a salt of its own: of two that differ nothing says whether they are of one secret.
  var salted: Attribute { with { $0.isSalted = true } }
  /// An attribute that the reference does not have, and why.
  func added(_ note: String) -> Attribute {
    with {
      $0.isExtension = true
      $0.note = note
    }
  }
  /// An attribute whose value follows from others, and how.
  func derived(_ note: String) -> Attribute {
    with {
      $0.column = nil
      $0.isIndexed = false
      $0.note = note
    }
  }
  func transient(_ note: String) -> Attribute {
    derived(note).with { $0.isTransient = true }
  }

  private func with(_ change: (inout Attribute) -> Void) -> Attribute {
    var copy = self
    change(&copy)
    return copy
  }
}

extension Relationship {
  /// A to-one relationship stored in the column `nameID`.
  static func one(_ name: String, _ destination: String, inverse: String) -> Relationship {
    Relationship(
      name: name, destination: destination, toMany: false, inverse: inverse, deleteRule: .nullify,
      column: name + "ID", isOptional: true, isOwner: false, isTransient: false, isExtension: false, sync: nil,
      note: nil)
  }

  /// The to-one end of a relationship whose column is at the other end.
  static func inverseOne(
    _ name: String, _ destination: String, inverse: String, _ rule: DeleteRule = .nullify
  ) -> Relationship {
    one(name, destination, inverse: inverse).with {
      $0.column = nil
      $0.deleteRule = rule
    }
  }

  static func many(
    _ name: String, _ destination: String, inverse: String, _ rule: DeleteRule = .nullify
  ) -> Relationship {
    Relationship(
      name: name, destination: destination, toMany: true, inverse: inverse, deleteRule: rule, column: nil,
      isOptional: true, isOwner: false, isTransient: false, isExtension: false, sync: nil, note: nil)
  }

  /// The inverse of a relationship for which the reference names none. Its rows keep naming what was deleted softly:
  /// who gave a mark and what it was given for are never erased.
  static func inverse(
    _ name: String, _ destination: String, of inverse: String, _ rule: DeleteRule = .noAction
  ) -> Relationship {
    many(name, destination, inverse: inverse, rule).added("Inverse of \(destination).\(inverse).")
  }

  /// The row belongs to this destination: required, and deleted with it.
  var owner: Relationship {
    with {
      $0.isOwner = true
      $0.isOptional = false
    }
  }
  /// The row belongs to this destination where it has one.
  var optionalOwner: Relationship { with { $0.isOwner = true } }
  /// Changed by each mark and looked up by no query: an index would be written to at each mark.
  var changedByMarks: Relationship { with { $0.isIndexed = false } }
  func column(_ name: String) -> Relationship { with { $0.column = name } }
  func syncing(_ direction: SyncDirection) -> Relationship { with { $0.sync = direction } }
  func noted(_ note: String) -> Relationship { with { $0.note = note } }
  /// A relationship that the reference does not have, and why.
  func added(_ note: String) -> Relationship {
    with {
      $0.isExtension = true
      $0.note = note
    }
  }
  /// A relationship that follows from others, and how.
  func derived(_ note: String) -> Relationship {
    with {
      $0.column = nil
      $0.deleteRule = .noAction
      $0.note = note
    }
  }
  func transient(_ note: String) -> Relationship { derived(note).with { $0.isTransient = true } }

  private func with(_ change: (inout Relationship) -> Void) -> Relationship {
    var copy = self
    change(&copy)
    return copy
  }
}

extension Entity {
  /// An entity whose primary key follows from the kind of key, and which is soft deleted where it has `dsDeleted`.
  init(
    _ name: String, _ category: Category, key: KeyKind, primaryKey: String? = nil, sync: SyncDirection,
    table: String, isExtension: Bool = false, purpose: String, note: String? = nil,
    attributes: [Attribute], relationships: [Relationship]
  ) {
    self.init(
      name: name, parent: nil, category: category, primaryKey: primaryKey ?? (key == .uuid ? "uuid" : "dsid"),
      key: key, localKey: nil, sync: sync, softDelete: attributes.contains { $0.name == "dsDeleted" }, table: table,
      isExtension: isExtension, purpose: purpose, attributes: attributes, relationships: relationships, note: note)
  }

  /// An entity that shares the table, key and attributes of its parent.
  init(
    _ name: String, inheriting parent: Entity, purpose: String, note: String? = nil,
    attributes: [Attribute], relationships: [Relationship]
  ) {
    self.init(
      name: name, parent: parent.name, category: parent.category, primaryKey: parent.primaryKey, key: parent.key,
      localKey: parent.localKey, sync: parent.sync, softDelete: parent.softDelete, table: parent.table,
      isExtension: parent.isExtension, purpose: purpose, attributes: attributes, relationships: relationships,
      note: note)
  }

  /// Rows made at a terminal are keyed by this attribute, because they have no primary key of the exam office yet.
  func keyedLocally(by attribute: String) -> Entity { with { $0.localKey = attribute } }

  /// Nobody rules on a field of which two values stand: the later one counts.
  var settledByTime: Entity { with { $0.isSettledByTime = true } }

  /// Its rows record what a store holds of the plan, and each store makes its own.
  var recordingPlan: Entity { with { $0.isRecordOfPlan = true } }

  /// Its rows follow from a field of others and are in no operation.
  var derived: Entity { with { $0.isDerived = true } }

  /// A terminal may meet one first, and makes its row under a key below 0.
  var metAtTerminals: Entity { with { $0.isMetAtTerminals = true } }

  /// No file brings its rows: they are made by people who prove who they are, or by the program itself.
  func barredFromFiles(_ reason: String) -> Entity { with { $0.barredFromFiles = reason } }

  private func with(_ change: (inout Entity) -> Void) -> Entity {
    var copy = self
    change(&copy)
    return copy
  }
}

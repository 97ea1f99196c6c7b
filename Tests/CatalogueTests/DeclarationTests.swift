import Testing

@testable import Catalogue

@Suite("The catalogue and itself")
struct DeclarationTests {
  let catalogue = Catalogue.standard

  @Test("the declaration has no problems")
  func problems() {
    #expect(catalogue.problems() == [])
  }

  @Test("required are the key, the name or text, and what a row belongs to; nothing else in the reference's entities")
  func required() {
    let texts = ["name", "text", "descriptor"]
    for entity in catalogue.entities where !entity.isExtension {
      for attribute in entity.attributes where !attribute.isExtension {
        let isKey = attribute.name == entity.storageKey
        #expect(attribute.isRequired == (isKey || texts.contains(attribute.name)), "\(entity.name).\(attribute.name)")
      }
      for relationship in entity.relationships where entity.name != "AttributesSelected" {
        #expect(relationship.isRequired == relationship.isOwner, "\(entity.name).\(relationship.name)")
      }
    }
  }

  @Test("every boolean has a default but those that may be unknown: who is present, what is sent once there is a hub")
  func booleans() {
    let withoutDefault = catalogue.entities.flatMap { entity in
      entity.attributes.filter { $0.type == .boolean && $0.defaultValue == nil }.map { "\(entity.name).\($0.name)" }
    }
    #expect(withoutDefault == ["TimetableAttendanceLog.present", "Operation.sends"])
    let trueByDefault = catalogue.entities.flatMap { entity in
      entity.attributes.filter { $0.defaultValue == .boolean(true) }.map { "\(entity.name).\($0.name)" }
    }
    #expect(trueByDefault.sorted() == ["ActivityType.iPadEnabled", "User.active"])
  }

  @Test("values of passcodes alone are salted, and the later time of a contact with the hub alone stands by itself")
  func values() {
    #expect(catalogue.entities.flatMap { $0.attributes.filter(\.isSalted).map(\.name) } == ["passcodeHash"])
    #expect(["User", "Staff", "Student"].allSatisfy { catalogue.isSalted("passcodeHash", of: $0) })
    #expect(!catalogue.isSalted("surname", of: "Staff") && !catalogue.isSalted("passcodeHash", of: "Nobody"))
    #expect(catalogue.entities.filter(\.isSettledByTime).map(\.name) == ["SyncInformation"])
  }

  @Test("versions of templates alone record the plan, and candidates alone are met at terminals") func making() {
    #expect(catalogue.entities.filter(\.isRecordOfPlan).map(\.name) == ["FormVersion"])
    #expect(catalogue.entities.filter(\.isMetAtTerminals).map(\.name) == ["Student"])
  }

  @Test("the tags chosen on items alone follow from others' rows") func following() {
    #expect(catalogue.entities.filter(\.isDerived).map(\.name) == ["AttributesSelected"])
  }

  @Test("every stored text tells of a person, and says of whom, or has a reason why it tells of nobody; never both")
  func personal() {
    for entity in catalogue.entities {
      for attribute in entity.attributes {
        let claims = (attribute.personal == nil ? 0 : 1) + (attribute.impersonal == nil ? 0 : 1)
        let isText = attribute.column != nil && attribute.type.storage == .text
        #expect(claims == (isText ? 1 : 0), "\(entity.name).\(attribute.name)")
      }
    }
  }

  @Test("what people write about a candidate leads to that candidate; what is written of all of them, to the exam")
  func subjects() throws {
    func subject(_ entity: String, _ attribute: String) throws -> String? {
      let declared = try #require(catalogue[entity])
      return try #require(catalogue.attribute(attribute, of: declared)).personal?.text
    }
    #expect(try subject("Student", "surname") == "self" && subject("Student", "studentNumber") == "self")
    #expect(try subject("DataQuestion", "feedback") == "dataSection.dataForm.attendanceLog.student")
    #expect(try subject("CommentMetaStationCandidate", "text") == "attendanceLog.student")
    #expect(try subject("ExamRuling", "reason") == "number:candidate")
    #expect(try subject("StationIncident", "text") == "exam")
    #expect(try subject("TypeQuestion", "text") == nil)
  }

  @Test("no flag of the exchange is stored")
  func flags() {
    for entity in catalogue.entities {
      for attribute in entity.attributes where attribute.name.hasPrefix("sync") {
        #expect(attribute.column == nil, "\(entity.name).\(attribute.name)")
      }
    }
  }

  @Test("a family shares one table, whose columns hold what all its entities store")
  func families() throws {
    let table = try #require(catalogue.table(named: "user"))
    #expect(table.entities == ["User", "Staff", "Student"])
    #expect(table.discriminator == "entity")
    #expect(catalogue.table(named: "timetable")?.discriminator == nil)
    for table in catalogue.tables {
      let names = Set(table.columns.map(\.name))
      for entity in table.entities.compactMap({ catalogue[$0] }) {
        let stored =
          catalogue.allAttributes(of: entity).compactMap(\.column)
          + catalogue.allRelationships(of: entity).compactMap(\.column)
        #expect(names.isSuperset(of: stored), "\(entity.name)")
      }
    }
  }

  @Test("keys, columns of relationships and instants have an index, but for what each mark changes")
  func indexes() {
    let changedByMarks: Set = ["markedAt", "descriptorID", "judgedByID", "enteredByID"]
    func isExempt(_ table: String, _ column: String?) -> Bool {
      table == "dataQuestion" && column.map(changedByMarks.contains) == true
    }
    for table in catalogue.tables {
      for column in table.columns where column.destination != nil {
        #expect(column.needsIndex != isExempt(table.name, column.name), "\(table.name).\(column.name)")
      }
      #expect(table.columns.first?.isKey == true && table.columns.first?.name == table.key)
    }
    for entity in catalogue.entities {
      #expect(catalogue.attribute(entity.primaryKey, of: entity)?.isIndexed == true, "\(entity.name)")
      for attribute in entity.attributes where attribute.type == .date && !isExempt(entity.table, attribute.column) {
        #expect(attribute.isIndexed, "\(entity.name).\(attribute.name)")
      }
    }
  }

  @Test("the column of a relationship has the type of the destination's key")
  func relationshipColumns() {
    let columns = catalogue.columns(ofTable: "dataQuestion")
    #expect(columns.first { $0.name == "dataSectionID" }?.storage == .text)
    #expect(columns.first { $0.name == "dataSectionID" }?.isNotNull == true)
    #expect(columns.first { $0.name == "typeID" }?.storage == .integer)
    #expect(columns.first { $0.name == "rating" }?.isNotNull == false)
    #expect(
      catalogue.columns(ofTable: "disciplineForClinicGroup").map(\.name) == [
        "dsid", "dsDeleted", "clinic_group_id", "discipline_id",
      ])
  }

  @Test("a help call is keyed by uuid, with an optional dsid")
  func helpCall() throws {
    let call = try #require(catalogue["AssistanceRequested"])
    #expect(call.primaryKey == "dsid")
    #expect(catalogue.table(named: "assistanceRequested")?.key == "uuid")
    #expect(catalogue.attribute("dsid", of: call)?.isOptional == true)
    #expect(catalogue.columns(ofTable: "assistanceRequested").first { $0.name == "dsid" }?.isNotNull == false)
  }

  @Test("only order, group and index are column names that SQL reserves")
  func reservedWords() {
    // Words that SQLite refuses as a bare identifier.
    let reserved: Set<String> = [
      "add", "all", "alter", "and", "as", "autoincrement", "between", "case", "check", "collate", "commit",
      "constraint", "create", "default", "deferrable", "delete", "distinct", "drop", "else", "escape", "except",
      "exists", "foreign", "from", "group", "having", "in", "index", "insert", "intersect", "into", "is", "isnull",
      "join", "limit", "not", "nothing", "notnull", "null", "on", "or", "order", "primary", "references", "returning",
      "select", "set", "table", "then", "to", "transaction", "union", "unique", "update", "using", "values", "when",
      "where",
    ]
    let names = Set(catalogue.tables.flatMap { [$0.name] + $0.columns.map(\.name) }.map { $0.lowercased() })
    #expect(names.intersection(reserved) == ["order", "group", "index"])
  }

  @Test("members are found through inheritance")
  func inheritance() throws {
    let student = try #require(catalogue["Student"])
    #expect(catalogue.allAttributes(of: student).map(\.name).contains("username"))
    #expect(catalogue.relationship("commentsReceived", of: student)?.destination == "Comment")
    #expect(catalogue.isKind("Student", of: "User") && !catalogue.isKind("Student", of: "Staff"))
    #expect(catalogue["Candidate"] == nil)
  }
}

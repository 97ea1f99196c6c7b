import Testing

@testable import Catalogue

@Suite("The catalogue and the reference")
struct ReferenceTests {
  let catalogue = Catalogue.standard

  @Test("the entities that are not extensions are the reference's 37")
  func names() {
    #expect(reference.count == 37)
    #expect(catalogue.entities.filter { !$0.isExtension }.map(\.name).sorted() == reference.map(\.name).sorted())
  }

  @Test("keys and directions are the reference's, but for help calls, which go both ways")
  func keysAndDirections() throws {
    for row in reference {
      let entity = try #require(catalogue[row.name])
      #expect(entity.primaryKey == row.primaryKey, "\(row.name)")
      #expect(entity.sync == (row.name == "AssistanceRequested" ? .both : row.sync), "\(row.name)")
    }
  }

  @Test("what the reference deletes softly is deleted softly, and nothing synchronised is without it")
  func softDelete() throws {
    for row in reference {
      let entity = try #require(catalogue[row.name])
      if row.listsDeletion || row.sync != .local { #expect(entity.softDelete, "\(row.name)") }
      let attribute = catalogue.attribute("dsDeleted", of: entity)
      #expect(attribute?.isExtension == (entity.softDelete ? !row.listsDeletion : nil), "\(row.name)")
    }
    #expect(catalogue["LastUpdate"]?.softDelete == false)
  }

  @Test("every attribute and relationship of the reference is declared, and every other one is an extension")
  func members() throws {
    #expect(Set(referenceMembers.keys) == Set(reference.map(\.name)))
    for (name, members) in referenceMembers {
      let entity = try #require(catalogue[name])
      let halves = members.split(separator: "|", omittingEmptySubsequences: false)
      #expect(
        Set(entity.attributes.filter { !$0.isExtension }.map(\.name))
          == Set(halves[0].split(separator: " ").map(String.init)), "\(name)")
      let relationships = entity.relationships.filter { !$0.isExtension }
        .map { "\($0.name):\($0.destination)\($0.toMany ? "[]" : "")" }
      #expect(Set(relationships) == Set(halves[1].split(separator: " ").map(String.init)), "\(name)")
    }
  }

  @Test("parents are the reference's")
  func parents() {
    let children = catalogue.entities.filter { $0.parent != nil }
    #expect(
      children.map { "\($0.name) \($0.parent ?? "")" }.sorted() == [
        "RatingQuestion DataQuestion", "Staff User", "Student User",
      ])
  }

  @Test(
    "the cascades that the reference names are declared",
    arguments: [
      ("ClinicGroup", "stations"), ("TimetableAttendanceLog", "dataForms"), ("DataForm", "dataSections"),
      ("DataSection", "dataQuestions"),
    ])
  func cascades(entity: String, relationship: String) throws {
    let owner = try #require(catalogue[entity])
    #expect(catalogue.relationship(relationship, of: owner)?.deleteRule == .cascade)
  }

  @Test("a cover goes up and a planned cover comes down")
  func directionsOfCovers() throws {
    let timetable = try #require(catalogue["Timetable"])
    #expect(catalogue.sync(ofField: "coverStaff", in: timetable) == .up)
    #expect(catalogue.sync(ofField: "scheduledCoverStaff", in: timetable) == .down)
    #expect(catalogue.sync(ofField: "staff", in: timetable) == .both)
  }
}

import Testing

@testable import Catalogue

@Suite("The schema document")
struct SchemaDocumentTests {
  private let small = Catalogue(entities: [
    Entity(
      "A", .assessment, key: .dsid, sync: .both, table: "a", purpose: "An a.",
      attributes: [.dsid, .string("name").required, .boolean("open").transient("Here only.")],
      relationships: [.one("b", "B", inverse: "as").owner]),
    Entity(
      "B", .assessment, key: .uuid, sync: .up, table: "b", isExtension: true, purpose: "A b.",
      attributes: [.uuid.added("Key."), .string("note").ofCandidate("candidate", "student").added("A note.")],
      relationships: [.many("as", "A", inverse: "b", .cascade).added("Inverse.")]),
  ])

  @Test("has the shape that scripts rely on")
  func json() {
    #expect(
      SchemaDocument.json(small) == """
        {
          "entities": [
            {
              "name": "A",
              "parent": null,
              "primaryKey": "dsid",
              "sync": "both",
              "softDelete": false,
              "table": "a",
              "extension": false,
              "attributes": [
                {"name": "dsid", "column": "dsid", "type": "integer32", "optional": false, "indexed": true, \
        "extension": false, "personal": null, "default": null, "bounds": null},
                {"name": "name", "column": "name", "type": "string", "optional": false, "indexed": false, \
        "extension": false, "personal": null, "default": null, "bounds": null},
                {"name": "open", "column": null, "type": "boolean", "optional": true, "indexed": false, \
        "extension": false, "personal": null, "default": false, "bounds": null}
              ],
              "relationships": [
                {"name": "b", "destination": "B", "toMany": false, "inverse": "as", "deleteRule": "nullify", \
        "column": "bID", "extension": false}
              ]
            },
            {
              "name": "B",
              "parent": null,
              "primaryKey": "uuid",
              "sync": "up",
              "softDelete": false,
              "table": "b",
              "extension": true,
              "attributes": [
                {"name": "uuid", "column": "uuid", "type": "string", "optional": false, "indexed": true, \
        "extension": true, "personal": null, "default": null, "bounds": null},
                {"name": "note", "column": "note", "type": "string", "optional": true, "indexed": false, \
        "extension": true, "personal": "candidate.student", "default": null, "bounds": null}
              ],
              "relationships": [
                {"name": "as", "destination": "A", "toMany": true, "inverse": "b", "deleteRule": "cascade", \
        "column": null, "extension": true}
              ]
            }
          ]
        }
        """)
  }

  @Test("escapes what JSON does not take as it stands")
  func escapes() {
    #expect(SchemaJSON.string("a\"b\\c\n\t\u{1}\u{1B}é…").rendered() == "\"a\\\"b\\\\c\\n\\t\\u0001\\u001bé…\"")
    #expect(SchemaJSON.string("\r\n").rendered() == "\"\\r\\n\"")
  }

  @Test("says what a value is where a row leaves it out, and what it is held to")
  func defaults() {
    let text = SchemaDocument.json(.standard)
    #expect(text.contains(#""personal": null, "default": 1, "bounds": "1 to 32767"}"#))
    #expect(text.contains(#""default": 0, "bounds": "0 to 59"}"#))
  }

  @Test("is a table in plain text, with what is added marked")
  func text() {
    #expect(
      SchemaDocument.text(small) == """
        A: An a.
          table a, key dsid, sync both
            dsid integer32 required indexed
            name string    required
            open boolean                              not stored
            b    -> B      required on delete nullify inverse as

        + B: A b.
          table b, key uuid, sync up
            + uuid string required indexed
            + note string                                      personal candidate.student
            + as   -> [A]          on delete cascade inverse b

        """)
  }

  @Test("lists every entity, attribute and relationship")
  func complete() {
    let text = SchemaDocument.text(.standard)
    let json = SchemaDocument.json(.standard)
    for entity in Catalogue.standard.entities {
      #expect(text.contains("\(entity.name)"))
      #expect(json.contains("\"name\": \"\(entity.name)\""))
    }
    let members = Catalogue.standard.entities.reduce(0) { $0 + 1 + $1.attributes.count + $1.relationships.count }
    #expect(json.split(separator: "\n").count { $0.contains("\"name\": ") } == members)
  }
}

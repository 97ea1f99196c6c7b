import Testing

@testable import Catalogue

@Suite("The self-check finds")
struct ProblemTests {
  private func entity(
    _ name: String, attributes: [Attribute] = [.dsid], relationships: [Relationship] = [], table: String? = nil
  ) -> Entity {
    Entity(
      name, .assessment, key: .dsid, sync: .down, table: table ?? name, purpose: "", attributes: attributes,
      relationships: relationships)
  }

  private func problems(_ entities: Entity...) -> [String] { Catalogue(entities: entities).problems() }

  @Test("nothing in a sound pair")
  func sound() {
    #expect(
      problems(
        entity("A", relationships: [.one("b", "B", inverse: "as").owner]),
        entity("B", relationships: [.many("as", "A", inverse: "b", .cascade)])) == [])
  }

  @Test("a destination that does not exist")
  func destination() {
    #expect(
      problems(entity("A", relationships: [.one("b", "B", inverse: "as")])) == ["A.b leads to B, which does not exist."]
    )
  }

  @Test("a missing inverse")
  func missingInverse() {
    #expect(
      problems(entity("A", relationships: [.one("b", "B", inverse: "as")]), entity("B")) == ["A.b has no inverse B.as."]
    )
  }

  @Test("an inverse that leads elsewhere")
  func wrongInverse() {
    let found = problems(
      entity("A", relationships: [.one("b", "B", inverse: "as"), .one("c", "B", inverse: "as")]),
      entity("B", relationships: [.many("as", "A", inverse: "b")]))
    #expect(found == ["A.c and its inverse B.as do not agree."])
  }

  @Test("a cascade without an owner")
  func cascade() {
    let found = problems(
      entity("A", relationships: [.one("b", "B", inverse: "as")]),
      entity("B", relationships: [.many("as", "A", inverse: "b", .cascade)]))
    #expect(found == ["A.b and B.as disagree on who belongs to whom."])
  }

  @Test("names and tables used twice")
  func duplicates() {
    #expect(problems(entity("A"), entity("A")).contains("Entity A is declared twice."))
    #expect(problems(entity("A", table: "t"), entity("B", table: "t")) == ["Table t belongs to two families."])
    #expect(problems(entity("A", attributes: [.dsid, .order16, .order16])).contains("A.order is declared twice."))
  }

  @Test("two members in one column")
  func columns() {
    let found = problems(
      entity("A", attributes: [.dsid, .integer32("bID")], relationships: [.one("b", "B", inverse: "as")]),
      entity("B", relationships: [.many("as", "A", inverse: "b")]))
    #expect(found == ["Table A has two columns bid."])
  }

  @Test("a default of another type, and one on a required attribute")
  func defaults() {
    #expect(
      problems(entity("A", attributes: [.dsid, .string("s").defaulting(to: .integer(1))]))
        == ["A.s has a default of another type."])
    #expect(
      problems(entity("A", attributes: [.dsid, .boolean("b").required])) == ["A.b is required and has a default."])
  }

  @Test("an extension without a reason")
  func reasons() {
    #expect(
      problems(entity("A", attributes: [.dsid, .string("s").added("")])) == ["A.s is an extension without a reason."])
  }

  @Test("a personal value whose way to its candidate leads nowhere, elsewhere, or through many")
  func subjects() {
    let other = entity("B", relationships: [.many("as", "A", inverse: "b")])
    func found(_ attribute: Attribute) -> [String] {
      problems(entity("A", attributes: [.dsid, attribute], relationships: [.one("b", "B", inverse: "as")]), other)
    }
    #expect(found(.string("s").ofCandidate("c")) == ["A.s: A has no c on the way to its subject."])
    #expect(found(.string("s").ofCandidate("b")) == ["A.s: its subject is a B, which is no candidate."])
    #expect(found(.string("s").ofCandidate("b", "as")) == ["A.s: B has no as on the way to its subject."])
    #expect(found(.string("s").personal(.numbered(by: "t"))) == ["A.s has its subject by t, which is no text of A."])
    #expect(found(.integer32("n").personal(.exam)) == ["A.n is personal but no stored text."])
    #expect(found(.string("s").personal(.exam).impersonal(.word)) == ["A.s is personal and has a reason why not."])
  }

  @Test("rows that belong to themselves")
  func cycle() {
    let found = problems(
      entity("A", relationships: [.one("b", "B", inverse: "as").owner, .many("bs", "B", inverse: "a", .cascade)]),
      entity("B", relationships: [.one("a", "A", inverse: "bs").owner, .many("as", "A", inverse: "b", .cascade)]))
    #expect(found == ["A belongs to itself through others.", "B belongs to itself through others."])
  }
}

/// Whose person a personal value tells of: the key that seals it belongs to this subject.
public enum PersonalSubject: Sendable, Equatable {
  /// The candidate at the end of these relationships; none: the row itself. Where the row there is no candidate, or
  /// there is none, the subject is the exam.
  case candidate(path: [String])
  /// The candidate whose number this attribute of the row holds; without a number, the exam.
  case numbered(by: String)
  /// No candidate: the exam as a whole.
  case exam

  /// The subject in one word for programs: `exam`, `self`, the path with dots, or `number:` and an attribute.
  public var text: String {
    switch self {
    case .exam: "exam"
    case .candidate(let path): path.isEmpty ? "self" : path.joined(separator: ".")
    case .numbered(let attribute): "number:\(attribute)"
    }
  }
}

/// Why a text tells of no person, so that its values are not sealed.
public enum Impersonal: String, Sendable, CaseIterable {
  /// It tells rows apart.
  case key = "a key"
  /// It is a day or a time.
  case time = "a time"
  /// It is one of the program's own words.
  case word = "a word of the program"
  /// The exam office wrote it before the exam, for all candidates alike.
  case plan = "material of the exam"
  /// It names a machine, a process or a program.
  case machine = "a name of a machine"
  /// It is a digest, from which no text can be read.
  case digest = "a digest"
  /// The journal's own record, which is no field of a body.
  case journal = "the journal's own"
}

extension Catalogue {
  /// What is wrong with the subject that an attribute names, one sentence each.
  func subjectProblems(of attribute: Attribute, in entity: Entity) -> [String] {
    let name = "\(entity.name).\(attribute.name)"
    guard let subject = attribute.personal else { return [] }
    var found: [String] = []
    if attribute.impersonal != nil { found.append("\(name) is personal and has a reason why not.") }
    if attribute.type != .string || attribute.column == nil { found.append("\(name) is personal but no stored text.") }
    switch subject {
    case .exam: break
    case .numbered(let number):
      if self.attribute(number, of: entity)?.type != .string {
        found.append("\(name) has its subject by \(number), which is no text of \(entity.name).")
      }
    case .candidate(let path):
      var place = entity
      for step in path {
        guard let relationship = relationship(step, of: place), !relationship.toMany,
          let next = self[relationship.destination]
        else { return found + ["\(name): \(place.name) has no \(step) on the way to its subject."] }
        place = next
      }
      if !isKind("Student", of: place.name) && !isKind(place.name, of: "Student") {
        found.append("\(name): its subject is a \(place.name), which is no candidate.")
      }
    }
    return found
  }
}

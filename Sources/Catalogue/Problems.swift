extension Catalogue {
  /// What is wrong with the declaration, one sentence each; empty when it holds together.
  public func problems() -> [String] {
    duplicateNames() + entities.flatMap(problems(of:)) + tables.flatMap(problems(of:)) + ownerCycles()
  }

  private func duplicateNames() -> [String] {
    repeated(entities.map(\.name)).map { "Entity \($0) is declared twice." }
      + repeated(tables.map(\.name)).map { "Table \($0) belongs to two families." }
  }

  private func problems(of entity: Entity) -> [String] {
    var found = repeated(allAttributes(of: entity).map(\.name) + allRelationships(of: entity).map(\.name))
      .map { "\(entity.name).\($0) is declared twice." }
    if let name = entity.parent {
      if let parent = self[name] {
        if parent.parent != nil { found.append("\(entity.name) inherits from \(name), which inherits itself.") }
        if parent.table != entity.table || parent.primaryKey != entity.primaryKey || parent.sync != entity.sync {
          found.append("\(entity.name) differs from its parent \(name) in table, key or direction.")
        }
      } else {
        found.append("\(entity.name) inherits from \(name), which does not exist.")
      }
    }
    if attribute(entity.primaryKey, of: entity) == nil {
      found.append("\(entity.name) has no attribute \(entity.primaryKey), its primary key.")
    }
    if attribute(entity.storageKey, of: entity)?.column == nil {
      found.append("\(entity.name).\(entity.storageKey) is a key without a column.")
    }
    if entity.softDelete != (attribute("dsDeleted", of: entity) != nil) {
      found.append("\(entity.name) says softDelete \(entity.softDelete), which its dsDeleted contradicts.")
    }
    return found + entity.attributes.flatMap { problems(of: $0, in: entity) }
      + entity.relationships.flatMap { problems(of: $0, in: entity) }
  }

  private func problems(of attribute: Attribute, in entity: Entity) -> [String] {
    let name = "\(entity.name).\(attribute.name)"
    var found: [String] = []
    if attribute.isTransient && attribute.column != nil { found.append("\(name) is transient and has a column.") }
    if attribute.column == nil && attribute.isIndexed { found.append("\(name) is indexed without a column.") }
    if attribute.isRequired && attribute.defaultValue != nil { found.append("\(name) is required and has a default.") }
    if let value = attribute.defaultValue, !value.fits(attribute.type) {
      found.append("\(name) has a default of another type.")
    }
    if let fault = attribute.defaultValue.flatMap({ $0.fault(in: attribute.bounds) }) {
      found.append("\(name): the default \(fault).")
    }
    if !attribute.bounds.fit(attribute.type) { found.append("\(name) has bounds of another type.") }
    if entity.isExtension && !attribute.isExtension { found.append("\(name) of an extension is not marked as one.") }
    if attribute.isExtension && (attribute.note ?? "").isEmpty {
      found.append("\(name) is an extension without a reason.")
    }
    return found + subjectProblems(of: attribute, in: entity)
  }

  private func problems(of relationship: Relationship, in entity: Entity) -> [String] {
    let name = "\(entity.name).\(relationship.name)"
    guard let destination = self[relationship.destination] else {
      return ["\(name) leads to \(relationship.destination), which does not exist."]
    }
    guard let inverse = self.relationship(relationship.inverse, of: destination) else {
      return ["\(name) has no inverse \(relationship.destination).\(relationship.inverse)."]
    }
    var found: [String] = []
    if inverse.inverse != relationship.name || inverse.destination != entity.name {
      found.append("\(name) and its inverse \(destination.name).\(inverse.name) do not agree.")
    }
    if relationship.column != nil && inverse.column != nil { found.append("\(name) is stored at both ends.") }
    if relationship.toMany && relationship.column != nil { found.append("\(name) is to-many and has a column.") }
    if relationship.isTransient != inverse.isTransient { found.append("\(name) is transient at one end only.") }
    if relationship.isOwner != (inverse.deleteRule == .cascade) {
      found.append("\(name) and \(destination.name).\(inverse.name) disagree on who belongs to whom.")
    }
    if relationship.isRequired && relationship.column == nil { found.append("\(name) is required but not stored.") }
    if entity.isExtension && !relationship.isExtension { found.append("\(name) of an extension is not marked as one.") }
    if relationship.isExtension && (relationship.note ?? "").isEmpty {
      found.append("\(name) is an extension without a reason.")
    }
    return found
  }

  private func problems(of table: StoredTable) -> [String] {
    repeated(table.columns.map { $0.name.lowercased() }).map { "Table \(table.name) has two columns \($0)." }
      + (table.columns.filter(\.isKey).count == 1 ? [] : ["Table \(table.name) has not exactly one key."])
  }

  private func ownerCycles() -> [String] {
    entities.compactMap { start in
      var seen: Set<String> = []
      var open = owners(of: start).map(\.destination)
      while let name = open.popLast() {
        if name == start.name { return "\(start.name) belongs to itself through others." }
        if seen.insert(name).inserted, let entity = self[name] { open += owners(of: entity).map(\.destination) }
      }
      return nil
    }
  }

  private func repeated(_ names: [String]) -> [String] {
    var seen: Set<String> = []
    return names.filter { !seen.insert($0).inserted }
  }
}

extension DefaultValue {
  fileprivate func fault(in bounds: Bounds) -> String? {
    switch self {
    case .integer(let number): bounds.fault(whole: number)
    case .double(let number): bounds.fault(number: number)
    case .string(let text): bounds.fault(text: text)
    case .boolean: nil
    }
  }

  fileprivate func fits(_ type: AttributeType) -> Bool {
    switch (self, type) {
    case (.integer, .integer16), (.integer, .integer32), (.integer, .integer64), (.double, .double),
      (.string, .string), (.boolean, .boolean):
      true
    default: false
    }
  }
}

extension Bounds {
  fileprivate func fit(_ type: AttributeType) -> Bool {
    switch (self, type) {
    case (.whole(let range), .integer16), (.whole(let range), .integer32), (.whole(let range), .integer64),
      (.whole(let range), .date):
      if case .whole(let usual) = Bounds.usual(of: type) {
        usual.contains(range.lowerBound) && usual.contains(range.upperBound)
      } else {
        false
      }
    case (.number, .double), (.text, .string), (.text, .transformable), (.json, .json), (.anything, .boolean),
      (.anything, .data):
      true
    default: false
    }
  }
}

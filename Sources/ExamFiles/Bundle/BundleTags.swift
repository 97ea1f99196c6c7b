import Catalogue

extension Bundle {
  /// The bundle with the tags of its rows of `AttributesSelected` on the items that they name, where an item says none
  /// itself: an item's own field is what is shown, exported and sent.
  func withTagsOnItems() -> Bundle {
    var chosen: [String: [String]] = [:]
    for row in rows where row.entity == "AttributesSelected" && row.values["dsDeleted"] != .bool(true) {
      guard let item = row.values["question"]?.key, case .text(let tag)? = row.values["tag"] else { continue }
      if chosen[item]?.contains(tag) != true { chosen[item, default: []].append(tag) }
    }
    if chosen.isEmpty { return self }
    var bundle = self
    for (index, row) in rows.enumerated() where Catalogue.standard.isKind(row.entity, of: "DataQuestion") {
      guard row.values["tags"] == nil, let item = row.key?.id, let tags = chosen[item] else { continue }
      bundle.rows[index].values["tags"] = .text(JSONText.list(tags.map(JSONText.quoted)))
    }
    return bundle
  }
}

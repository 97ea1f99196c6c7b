import Catalogue

/// The small exam with one thing in it changed: one attribute or relationship of one entity at one extreme.
package struct BundleVariant: Sendable {
  /// `Timetable.date: a text of 70000 bytes`.
  package let name: String
  private let text: @Sendable () -> String
  /// The bundle, written when it is asked for: of thousands a test reads some.
  package var bundle: String { text() }
  /// The one value that is changed, where that hides no other row from a reader; nil: it may.
  package var setting: Setting?

  /// A value of the row of an entity; nil: left out.
  package struct Setting: Sendable {
    let entity: String
    let field: String
    let json: String?
  }

  init(name: String, bundle: @escaping @autoclosure @Sendable () -> String, setting: Setting? = nil) {
    (self.name, self.text, self.setting) = (name, bundle, setting)
  }
}

extension SmallExam {
  /// The exam with several values changed, each of another field.
  package func bundle(of settings: [BundleVariant.Setting]) -> String {
    var rows: [String: Row] = [:]
    for setting in settings {
      guard let row = rows[setting.entity] ?? row(of: setting.entity) else { continue }
      rows[setting.entity] = row.setting(setting.field, to: setting.json)
    }
    return bundle(Array(rows.values))
  }

  /// Variants that can be tried at once: of each field the first, of each the second, and so on.
  package static func rounds(_ variants: [BundleVariant]) -> [[BundleVariant]] {
    var rounds: [[BundleVariant]] = []
    var seen: [String: Int] = [:]
    for variant in variants {
      guard let setting = variant.setting else { continue }
      let round = seen["\(setting.entity).\(setting.field)", default: 0]
      if round == rounds.count { rounds.append([]) }
      rounds[round].append(variant)
      seen["\(setting.entity).\(setting.field)"] = round + 1
    }
    return rounds
  }
}

extension SmallExam {
  /// Every attribute and relationship of every entity at every extreme, and what can be done to a row as a whole.
  package func variants() -> [BundleVariant] {
    let catalogue = Catalogue.standard
    var variants: [BundleVariant] = []
    for entity in catalogue.entities {
      guard let row = row(of: entity.name) else { continue }
      func add(_ field: String, _ what: String, _ json: String?, hides: Bool = true) {
        variants.append(
          BundleVariant(
            name: "\(entity.name).\(field): \(what)", bundle: bundle([row.setting(field, to: json)]),
            setting: hides ? nil : BundleVariant.Setting(entity: entity.name, field: field, json: json)))
      }
      for attribute in catalogue.allAttributes(of: entity) {
        let hides = [entity.primaryKey, entity.storageKey, "dsDeleted", "cancelled", "practice"].contains(
          attribute.name)
        add(attribute.name, "left out", nil, hides: hides)
        for extreme in Extremes.of(attribute) { add(attribute.name, extreme.name, extreme.json, hides: hides) }
      }
      for relationship in catalogue.allRelationships(of: entity) {
        add(relationship.name, "left out", nil)
        for extreme in Extremes.ofAnything { add(relationship.name, extreme.name, extreme.json) }
        for (what, json) in destinations(relationship, catalogue) { add(relationship.name, what, json) }
        if let owner = self.row(of: relationship.destination), !relationship.toMany,
          catalogue.attribute("dsDeleted", of: catalogue[relationship.destination]!) != nil
        {
          variants.append(
            BundleVariant(
              name: "\(entity.name).\(relationship.name): a row that is deleted",
              bundle: bundle([owner.setting("dsDeleted", to: "true")])))
        }
      }
      variants.append(BundleVariant(name: "\(entity.name): no row", bundle: without(entity.name)))
      variants.append(BundleVariant(name: "\(entity.name): the same row twice", bundle: bundle(besides: [row])))
      if let other = Extremes.otherKey(entity) {
        variants.append(
          BundleVariant(
            name: "\(entity.name): a second row", bundle: bundle(besides: [row.setting(entity.primaryKey, to: other)])))
      }
    }
    return variants
  }

  private func destinations(_ relationship: Relationship, _ catalogue: Catalogue) -> [(String, String)] {
    var found = [
      ("a key that no row has", "777777"), ("a key that no row has", quoted("no-such-row")),
      ("a key beyond 32 bits", "2147483648"), ("a key beyond 64 bits", "9223372036854775808"),
    ]
    if relationship.destination == "Staff" || relationship.destination == "Student" {
      for kind in ["User", "Staff", "Student"] { key(of: kind).map { found.append(("a \(kind)", $0)) } }
    }
    return found
  }

  private func without(_ entity: String) -> String {
    var exam = self
    exam.removeRows(of: entity)
    return exam.bundle()
  }
}

/// What a field can hold at worst.
enum Extremes {
  struct Extreme {
    let name: String
    let json: String

    init(_ name: String, _ json: String) { (self.name, self.json) = (name, json) }
    init(_ json: String) { (name, self.json) = (json.count > 60 ? json.prefix(60) + "…" : json, json) }
  }

  /// One of each kind, and what no kind allows.
  static let ofAnything: [Extreme] =
    ["null", "\"\"", "\"abc\"", "true", "false", "0", "-1", "0.5", "[]", "{}", "[\"abc\"]", "1e300", "1e999"].map {
      Extreme($0)
    }

  private static let deep = String(repeating: "[", count: 60) + String(repeating: "]", count: 60)

  static func of(_ attribute: Attribute) -> [Extreme] {
    var found = ofAnything
    switch attribute.type {
    case .integer16, .integer32, .integer64, .date:
      found += [
        "1", "-32768", "-32769", "32767", "32768", "-2147483648", "-2147483649", "2147483647", "2147483648",
        "-9223372036854775808", "9223372036854775807", "9223372036854775808", "-62135596800000", "253402300800000",
        "8640000000000000", "\"9999-12-31T23:59:59.999Z\"", "\"1900-01-01T00:00:00.000Z\"", "\"0001-01-01T00:00:00Z\"",
      ].map { Extreme($0) }
    case .double:
      found += [
        "1000000000", "-1000000000", "1000000001", "4000000000", "4000000001", "9223372036854775807", "0.000001",
        "0.0000001", "-0.0", "1e-300", "100",
      ].map { Extreme($0) }
    case .string, .transformable, .data:
      found += texts
    case .json:
      found += ["[", "null", "[1,2]", "{\"a\":1}", "\"liftupp\""].map { Extreme("the text " + $0, quoted($0)) }
      found += texts + [Extreme("lists 60 deep", deep)]
    case .boolean: break
    }
    found += of(attribute.bounds)
    return found
  }

  private static let texts: [Extreme] =
    [
      "2026-12-07", "9999-12-31", "2026-02-30", "09:00", "24:00", "99:99", "1", "null", "[", "{\"a\":[]}",
      "\u{1B}[2J\u{7}",
    ]
    .map { Extreme(quoted($0)) } + [
      Extreme("a zero character", "\"a\\u0000b\""),
      Extreme("65536 bytes", quoted(String(repeating: "x", count: 65_536))),
      Extreme("65537 bytes", quoted(String(repeating: "x", count: 65_537))),
      Extreme("combining marks", quoted("e" + String(repeating: "\u{301}", count: 300))),
    ]

  /// At the ends of what is allowed, and one beyond.
  private static func of(_ bounds: Bounds) -> [Extreme] {
    switch bounds {
    case .anything: return []
    case .whole(let range): return wholes(range)
    case .number(let range):
      return [range.lowerBound, range.lowerBound - 1, range.upperBound, range.upperBound + 1].map { Extreme("\($0)") }
    case .text(.word(let words), _): return words.map { Extreme(quoted($0)) }
    case .text: return []
    case .json(let shape, _): return documents(shape)
    }
  }

  private static func wholes(_ range: ClosedRange<Int64>) -> [Extreme] {
    var found = [range.lowerBound, range.upperBound]
    if range.lowerBound > .min { found.append(range.lowerBound - 1) }
    if range.upperBound < .max { found.append(range.upperBound + 1) }
    return found.map { Extreme(String($0)) }
  }

  /// A document of the shape, and the same with each of its parts at an extreme.
  private static func documents(_ shape: JSONShape) -> [Extreme] {
    let kinds = ["null", "\"abc\"", "true", "-1", "0.5", "[]", "{}", "[null]", "{\"a\":null}", "9223372036854775807"]
    switch shape {
    case .any: return []
    case .flag, .text: return kinds.map { Extreme($0) }
    case .whole(let range): return kinds.map { Extreme($0) } + wholes(range)
    case .number(let range):
      let ends = [range.lowerBound, range.upperBound, range.lowerBound - 1, range.upperBound + 1]
      return kinds.map { Extreme($0) } + ends.map { Extreme("\($0)") }
    case .word(let words): return (kinds + words.map(quoted)).map { Extreme($0) }
    case .list(let part):
      return [Extreme("[]"), Extreme(shape.sample)] + documents(part).map { Extreme("[\($0.json)]") }
    case .map(let part):
      return [Extreme("{}"), Extreme(shape.sample)] + documents(part).map { Extreme("{\"\":\($0.json)}") }
    case .either(let shapes): return shapes.flatMap(documents)
    case .object(let members):
      return [Extreme("{}"), Extreme(shape.sample)]
        + members.flatMap { member -> [Extreme] in
          let others = members.filter { $0.name != member.name }.map { quoted($0.name) + ":" + $0.shape.sample }
          let without = Extreme("without \(member.name)", "{" + others.joined(separator: ",") + "}")
          return [without]
            + documents(member.shape).map {
              Extreme(
                "\(member.name) \($0.name)",
                "{" + (others + [quoted(member.name) + ":" + $0.json]).joined(separator: ",") + "}")
            }
        }
    }
  }

  static func otherKey(_ entity: Entity) -> String? {
    switch entity.key {
    case .dsid: "888888"
    case .uuid: quoted("00000000-0000-4000-8000-0000000000bb")
    case .name: quoted("other")
    case .automatic: nil
    }
  }
}

import Characters

/// What a JSON document must look like for its readers to make sense of it.
public indirect enum JSONShape: Sendable, Equatable {
  /// Any document.
  case any
  /// `true` or `false`.
  case flag
  /// A whole number.
  case whole(ClosedRange<Int64>)
  /// A number, whole or not.
  case number(ClosedRange<Double>)
  /// A text.
  case text
  /// One of these texts.
  case word([String])
  /// A list of any length.
  case list(JSONShape)
  /// An object whose keys are free.
  case map(JSONShape)
  /// An object; members that are not named are free.
  case object([JSONMember])
  /// One of these, the usual one first.
  case either([JSONShape])
}

/// A named member of a JSON object.
public struct JSONMember: Sendable, Equatable {
  /// Its key.
  public let name: String
  /// Its value.
  public let shape: JSONShape
  /// Whether it may be left out, or be null.
  public let isOptional: Bool

  /// A member that must be there.
  static func required(_ name: String, _ shape: JSONShape) -> JSONMember {
    JSONMember(name: name, shape: shape, isOptional: false)
  }

  /// A member that may be left out, or be null.
  static func optional(_ name: String, _ shape: JSONShape) -> JSONMember {
    JSONMember(name: name, shape: shape, isOptional: true)
  }
}

extension JSONShape {
  /// A key of an entity, or a number that counts.
  static let key = JSONShape.whole(Int64(Int32.min)...Int64(Int32.max))

  /// Says what is wrong with a document, as in `must be a list, not a text`; nil: nothing is.
  package func fault(_ tree: JSONTree) -> String? {
    switch (self, tree.content) {
    case (.any, _), (.flag, .bool), (.text, .text): return nil
    case (.whole(let range), .integer(let number)):
      return range.contains(number)
        ? nil : "is \(number); it must be \(Int(range.lowerBound)) to \(Int(range.upperBound))"
    case (.number(let range), .integer(let number)): return JSONShape.fault(Double(number), range)
    case (.number(let range), .double(let number)): return JSONShape.fault(number, range)
    case (.word(let words), .text(let text)) where words.contains(text): return nil
    case (.list(let shape), .list(let items)):
      for (index, item) in items.enumerated() {
        if let fault = shape.fault(item) { return "entry \(index + 1) \(fault)" }
      }
      return nil
    case (.map(let shape), .object(let entries)):
      for entry in entries {
        if let fault = shape.fault(entry.value) { return JSONShape.member(entry.key, fault) }
      }
      return nil
    case (.object(let members), .object(let entries)): return JSONShape.fault(entries, members)
    case (.either(let shapes), _):
      let faults = shapes.map { $0.fault(tree) }
      return faults.contains { $0 == nil } ? nil : faults.first ?? nil
    default: return "must be \(text), not \(tree.kind)"
    }
  }

  private static func fault(_ number: Double, _ range: ClosedRange<Double>) -> String? {
    range.contains(number) ? nil : "is \(number); it must be \(range.lowerBound) to \(range.upperBound)"
  }

  private static func fault(_ entries: [JSONTree.Entry], _ members: [JSONMember]) -> String? {
    for member in members {
      guard let entry = entries.first(where: { $0.key == member.name }) else {
        if member.isOptional { continue }
        return "has no '\(member.name)'"
      }
      if member.isOptional, case .null = entry.value.content { continue }
      if let fault = member.shape.fault(entry.value) { return JSONShape.member(member.name, fault) }
    }
    return nil
  }

  private static func member(_ name: String, _ fault: String) -> String {
    "'\(VisibleText.of(name, limit: 40))' \(fault)"
  }

  /// The least document of this shape, as canonical text.
  public var sample: String {
    switch self {
    case .any, .map: "{}"
    case .flag: "true"
    case .whole(let range): String(min(max(1, range.lowerBound), range.upperBound))
    case .number(let range): String(Int(min(max(1, range.lowerBound), range.upperBound)))
    case .text: "\"text\""
    case .word(let words): "\"\(words.first ?? "")\""
    case .list: "[]"
    case .object(let members):
      "{"
        + members.filter { !$0.isOptional }.sorted { $0.name < $1.name }
        .map { "\"\($0.name)\":\($0.shape.sample)" }.joined(separator: ",") + "}"
    case .either(let shapes): shapes.first?.sample ?? "null"
    }
  }

  /// The shape in words.
  var text: String {
    switch self {
    case .any: "JSON"
    case .flag: "true or false"
    case .whole(let range) where self == .key || range == Bounds.exactWhole: "a whole number"
    case .whole(let range): "\(range.lowerBound) to \(range.upperBound)"
    case .number(Bounds.numbers): "a number"
    case .number(let range): "\(Int(range.lowerBound)) to \(Int(range.upperBound))"
    case .text: "a text"
    case .word(let words): words.map { "“\($0)”" }.joined(separator: " or ")
    case .list(let shape): "a list of \(shape.text)"
    case .map(let shape): "an object of \(shape.text)"
    case .object(let members):
      "{" + members.map { $0.name + ($0.isOptional ? "?" : "") }.joined(separator: ", ") + "}"
    case .either(let shapes): shapes.map(\.text).joined(separator: ", or ")
    }
  }
}

// MARK: The documents of the catalogue

extension JSONShape {
  /// `tags`.
  package static let texts = JSONShape.list(.text)

  /// `TypeForm.props`. It is a text to the reference, so only files are held to this.
  package static let formProperties: JSONShape = {
    let item = JSONShape.either([.text, key])
    return .object([
      .optional("globalRating", item), .optional("criticalItems", .list(item)),
      .optional("borderlineGrade", .number(Bounds.numbers)),
      .optional("stationWeight", .number(0...Bounds.numbers.upperBound)), .optional("pilot", .flag),
    ])
  }()

  /// `ClinicGroup.warnings`.
  static let warnings = JSONShape.either([
    .list(
      .object([
        .optional("type", .text), .required("seconds", .whole(0...86_400)), .optional("level", .text),
        .optional("text", .text),
      ])),
    .word(["liftupp"]),
  ])

  /// `Config.settings`.
  static let settings = JSONShape.object([
    .optional("showNames", .flag), .optional("identityDigits", .whole(0...9)),
    .optional("idleLockMinutes", .whole(0...10_080)),
    .optional("backup", .object([.required("path", .text), .optional("minutes", .whole(0...10_080))])),
    .optional("roles", .map(.text)), .optional("phrases", .either([.map(texts), texts])),
    .optional("results", results),
  ])

  /// `results` of `Config.settings`: how marks become results.
  static let results: JSONShape = {
    let grade = JSONShape.number(-1000...1000)
    return .object([
      .optional(
        "method",
        .word(["borderlineRegression", "borderlineGroup", "borderlineGroupMedian", "contrastingGroups", "fixed"])),
      .optional("borderline", grade), .optional("borderlineBand", .number(0...1000)),
      .optional("sheets", .word(["signed", "held"])), .optional("blanks", .word(["zero", "leftOut", "incomplete"])),
      .optional("doubleMarks", .word(["mean", "first", "adjudicated"])),
      .optional("missing", .word(["incomplete", "prorate", "zero"])), .optional("sem", .word(["alpha", "rmse"])),
      .optional("k", .number(0...5)), .optional("minimumStations", .text),
      .optional(
        "critical",
        .object([
          .optional("effect", .word(["exam", "station", "note"])), .optional("allowed", .whole(0...100)),
        ])),
      .optional(
        "rounding",
        .object([
          .optional("mode", .word(["none", "nearest", "up", "down"])), .optional("decimals", .whole(0...6)),
        ])),
      .optional(
        "flags",
        .object([
          .optional("r2", .number(0...1)), .optional("between", .number(0...100)),
          .optional("alpha", .number(0...1)), .optional("pairs", .whole(0...10_000)),
        ])),
      .optional(
        "stations",
        .map(
          .object([
            .optional("pilot", .flag), .optional("weight", .number(0...1000)), .optional("borderline", grade),
            .optional("cut", .number(0...100)), .optional("pilotItems", texts),
          ]))),
      .optional(
        "exclude",
        .list(
          .object([
            .optional("station", .text), .optional("item", .text), .optional("circuit", .text),
            .optional("session", .text), .optional("candidate", .text), .required("reason", .text),
          ]))),
      .optional(
        "feedback",
        .object([
          .optional("scores", .word(["none", "sections", "stations"])), .optional("cohort", .flag),
          .optional("minimumGroup", .whole(5...10_000)),
        ])),
    ])
  }()

  /// `SlotTable.places`.
  static let places = JSONShape.list(
    .object([.required("round", .whole(1...10_000)), .required("planned", key), .required("comes", key)]))

  /// `ClockEvent.plan`. Its numbers are the clock's to judge: an event that does not fit is kept and ignored.
  static let plan: JSONShape = {
    let length = JSONShape.whole(Bounds.exactWhole)
    let rule = JSONShape.object([
      .required("type", .text), .required("leftMs", length), .required("level", .text), .required("text", .text),
    ])
    return .object([
      .required(
        "durations",
        .list(.object([.required("type", .text), .required("lengthMs", length), .required("manualStart", .flag)]))),
      .required(
        "phases",
        .list(
          .object([
            .required("type", .text), .required("plannedMs", length), .required("manualStart", .flag),
            .required("warnings", .list(rule)),
          ]))),
      .required("rounds", key), .optional("warnings", .list(rule)),
    ])
  }()

  /// `FormVersion.content`. Values of levels are in millionths.
  static let content: JSONShape = {
    let mark = JSONShape.whole(-4_000_000_000_000_000...4_000_000_000_000_000)
    let level = JSONShape.object([.required("value", mark), .required("text", .text), .optional("descriptor", key)])
    let item = JSONShape.object([
      .required("link", key), .required("question", key), .required("kind", .text), .required("text", .text),
      .optional("information", .text), .required("mandatory", .flag), .required("suggestsPositive", .flag),
      .required("unable", .flag), .optional("threshold", mark), .optional("lowerThreshold", mark),
      .required("levels", .list(level)), .optional("tags", texts),
    ])
    let section = JSONShape.object([
      .required("link", key), .required("section", key), .required("name", .text), .optional("information", .text),
      .required("matrixTitles", texts), .required("duplicable", .flag), .required("foldable", .flag),
      .required("quadAndTooth", .flag), .required("maximumQuantity", key), .required("maximumDifficulty", key),
      .required("items", .list(item)),
    ])
    return .object([
      .required("form", key), .optional("code", .text), .required("name", .text),
      .optional("assessorInstructions", .text), .optional("candidateInstructions", .text),
      .required("hidesTotal", .flag), .optional("globalRating", key), .required("pilot", .flag),
      .required("sections", .list(section)),
    ])
  }()
}

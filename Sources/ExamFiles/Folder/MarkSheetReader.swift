import Catalogue
import CircuitModel

/// Reads `sheets/CODE.yaml`.
struct MarkSheetReader {
  static let itemTypes = Entity.itemTypes
  /// More levels than this cannot be chosen by a person; 0 to 100 is the longest scale.
  static let levelLimit = 101

  private static let sheetKeys = [
    "code", "name", "instructions", "assessorInstructions", "candidateInstructions", "hideTotal", "globalRating",
    "borderlineGrade", "weight", "pilot", "critical", "sections",
  ]
  private static let sectionKeys = [
    "key", "name", "information", "foldable", "duplicable", "maximumQuantity", "maximumDifficulty", "quadAndTooth",
    "matrixTitles", "items",
  ]
  private static let itemKeys = [
    "key", "type", "text", "information", "mandatory", "unable", "defaultState", "threshold", "lowerThreshold", "low",
    "high", "lowText", "highText", "scale", "descriptors", "tags",
  ]
  private static let scaleKeys = ["lowest", "highest", "step", "options"]
  private static let descriptorKeys = ["value", "text"]

  /// How independently a procedure was carried out, where a sheet gives no levels of its own: from the lowest, 1.
  private static let independence = [
    "Watched only", "Did it with help", "Did it with the supervisor beside", "Did it alone, supervisor within call",
  ]

  let file: String
  let problems: ProblemList
  /// The scales that items may name.
  var scales: [String: MarkSheet.SharedScale] = [:]

  /// Reads one of the `scales` of `exam.yaml`: `0-4`, a list of levels with their words, or a block of either with
  /// thresholds. `lowest`, `highest` and `step` stand in the block itself too.
  func shared(_ tree: YAMLTree) -> MarkSheet.SharedScale? {
    if case .scalar(let text, _) = tree.content {
      guard let scale = Self.scale(text) else {
        problems.error(
          Place(file: file, line: tree.line), "scale: write it as '0-4' or '1 to 5', not \(Visible.quoted(text))")
        return nil
      }
      return MarkSheet.SharedScale(scale: scale)
    }
    if case .list(let levels) = tree.content {
      return MarkSheet.SharedScale(descriptors: levels.compactMap(descriptor))
    }
    guard
      let fields = Fields(
        tree, "scale", keys: ["scale", "descriptors", "threshold", "lowerThreshold"] + Self.scaleKeys, file: file,
        problems: problems)
    else { return nil }
    return MarkSheet.SharedScale(
      scale: Self.scaleKeys.contains(where: fields.has) ? steps(fields, fields) : scale(fields),
      descriptors: fields.list("descriptors").compactMap(descriptor),
      threshold: fields.number("threshold"), lowerThreshold: fields.number("lowerThreshold"))
  }

  /// The shared scale that an item names; nil where it writes its own.
  private func named(_ fields: Fields) -> MarkSheet.SharedScale? {
    guard let value = fields.value("scale"), case .scalar(let text, _) = value.content, Self.scale(text) == nil else {
      return nil
    }
    return scales[text.trimmed]
  }

  /// - Parameter stem: the file's name without its ending, the code of a sheet that names none.
  func read(_ tree: YAMLTree, stem: String) -> MarkSheet? {
    guard let fields = Fields(tree, "mark sheet", keys: Self.sheetKeys, file: file, problems: problems) else {
      return nil
    }
    let sections = fields.list("sections").compactMap(section)
    if !fields.has("sections") { fields.error(nil, "'sections' is missing") }
    let weight = fields.number("weight") ?? 1
    if weight < 0 { fields.error("weight", "'weight' must not be negative") }
    let sheet = MarkSheet(
      code: fields.text("code") ?? stem, name: fields.needed("name"), instructions: fields.text("instructions") ?? "",
      assessorInstructions: fields.text("assessorInstructions") ?? "",
      candidateInstructions: fields.text("candidateInstructions") ?? "", hideTotal: fields.flag("hideTotal"),
      globalRating: fields.text("globalRating").map { .init(code: $0, place: fields.place("globalRating")) },
      borderlineGrade: fields.number("borderlineGrade"), weight: weight, isPilot: fields.flag("pilot"),
      critical: fields.texts("critical").map { .init(code: $0.text, place: $0.place) }, sections: sections,
      place: fields.place())
    return sheet
  }

  private func section(_ tree: YAMLTree) -> MarkSheet.Section? {
    guard let fields = Fields(tree, "section", keys: Self.sectionKeys, file: file, problems: problems) else {
      return nil
    }
    let name = fields.needed("name")
    let items = fields.list("items").compactMap(item)
    if fields.list("items").isEmpty { fields.error(nil, "section \(Visible.quoted(name)) has no items") }
    let duplicable = fields.flag("duplicable")
    if !duplicable, fields.has("maximumQuantity") {
      problems.warning(
        fields.place("maximumQuantity"), "section: 'maximumQuantity' has no effect without 'duplicable: true'")
    }
    return MarkSheet.Section(
      key: fields.text("key") ?? Self.slug(name), name: name, information: fields.text("information") ?? "",
      isFoldable: fields.flag("foldable"), isDuplicable: duplicable,
      maximumQuantity: fields.whole("maximumQuantity", in: 1...99) ?? 0,
      maximumDifficulty: fields.whole("maximumDifficulty", in: 1...99) ?? 0,
      quadAndTooth: fields.flag("quadAndTooth"), matrixTitles: fields.texts("matrixTitles").map(\.text), items: items,
      place: fields.place())
  }

  private func item(_ tree: YAMLTree) -> MarkSheet.Item? {
    if case .scalar(let text, _) = tree.content, !tree.isEmpty {
      return yesNo(text.trimmed, Place(file: file, line: tree.line))
    }
    guard let fields = Fields(tree, "item", keys: Self.itemKeys, file: file, problems: problems) else { return nil }
    let text = fields.needed("text")
    let named = named(fields)
    let hasLevels = fields.has("descriptors") || named?.descriptors.isEmpty == false
    let standard = hasLevels ? "marking_matrix" : fields.has("scale") ? "rating" : "binary"
    let type = fields.word("type", of: Self.itemTypes) ?? standard
    var item = yesNo(text, fields.place())
    item.key = fields.text("key") ?? Self.slug(text)
    item.type = type
    item.information = fields.text("information") ?? ""
    item.isMandatory = fields.flag("mandatory")
    item.allowsUnable = fields.flag("unable")
    item.defaultState = fields.flag("defaultState")
    item.threshold = fields.number("threshold") ?? named?.threshold
    item.lowerThreshold = fields.number("lowerThreshold") ?? named?.lowerThreshold
    let texts = type == "boolean" ? ("No", "Yes") : (item.low.text, item.high.text)
    item.low = (fields.number("low") ?? 0, fields.text("lowText") ?? texts.0)
    item.high = (fields.number("high") ?? 1, fields.text("highText") ?? texts.1)
    item.scale = named == nil ? scale(fields) : named?.scale
    item.descriptors =
      fields.has("descriptors") ? fields.list("descriptors").compactMap(descriptor) : named?.descriptors ?? []
    if type == "procedure", !fields.has("scale"), !fields.has("descriptors") {
      item.descriptors = Self.independence.enumerated().map {
        MarkSheet.Descriptor(value: Double($0 + 1), text: $1, place: fields.place())
      }
    }
    item.tags = fields.texts("tags").map(\.text)
    item.hasUnreadLevels =
      named?.isUnread == true || (fields.has("scale") && named == nil && item.scale == nil)
      || (fields.has("descriptors") && item.descriptors.count < 2)
    if named?.isUnread != true { check(item, fields, isNamed: named != nil) }
    return item
  }

  private func yesNo(_ text: String, _ place: Place) -> MarkSheet.Item {
    MarkSheet.Item(
      key: Self.slug(text), type: "binary", text: text, information: "", isMandatory: false, allowsUnable: false,
      defaultState: false, threshold: nil, lowerThreshold: nil, low: (0, "Not done"), high: (1, "Done"), scale: nil,
      descriptors: [], tags: [], place: place)
  }

  private func scale(_ fields: Fields) -> MarkSheet.Scale? {
    guard let value = fields.value("scale") else { return nil }
    if case .scalar(let text, _) = value.content {
      if let scale = Self.scale(text) { return limited(scale, fields) }
      let known = scales.isEmpty ? "" : ", or name one of the exam's: \(scales.keys.sorted().joined(separator: ", "))"
      fields.error(
        "scale", "'scale' must look like '0-4', '1 to 5' or '0-1 step 0.5'\(known), not \(Visible.quoted(text))")
      return nil
    }
    return Fields(value, "scale", keys: Self.scaleKeys, file: file, problems: problems).flatMap { steps($0, fields) }
  }

  /// The levels from `lowest` to `highest`, or `options` of them.
  /// - Parameter fields: what has them, for what is wrong with their number.
  private func steps(_ block: Fields, _ fields: Fields) -> MarkSheet.Scale? {
    let lowest = block.number("lowest") ?? 1
    let step = block.number("step") ?? 1
    let highest = block.number("highest")
    let options = block.whole("options", in: 2...Self.levelLimit)
    if highest != nil, options != nil { block.error(nil, "write 'highest' or 'options', not both") }
    if let highest, let scale = Self.scale(lowest, highest, step) { return limited(scale, fields) }
    if highest != nil || step <= 0 {
      block.error(nil, "the highest level is not a whole number of steps above the lowest")
      return nil
    }
    return MarkSheet.Scale(lowest: lowest, step: step, options: options ?? 5)
  }

  private func limited(_ scale: MarkSheet.Scale, _ fields: Fields) -> MarkSheet.Scale? {
    if scale.options <= Self.levelLimit { return scale }
    fields.error("scale", "\(scale.options) levels; at most \(Self.levelLimit) are allowed")
    return nil
  }

  /// `0-4`, `1 to 5`, `0-1 step 0.5`, `0-20`.
  static func scale(_ text: String) -> MarkSheet.Scale? {
    let words = text.split { $0 == " " }.map(String.init)
    var ends = words
    var step = 1.0
    if let at = words.firstIndex(of: "step") {
      guard at == words.count - 2, let number = WrittenNumber.parse(words[at + 1]) else { return nil }
      step = number
      ends = Array(words[..<at])
    }
    if ends.count == 3, ["to", "-", "–"].contains(ends[1]) { ends.remove(at: 1) }
    if ends.count == 1 { ends = ends[0].split { $0 == "-" || $0 == "–" }.map(String.init) }
    guard ends.count == 2, let lowest = WrittenNumber.parse(ends[0]), let highest = WrittenNumber.parse(ends[1]) else {
      return nil
    }
    return scale(lowest, highest, step)
  }

  private static func scale(_ lowest: Double, _ highest: Double, _ step: Double) -> MarkSheet.Scale? {
    guard step > 0, highest > lowest else { return nil }
    let steps = ((highest - lowest) / step).rounded()
    guard steps < 1e6, abs(lowest + steps * step - highest) < 1e-9 else { return nil }
    return MarkSheet.Scale(lowest: lowest, step: step, options: Int(steps) + 1)
  }

  private func descriptor(_ tree: YAMLTree) -> MarkSheet.Descriptor? {
    guard let fields = Fields(tree, "descriptor", keys: Self.descriptorKeys, file: file, problems: problems) else {
      return nil
    }
    let value = fields.number("value")
    if !fields.has("value") { fields.error(nil, "'value' is missing") }
    let text = fields.needed("text")
    guard let value else { return nil }
    return MarkSheet.Descriptor(value: value, text: text, place: fields.place())
  }

  private func check(_ item: MarkSheet.Item, _ fields: Fields, isNamed: Bool) {
    func only(_ types: [String], _ keys: [String]) {
      guard !types.contains(item.type) else { return }
      for key in keys where fields.has(key) {
        fields.error(key, "'\(key)' belongs to an item of type \(types[0]), not \(item.type)")
      }
    }
    only(["binary"], ["low", "high"])
    only(["binary", "boolean"], ["lowText", "highText"])
    if !isNamed || item.scale != nil { only(["rating", "procedure"], ["scale"]) }
    only(["marking_matrix", "procedure"], ["descriptors"])
    if item.type == "procedure", fields.has("scale"), fields.has("descriptors") {
      fields.error("scale", "write 'scale' or 'descriptors', not both")
    }
    if item.type == "binary", item.low.value == item.high.value {
      fields.error("high", "'low' and 'high' are worth the same")
    }
    if item.type == "rating", !fields.has("scale") { fields.error(nil, "a rating needs a 'scale', such as 1-5") }
    if item.type == "marking_matrix" || fields.has("descriptors") {
      if item.descriptors.count < 2, !isNamed || fields.list("descriptors").count < 2 {
        fields.error(
          "descriptors",
          "\(item.type == "procedure" ? "a procedure" : "a marking matrix") needs two or more descriptors")
      }
      if item.descriptors.count > Self.levelLimit {
        fields.error("descriptors", "\(item.descriptors.count) levels; at most \(Self.levelLimit) are allowed")
      }
      var seen: Set<Double> = []
      for descriptor in item.descriptors where !seen.insert(descriptor.value).inserted {
        problems.error(
          descriptor.place, "descriptor: another one has the value \(WrittenNumber.text(descriptor.value))")
      }
    }
    if let low = item.lowerThreshold, let high = item.threshold, low > high {
      fields.error("lowerThreshold", "'lowerThreshold' is above 'threshold'")
    }
    if let range = item.range {
      for (key, value) in [("threshold", item.threshold), ("lowerThreshold", item.lowerThreshold)] {
        if let value, !range.contains(value) {
          fields.error(
            key,
            "'\(key)' \(WrittenNumber.text(value)) is outside the levels \(WrittenNumber.text(range.lowerBound)) to "
              + WrittenNumber.text(range.upperBound))
        }
      }
    } else {
      for key in ["threshold", "lowerThreshold"] where fields.has(key) && item.scale == nil && item.type != "rating" {
        fields.error(key, "'\(key)' belongs to an item with levels, not \(item.type)")
      }
    }
  }

  /// A key made of the words of a text: what ties the item to its marks until a key is written.
  static func slug(_ text: String) -> String {
    var slug = ""
    for scalar in text.lowercased().unicodeScalars {
      switch scalar {
      case "a"..."z", "0"..."9": slug.unicodeScalars.append(scalar)
      default: if !slug.isEmpty, slug.last != "-" { slug += "-" }
      }
      if slug.utf8.count >= 60 { break }
    }
    while slug.last == "-" { slug.removeLast() }
    return slug.isEmpty ? String(text.unicodeScalars.prefix(60)) : slug
  }
}

extension MarkSheet.Item {
  /// Lowest to highest value, for items that have levels.
  var range: ClosedRange<Double>? {
    switch type {
    case "binary": min(low.value, high.value)...max(low.value, high.value)
    case "rating": scale.map { $0.lowest...$0.highest }
    case "procedure" where scale != nil: scale.map { $0.lowest...$0.highest }
    case "marking_matrix", "procedure":
      descriptors.map(\.value).min().flatMap { low in descriptors.map(\.value).max().map { low...$0 } }
    default: nil
    }
  }

  /// What each level is worth, in order; none for items without levels.
  var levelValues: [MarkValue] {
    let numbers: [Double] =
      switch type {
      case "binary": [low.value, high.value]
      case "boolean": [0, 1]
      case "rating": scale.map(\.values) ?? []
      case "procedure": scale.map(\.values) ?? descriptors.map(\.value)
      case "marking_matrix": descriptors.map(\.value)
      default: []
      }
    return numbers.compactMap { MarkValue(($0 * 1_000_000).rounded() / 1_000_000) }
  }
}

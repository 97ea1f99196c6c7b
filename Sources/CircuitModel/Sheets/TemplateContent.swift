import ExamStore
import Journal

/// The one written form of a template version: canonical JSON, so that equal content has equal bytes and one digest.
extension SheetTemplate {
  /// The content as canonical JSON text.
  public var content: String { String(decoding: CanonicalJSON.encode(node), as: UTF8.self) }

  /// Reads content back.
  /// - Throws: `SheetRefusal` if the text is not a template's content.
  public init(content: String) throws {
    guard let node = try? CanonicalJSON.decode(Array(content.utf8)), let fields = Members(node) else {
      throw SheetRefusal.unreadableVersion
    }
    form = fields.integer("form") ?? 0
    code = fields.text("code")
    name = fields.text("name") ?? ""
    assessorInstructions = fields.text("assessorInstructions")
    candidateInstructions = fields.text("candidateInstructions")
    hidesTotal = fields.flag("hidesTotal")
    globalRating = fields.integer("globalRating")
    isPilot = fields.flag("pilot")
    sections = fields.list("sections").map { SectionTemplate(members: $0) }
  }

  private var node: CanonicalJSON.Node {
    .object([
      .init("form", .integer(Int64(form))), .init("code", .optional(code)), .init("name", .text(name)),
      .init("assessorInstructions", .optional(assessorInstructions)),
      .init("candidateInstructions", .optional(candidateInstructions)),
      .init("hidesTotal", .bool(hidesTotal)), .init("globalRating", .optional(globalRating)),
      .init("pilot", .bool(isPilot)), .init("sections", .array(sections.map(\.node))),
    ])
  }
}

extension SectionTemplate {
  fileprivate var node: CanonicalJSON.Node {
    .object([
      .init("link", .integer(Int64(link))), .init("section", .integer(Int64(section))), .init("name", .text(name)),
      .init("information", .optional(information)), .init("matrixTitles", .array(matrixTitles.map { .text($0) })),
      .init("duplicable", .bool(isDuplicable)), .init("foldable", .bool(isFoldable)),
      .init("quadAndTooth", .bool(asksQuadrantAndTooth)), .init("maximumQuantity", .integer(Int64(maximumQuantity))),
      .init("maximumDifficulty", .integer(Int64(maximumDifficulty))), .init("items", .array(items.map(\.node))),
    ])
  }

  fileprivate init(members: Members) {
    link = members.integer("link") ?? 0
    section = members.integer("section") ?? 0
    name = members.text("name") ?? ""
    information = members.text("information")
    matrixTitles = members.texts("matrixTitles")
    isDuplicable = members.flag("duplicable")
    isFoldable = members.flag("foldable")
    asksQuadrantAndTooth = members.flag("quadAndTooth")
    maximumQuantity = members.integer("maximumQuantity") ?? 0
    maximumDifficulty = members.integer("maximumDifficulty") ?? 0
    items = members.list("items").map { ItemTemplate(members: $0) }
  }
}

extension ItemTemplate {
  fileprivate var node: CanonicalJSON.Node {
    // Left out where there are none, so that templates without tags keep the digest that they had before tags.
    let tags: [CanonicalJSON.Member] = tags.isEmpty ? [] : [.init("tags", .array(tags.map { .text($0) }))]
    return .object(
      tags + [
        .init("link", .integer(Int64(link))), .init("question", .integer(Int64(question))),
        .init("kind", .text(kind.rawValue)), .init("text", .text(text)), .init("information", .optional(information)),
        .init("mandatory", .bool(isMandatory)), .init("suggestsPositive", .bool(suggestsPositive)),
        .init("unable", .bool(allowsUnable)), .init("threshold", .optional(threshold)),
        .init("lowerThreshold", .optional(lowerThreshold)),
        .init(
          "levels",
          .array(
            levels.map {
              .object([
                .init("value", .integer($0.value.scaled)), .init("text", .text($0.text)),
                .init("descriptor", .optional($0.descriptor)),
              ])
            })),
      ])
  }

  fileprivate init(members: Members) {
    link = members.integer("link") ?? 0
    question = members.integer("question") ?? 0
    kind = ItemKind(stored: members.text("kind") ?? "")
    text = members.text("text") ?? ""
    information = members.text("information")
    isMandatory = members.flag("mandatory")
    suggestsPositive = members.flag("suggestsPositive")
    allowsUnable = members.flag("unable")
    threshold = members.mark("threshold")
    lowerThreshold = members.mark("lowerThreshold")
    levels = members.list("levels").map {
      Level(
        value: $0.mark("value") ?? MarkValue(scaled: 0), text: $0.text("text") ?? "",
        descriptor: $0.integer("descriptor"))
    }
    tags = members.texts("tags")
  }
}

/// An object's members by key.
private struct Members {
  private let nodes: [String: CanonicalJSON.Node]

  init?(_ node: CanonicalJSON.Node) {
    guard case .object(let members) = node else { return nil }
    nodes = Dictionary(members.map { ($0.key, $0.value) }) { first, _ in first }
  }

  func text(_ key: String) -> String? { if case .text(let text) = nodes[key] { text } else { nil } }
  func number(_ key: String) -> Int64? { if case .integer(let number) = nodes[key] { number } else { nil } }
  func integer(_ key: String) -> Int? { number(key).map { Int($0).bearable } }
  func mark(_ key: String) -> MarkValue? { number(key).map { MarkValue(stored: $0) } }
  func flag(_ key: String) -> Bool { nodes[key] == .bool(true) }
  func list(_ key: String) -> [Members] {
    if case .array(let nodes) = nodes[key] { nodes.compactMap { Members($0) } } else { [] }
  }
  func texts(_ key: String) -> [String] {
    guard case .array(let nodes) = nodes[key] else { return [] }
    return nodes.compactMap { if case .text(let text) = $0 { text } else { nil } }
  }
}

extension CanonicalJSON.Node {
  fileprivate static func optional(_ text: String?) -> Self { text.map { .text($0) } ?? .null }
  fileprivate static func optional(_ number: Int?) -> Self { number.map { .integer(Int64($0)) } ?? .null }
  fileprivate static func optional(_ mark: MarkValue?) -> Self { mark.map { .integer($0.scaled) } ?? .null }
}

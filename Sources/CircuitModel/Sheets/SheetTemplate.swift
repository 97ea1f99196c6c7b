import ExamStore

/// A mark sheet template as one version of it was: the texts, values and order that a sheet keeps for good.
public struct SheetTemplate: Equatable, Sendable {
  /// The template's key in `TypeForm`.
  public var form: Int
  /// The code by which people know it; nil for one that came without.
  public var code: String?
  /// The sheet's name.
  public var name: String
  /// What the assessor is to know before marking.
  public var assessorInstructions: String?
  /// What the candidate reads at the door.
  public var candidateInstructions: String?
  /// Whether the total is never shown while marking.
  public var hidesTotal: Bool
  /// The link of the item that is the global rating, if one is.
  public var globalRating: Int?
  /// Whether the station is tried out and does not count.
  public var isPilot: Bool
  /// The sections in order.
  public var sections: [SectionTemplate]

  /// Every item in order.
  public var items: [ItemTemplate] { sections.flatMap(\.items) }

  /// The links of the items that must not be left blank. Where a template marks no item as mandatory, every item that
  /// is marked by a level is required: an unmarked rating is an oversight, not a choice.
  public var required: Set<Int> {
    var mandatory: Set<Int> = []
    var marked: Set<Int> = []
    for section in sections {
      for item in section.items {
        if item.isMandatory { mandatory.insert(item.link) }
        if item.kind.takesLevel { marked.insert(item.link) }
      }
    }
    return mandatory.isEmpty ? marked : mandatory
  }

  /// Whether an item must not be left blank.
  public func requires(_ item: ItemTemplate) -> Bool { required.contains(item.link) }
}

/// A section of a template.
public struct SectionTemplate: Equatable, Sendable {
  /// The key of the `SectionToForm` link by which it stands in the sheet.
  public var link: Int
  /// The key of its `TypeSection`.
  public var section: Int
  /// The heading.
  public var name: String
  /// Help text.
  public var information: String?
  /// Column headings of a matrix, from the left.
  public var matrixTitles: [String]
  /// Whether it can be recorded more than once.
  public var isDuplicable: Bool
  /// Whether it can be folded.
  public var isFoldable: Bool
  /// Whether quadrant and tooth are recorded.
  public var asksQuadrantAndTooth: Bool
  /// How many copies there may be at most; 0: no limit.
  public var maximumQuantity: Int
  /// The end of the difficulty scale; 0: none is recorded.
  public var maximumDifficulty: Int
  /// The items in order.
  public var items: [ItemTemplate]
}

/// What kind of answer an item takes.
public enum ItemKind: Hashable, Sendable {
  /// One of two.
  case binary
  /// A fact, yes or no, that is recorded and never scored.
  case boolean
  /// One of a scale of numbers.
  case rating
  /// One of several described levels.
  case markingMatrix
  /// Written text.
  case text
  /// Written text, as the clinic's forms name it.
  case freeText
  /// Written feedback to the candidate.
  case feedback
  /// What was done, in writing, with how often, how difficult, and the supervisor's note.
  case record
  /// A procedure: how independently it was carried out, as a level, with what a record has.
  case procedure
  /// One that this version does not know, by its stored name. What such an item holds is shown and exported as it is,
  /// and never changed: a newer program gave it by rules that this one has not.
  case unknown(String)

  /// Whether the answer is text.
  public var isWritten: Bool {
    switch self {
    case .text, .freeText, .feedback, .record: true
    case .binary, .boolean, .rating, .markingMatrix, .procedure, .unknown: false
    }
  }

  /// Whether the answer is a level.
  public var takesLevel: Bool { isKnown && !isWritten }

  /// Whether this version knows the kind.
  public var isKnown: Bool { if case .unknown = self { false } else { true } }

  /// Whether its value counts in score and maximum.
  public var isScored: Bool {
    switch self {
    case .binary, .rating, .markingMatrix: true
    case .boolean, .text, .freeText, .feedback, .record, .procedure, .unknown: false
    }
  }

  /// Whether what was done, how often, how difficult and a note are recorded.
  public var recordsWork: Bool { self == .record || self == .procedure }

  /// Whether its levels may be described ones, whose descriptor is kept with the mark.
  public var hasDescriptors: Bool { self == .markingMatrix || self == .procedure }

  /// Whether the answer is one of two.
  public var isBinary: Bool { self == .binary || self == .boolean }
}

extension ItemKind: CaseIterable, RawRepresentable {
  /// The kinds that this version knows.
  public static let allCases: [ItemKind] = [
    .binary, .boolean, .rating, .markingMatrix, .text, .freeText, .feedback, .record, .procedure,
  ]

  private static let known = Dictionary(uniqueKeysWithValues: allCases.map { ($0.rawValue, $0) })

  /// The kind of a stored name, whether or not this version knows it.
  public init(stored name: String) { self = ItemKind.known[name] ?? .unknown(name) }

  /// The kind of a name; nil for one that this version does not know.
  public init?(rawValue: String) {
    guard let kind = ItemKind.known[rawValue] else { return nil }
    self = kind
  }

  /// The name as it is stored.
  public var rawValue: String {
    switch self {
    case .binary: "binary"
    case .boolean: "boolean"
    case .rating: "rating"
    case .markingMatrix: "marking_matrix"
    case .text: "text"
    case .freeText: "free_text"
    case .feedback: "feedback"
    case .record: "record"
    case .procedure: "procedure"
    case .unknown(let name): name
    }
  }
}

/// An item of a template.
public struct ItemTemplate: Equatable, Sendable {
  /// The key of the `QuestionToSection` link by which it stands in the section.
  public var link: Int
  /// The key of its `TypeQuestion`.
  public var question: Int
  /// What kind of answer it takes.
  public var kind: ItemKind
  /// What is to be judged.
  public var text: String
  /// Help text.
  public var information: String?
  /// Whether it is declared mandatory.
  public var isMandatory: Bool
  /// Whether the positive answer of a binary item is suggested; a suggestion is a blank until it is confirmed.
  public var suggestsPositive: Bool
  /// Whether "unable to assess" is an answer.
  public var allowsUnable: Bool
  /// From this value on the performance is satisfactory.
  public var threshold: MarkValue?
  /// Below this value the performance is below standard.
  public var lowerThreshold: MarkValue?
  /// The levels from the left; none for written items.
  public var levels: [Level]
  /// The tags that may be chosen on it.
  public var tags: [String] = []

  /// The largest value there is.
  public var maximum: MarkValue? { levels.map(\.value).max() }

  /// The level of a value; of two with one value the one that has the descriptor, else the first.
  public func level(worth value: MarkValue, descriptor: Int?) -> Level? {
    let levels = levels.filter { $0.value == value }
    return levels.first { descriptor != nil && $0.descriptor == descriptor } ?? levels.first
  }

  /// What it adds to the largest possible score; nil where it is not scored.
  public var scoreMaximum: MarkValue? { kind.isScored ? maximum : nil }
}

/// One level of an item.
public struct Level: Equatable, Sendable {
  /// What it is worth.
  public var value: MarkValue
  /// What it means, in words; empty where the number says it.
  public var text: String
  /// The key of its `MarkingDescriptor`, if it has one.
  public var descriptor: Int?
}

/// A mark sheet template as a person wrote it.
public struct MarkSheet: Sendable {
  /// Natural key.
  public var code: String
  /// Shown name.
  public var name: String
  /// One line under the name; may be empty.
  public var instructions: String
  /// For the assessor; may be empty.
  public var assessorInstructions: String
  /// For the candidate; may be empty.
  public var candidateInstructions: String
  /// Whether the running total is never shown.
  public var hideTotal: Bool
  /// Key of the global rating item.
  public var globalRating: ExamPlan.Reference?
  /// The grade at which a candidate is borderline; may be fractional.
  public var borderlineGrade: Double?
  /// Weight of the station in the exam.
  public var weight: Double
  /// Whether it is left out of results.
  public var isPilot: Bool
  /// Keys of items that must not be failed.
  public var critical: [ExamPlan.Reference]
  /// In order.
  public var sections: [Section]
  /// Where it is written.
  public var place: Place

  /// A section of a mark sheet.
  public struct Section: Sendable {
    /// Natural key within the sheet.
    public var key: String
    /// Shown name.
    public var name: String
    /// Help text; may be empty.
    public var information: String
    /// May be folded away.
    public var isFoldable: Bool
    /// May be filled several times.
    public var isDuplicable: Bool
    /// Most copies; 0 for no limit.
    public var maximumQuantity: Int
    /// Highest difficulty that can be recorded; 0 for none.
    public var maximumDifficulty: Int
    /// Records a dental quadrant and tooth.
    public var quadAndTooth: Bool
    /// Headings of a matrix, in order.
    public var matrixTitles: [String]
    /// In order.
    public var items: [Item]
    /// Where it is written.
    public var place: Place
  }

  /// An item of a section.
  public struct Item: Sendable {
    /// Natural key within the sheet.
    public var key: String
    /// `binary`, `rating`, `text`, `marking_matrix`, `boolean`, `free_text`, `feedback`, `record` or `procedure`.
    public var type: String
    /// What the assessor reads.
    public var text: String
    /// Help text; may be empty.
    public var information: String
    /// Must be filled before the sheet is signed without a remark.
    public var isMandatory: Bool
    /// Offers "unable to assess".
    public var allowsUnable: Bool
    /// A suggestion for a yes/no item.
    public var defaultState: Bool
    /// At or above this value an item of this kind counts as achieved.
    public var threshold: Double?
    /// Below this value it counts as failed.
    public var lowerThreshold: Double?
    /// Value and words of "no".
    public var low: (value: Double, text: String)
    /// Value and words of "yes".
    public var high: (value: Double, text: String)
    /// Levels `lowest, lowest + step, …`, `options` of them; for ratings.
    public var scale: Scale?
    /// For a marking matrix, in the order written.
    public var descriptors: [Descriptor]
    /// Words to group items by in reports.
    public var tags: [String]
    /// Where it is written.
    public var place: Place
    /// Whether it was given levels that could not be read, which was said: what follows from it is not.
    var hasUnreadLevels = false
  }

  /// The levels of a rating.
  public struct Scale: Sendable, Hashable {
    /// The first level.
    public var lowest: Double
    /// The distance between two levels.
    public var step: Double
    /// How many levels.
    public var options: Int
    /// The last level.
    public var highest: Double { lowest + step * Double(options - 1) }
    /// Every level, from the first.
    var values: [Double] { (0..<max(0, options)).map { lowest + step * Double($0) } }
  }

  /// A scale that `exam.yaml` writes once and items name.
  struct SharedScale: Sendable {
    /// Its levels without words; nil where they have some.
    var scale: Scale?
    /// Its levels with their words.
    var descriptors: [Descriptor] = []
    /// The thresholds of an item that writes none.
    var threshold: Double?, lowerThreshold: Double?

    /// Whether its levels could not be read, which was said.
    var isUnread: Bool { scale == nil && descriptors.count < 2 }
  }

  /// A level of a marking matrix with its words.
  public struct Descriptor: Sendable {
    /// What it is worth.
    public var value: Double
    /// Its words.
    public var text: String
    /// Where it is written.
    public var place: Place
  }

  /// Every item of every section, in order.
  public var items: [Item] { sections.flatMap(\.items) }
}

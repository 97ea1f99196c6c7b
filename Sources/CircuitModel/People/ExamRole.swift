/// What a member of staff is in the exam, as its settings name it.
public enum ExamRole: Hashable, Sendable {
  /// Marks at a station.
  case assessor
  /// Leads circuits through their sessions.
  case invigilator
  /// Answers for the exam.
  case lead
  /// Plans it.
  case office
  /// Reads all and changes nothing.
  case auditor
  /// Only looks.
  case display
  /// A word that this version does not know: it is shown as it is, and allows nothing.
  case unknown(String)

  /// Whose task the hall is.
  static let ofTheHall: Set<ExamRole> = [.invigilator, .lead]
  /// Of whom a hub takes what is done to clocks and in the hall.
  package static let ofTheHallAtHub: Set<ExamRole> = [.invigilator, .lead, .office]
  /// Who may stand beside a lead where two people are needed.
  static let besideALead: Set<ExamRole> = [.lead, .office]
  /// Who judges, wherever they are planned.
  static let judging: Set<ExamRole> = [.assessor, .lead]
}

extension ExamRole: CaseIterable {
  /// The roles that this version knows.
  public static let allCases: [ExamRole] = [.assessor, .invigilator, .lead, .office, .auditor, .display]

  private static let known = Dictionary(uniqueKeysWithValues: allCases.map { ($0.name, $0) })

  /// The role of a stored word, whether or not this version knows it.
  public init(stored word: String) { self = ExamRole.known[word] ?? .unknown(word) }

  /// The word as it is stored.
  public var name: String {
    switch self {
    case .assessor: "assessor"
    case .invigilator: "invigilator"
    case .lead: "lead"
    case .office: "office"
    case .auditor: "auditor"
    case .display: "display"
    case .unknown(let word): word
    }
  }
}

import ExamStore
import GRDB
import Journal
import Timer

/// One answer of a locked sheet that two people change.
public struct Amendment: Equatable, Sendable {
  /// What the item is to hold.
  public enum Answer: Equatable, Sendable {
    /// The level of this value.
    case value(MarkValue)
    /// It could not be assessed.
    case unable
    /// Nothing.
    case blank
  }

  /// The sheet's key.
  public let sheet: String
  /// The item's key.
  public let item: String
  /// Which copy of its section, from 1.
  public let copy: Int
  /// What it is to hold.
  public let answer: Answer

  /// Makes one from its parts.
  public init(sheet: String, item: String, copy: Int = 1, answer: Answer) {
    (self.sheet, self.item, self.copy, self.answer) = (sheet, item, copy, answer)
  }

  /// What the reason of each step of an amendment begins with.
  package static let reasonPrefix = "amended: "

  /// What the item held.
  public struct Before: Equatable, Sendable {
    /// The item's words.
    public let text: String
    /// The value; nil: none.
    public let value: MarkValue?
    /// Whether it could not be assessed.
    public let isUnable: Bool
  }

  /// Changes the answer: the sheet is opened, changed, and signed again by the lead, each step with the reason. The
  /// ruling that it is keeps both people's names.
  /// - Throws: `RulingRefusal` without a reason, a sheet or an item that takes a mark; `MarkingRefusal` for a value that is no level.
  public func make(
    reason: String, by people: TwoPeople, _ transaction: JournalTransaction
  ) throws -> Before {
    let reason = try Rulings.checked(reason, shortest: Rulings.shortestReason)
    guard let found = try Sheet.read(sheet, in: transaction.db) else { throw RulingRefusal.notInExam(.sheet, sheet) }
    let keys = try QuestionKeys.all(in: transaction.db)
    let sections = found.sections.filter { $0.copy == copy }
    guard
      let held = sections.flatMap(\.items).first(where: { keys.name(of: $0.template.question) == item })
    else { throw RulingRefusal.notInExam(.item, item) }
    if held.template.kind.isWritten { throw RulingRefusal.isText(item) }
    guard held.template.kind.takesLevel else { throw RulingRefusal.notInExam(.item, item) }
    if isHeld(by: held) { throw RulingRefusal.holdsAlready(item: item, text) }
    return try ExamLocks.lifting(for: people, transaction) {
      transaction.author.reason = Amendment.reasonPrefix + reason
      if found.isSigned { try Signing.reopen(found, in: transaction) }
      let marking = Marking(transaction)
      switch answer {
      case .value(let value):
        guard let level = held.template.levels.first(where: { $0.value == value }) else {
          throw RulingRefusal.noLevel(value, of: item)
        }
        try marking.mark(held, level: level)
      case .unable: try marking.markUnable(held)
      case .blank: try marking.clear(held)
      }
      if found.isSigned, let now = try Sheet.read(sheet, in: transaction.db) {
        try Signing.sign(now, in: transaction)
      }
      try Rulings.recordAmendment(
        of: [.sheet(sheet), .item(item)], to: text, reason: reason, by: people, transaction)
      return Before(text: held.template.text, value: held.rating, isUnable: held.isUnable)
    }
  }

  private func isHeld(by item: SheetItem) -> Bool {
    switch answer {
    case .value(let value): item.rating == value
    case .unable: item.isUnable
    case .blank: item.rating == nil && !item.isUnable
    }
  }

  /// What it is to hold, as it is kept with the ruling.
  private var text: String {
    switch answer {
    case .value(let value): value.description
    case .unable: ExamRuling.ChoiceWord.unable.rawValue
    case .blank: ExamRuling.ChoiceWord.blank.rawValue
    }
  }
}

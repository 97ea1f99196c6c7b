import Characters
import CircuitModel
import ExamStore
import GRDB
import Timer

/// A mark sheet as its assessor saw it, in lines to read: for the exam lead, an appeal, and paper.
public enum SheetText {
  /// The sheet's lines; none if there is no such sheet.
  /// - Parameter width: how many columns a line has.
  public static func lines(_ key: String, width: Int = 80, in db: Database) throws -> [String] {
    guard let sheet = try Sheet.read(key, in: db) else { return [] }
    let usernames = try Usernames(db)
    var lines = [try title(sheet, usernames, in: db)]
    let total = sheet.total
    lines.append("score \(total.score) of \(total.maximum)")
    var number = 0
    for section in sheet.sections {
      lines += ["", section.template.name.uppercased() + SectionText.copy(section.copy) + facts(section)]
      for item in section.items {
        number += 1
        lines += self.lines(item, number, sheet, width)
      }
    }
    let comments = try Comments.all(.candidate(sheet.entry), in: db).filter { !$0.isConcern }
    if !comments.isEmpty { lines += ["", "COMMENTS"] }
    for comment in comments {
      let whose = [comment.author, comment.isVisibleToCandidate == true ? "the candidate may read it" : nil]
      lines.append("  \(comment.text) (\(whose.compactMap { $0 }.joined(separator: "; ")))")
    }
    return lines
  }

  private static func title(_ sheet: Sheet, _ usernames: Usernames, in db: Database) throws -> String {
    let judges = Set(sheet.items.compactMap(\.judge)).compactMap { usernames[$0] }.sorted()
    let who = judges.isEmpty ? "" : ", marked by \(judges.joined(separator: ", "))"
    let place = sheet.seat == .lead ? nil : try StationSession.holding(sheet: sheet.key, in: db)
    let seat = place.map { place in
      [" · " + place.name(of: sheet.seat), place.assessors.first { $0.seat == sheet.seat }?.name].compactMap { $0 }
        .joined(separator: ", ")
    }
    let signed = sheet.signedAt.map { "signed \(LocalTime.reading(of: $0).time)" } ?? "NOT SIGNED"
    return "\(sheet.template.name)\(seat ?? "") · \(signed)\(who)"
  }

  private static func facts(_ section: SheetSection) -> String {
    let facts = SectionText.facts(
      quadrant: section.quadrant, tooth: section.tooth, quantity: section.quantity, difficulty: section.difficulty)
    return facts.isEmpty ? "" : " · " + facts
  }

  private static func lines(_ item: SheetItem, _ number: Int, _ sheet: Sheet, _ width: Int) -> [String] {
    let head = String(repeating: " ", count: max(0, 3 - String(number).count)) + "\(number)  "
    let required = sheet.template.requires(item.template) ? " *" : ""
    let answer = answer(item)
    let text = item.template.text + required
    let room = width - head.count - ColumnWidth.of(answer) - 2
    let columns = ColumnWidth.of(text)
    if room >= 20, columns <= room {
      return [head + text + String(repeating: " ", count: room - columns + 2) + answer] + feedback(item)
    }
    return [head + text, "     = " + answer] + feedback(item)
  }

  /// What an item was answered with, in words.
  static func answer(_ item: SheetItem) -> String {
    if item.isUnable { return "unable to assess" }
    if item.template.kind.isWritten { return item.feedback.isEmpty ? "blank" : item.feedback }
    guard let rating = item.rating else { return "blank" }
    let text = item.level.map(\.text) ?? ""
    let of = item.template.maximum.map { " of \($0)" } ?? ""
    return "\(rating)\(of)" + (text.isEmpty ? "" : " \(text)")
  }

  private static func feedback(_ item: SheetItem) -> [String] {
    item.template.kind.isWritten || item.feedback.isEmpty ? [] : ["     feedback: \(item.feedback)"]
  }
}

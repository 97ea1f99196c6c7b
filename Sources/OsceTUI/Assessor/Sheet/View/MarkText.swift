import Characters
import CircuitModel
import ExamStore
import Reports
import Terminal

/// What is said of marks, in words.
enum MarkText {
  /// An item's answer; empty while it is blank.
  static func answer(of item: SheetItem) -> String {
    if item.isUnable { return "unable to assess" }
    if let level = item.level { return level.text.isEmpty ? "\(level.value)" : "\(level.value) \(level.text)" }
    if let rating = item.rating { return "\(rating)" }
    guard item.template.kind.isWritten else { return "" }
    return item.template.kind == .record && !item.feedback.isEmpty
      ? ([item.feedback] + work(of: item)).joined(separator: ", ") : item.feedback
  }

  /// What of an item a change of some of its fields was about, and what is said there now: what its undoing takes back.
  static func changed(_ fields: Set<String>, of item: SheetItem, number: Int) -> String {
    let place = "item \(number) (\(short(item.template.text)))"
    func has(_ field: Stored.RatingQuestion.Field) -> Bool { fields.contains(field.rawValue) }
    if item.template.kind.isWritten ? has(.feedback) : has(.rating) || has(.unable) {
      return place + ", now " + (answer(of: item).isEmpty ? "blank" : short(answer(of: item)))
    }
    if has(.tags) {
      return "tags of \(place), now " + (item.tags.isEmpty ? "none" : short(item.tags.joined(separator: ", ")))
    }
    if has(.recommended) { return "\(place), now \(item.isRecommended ? "" : "not ")recommended" }
    if has(.completedCase) {
      return "\(place), which now \(item.isCompletedCase ? "completes" : "does not complete") the case"
    }
    if has(.times) {
      let record = ([item.feedback] + work(of: item) + [item.work.note]).filter { !$0.isEmpty }
      return "record of \(place), now " + (record.isEmpty ? "none" : short(record.joined(separator: ", ")))
    }
    return "feedback on \(place), now " + (item.feedback.isEmpty ? "none" : short(item.feedback))
  }

  /// About a line of a text: the whole of one that was written would fill the screen.
  private static func short(_ text: String) -> String {
    SafeText(text.replacing("\n", with: " ")).truncated(to: 72).plain
  }

  /// What of a sheet a step changed, and what is said there now: what its undoing takes back.
  static func changed(by step: SessionUndo.Step, on sheet: Sheet?) -> SafeText {
    let items = sheet?.items ?? []
    let places = items.indices.filter { place in step.rows.contains { $0.id == items[place].key } }
    if places.count > 1 { return SafeText("items " + places.map { "\($0 + 1)" }.joined(separator: ", ")) }
    if let place = places.first { return SafeText(changed(step.fields, of: items[place], number: place + 1)) }
    let section = sheet?.sections.first { section in step.rows.contains { $0.id == section.key } }
    guard let section else { return "a section" }
    return SafeText("\(section.copy > 1 ? "copy \(section.copy) of " : "the section ")\(section.template.name)")
  }

  /// How often and how difficult, of work that was done.
  static func work(of item: SheetItem) -> [String] {
    var parts: [String] = []
    if let times = item.work.times { parts.append(Plural.times(times)) }
    if let difficulty = item.work.difficulty { parts.append("difficulty \(difficulty)") }
    return parts
  }

  /// Whether two states of an item differ in what an assessor gave.
  static func differs(_ first: SheetItem, _ second: SheetItem) -> Bool {
    answer(of: first) != answer(of: second) || first.feedback != second.feedback || first.work != second.work
      || first.tags != second.tags || first.isRecommended != second.isRecommended
      || first.isCompletedCase != second.isCompletedCase
  }

  /// The line that a mark leaves: item, level in words, the old value if it replaced one. It fits 80 columns: words are
  /// cut, numbers never.
  /// - Parameter burst: the key that undoes all marks of fast keys together; nil for a mark by itself.
  static func line(number: Int, item: SheetItem, before: SheetItem, burst: SafeText?) -> SafeText {
    let now = answer(of: item), old = answer(of: before)
    let isReplaced = !old.isEmpty && old != now
    let end: SafeText = burst.map { " - fast keys: one " + $0 + " undoes them all" } ?? ""
    let room = 80 - end.width - (isReplaced ? 25 : 0)
    var text = SafeText("item \(number): \(now.isEmpty ? "blank" : now)").truncated(to: room)
    if now == old && item.feedback != before.feedback { text = "item \(number): feedback" }
    if let label = labels(item, before) { text = SafeText("item \(number): \(label)").truncated(to: room) }
    if isReplaced { text += " (was " + SafeText(old).truncated(to: 18) + ")" }
    return text + end
  }

  /// What was said of an item beside its answer, where that has changed.
  private static func labels(_ item: SheetItem, _ before: SheetItem) -> String? {
    if item.tags != before.tags { return item.tags.isEmpty ? "no tags" : "tagged " + item.tags.joined(separator: ", ") }
    if item.isRecommended != before.isRecommended { return item.isRecommended ? "recommended" : "not recommended" }
    if item.isCompletedCase != before.isCompletedCase {
      return item.isCompletedCase ? "completes the case" : "does not complete the case"
    }
    return nil
  }
}

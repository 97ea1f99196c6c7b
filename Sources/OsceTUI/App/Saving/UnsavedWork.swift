import Characters
import CircuitModel
import ExamStore
import Reports
import Terminal

/// What was typed at this terminal and is not on the disk, until who sits here leaves the station: texts, which an
/// editor opened again begins with, and marks that were refused, which have to be given again.
struct UnsavedWork {
  /// Texts by what they are about, one for each field; also those that still wait for the disk.
  private(set) var texts: [String: [String]] = [:]
  /// Why the last change of an item was refused, by the item's key.
  private(set) var refusals: [String: String] = [:]
  /// What was shown of those items then.
  private var shown: [String: SheetItem] = [:]
  /// What the disk did not take, in words, the oldest first.
  private var names: [(topic: String, name: SafeText)] = []

  /// Whether something was refused and is nowhere but here.
  var isLosable: Bool { !names.isEmpty }

  /// Keeps texts, or lets go of them.
  /// - Parameter name: what they are, in words, where the disk did not take them.
  mutating func keep(_ kept: [String]?, as topic: String, named name: SafeText? = nil) {
    texts[topic] = kept
    if let name { note(name, as: topic) }
    if kept == nil { names.removeAll { $0.topic == topic } }
  }

  /// Notes that the last change of an item was refused, and why.
  /// - Parameter name: the item, in words; nil where what was refused is kept as a text.
  mutating func refuse(_ item: SheetItem, reason: String, named name: SafeText?) {
    refusals[item.key] = reason
    shown[item.key] = item
    if let name { note(name, as: item.key) }
  }

  /// Lets go of what was refused of items that have been changed since: what stands there now is what holds.
  mutating func settle(_ items: [SheetItem]) {
    if refusals.isEmpty { return }
    for item in items where shown[item.key].map({ $0.shown != item.shown }) == true { retry(item: item.key) }
  }

  /// An item is changed again.
  mutating func retry(item: String) {
    refusals[item] = nil
    shown[item] = nil
    names.removeAll { $0.topic == item }
  }

  private mutating func note(_ name: SafeText, as topic: String) {
    names.removeAll { $0.topic == topic }
    names.append((topic, name.truncated(to: 40)))
  }

  /// What is not saved, in words; nil if nothing was refused.
  /// - Parameter most: how many are named; the rest is counted.
  func text(naming most: Int) -> SafeText? {
    if names.isEmpty { return nil }
    // Under the lock anybody reads it.
    if most == 0 { return SafeText(Plural.count(names.count, "thing is", "things are") + " NOT SAVED") }
    let named = names.prefix(most).reduce(into: SafeText()) { $0 = $0.isEmpty ? $1.name : $0 + ", " + $1.name }
    let rest = names.count - most
    return "NOT SAVED: " + named + (rest > 0 ? " and \(rest) more" : "")
  }

  /// The line of a text that a list shows.
  static func line(of text: String) -> String { text.split(whereSeparator: \.isNewline).first.map(String.init) ?? "" }

  /// A typed line as it is named where it is not saved.
  static func name(ofLine text: String) -> SafeText { "\"" + SafeText(text).truncated(to: 24) + "\"" }
}

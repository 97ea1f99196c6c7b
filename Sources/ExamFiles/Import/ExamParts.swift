import Catalogue

/// Folders that are loaded together: parts of one exam, which has one name, one time zone, and one set of settings.
struct ExamParts {
  /// A folder's path, and what is written there.
  typealias Part = (path: String, plan: ExamPlan)

  private let parts: [Part]

  init(_ parts: [Part]) { self.parts = parts }

  /// Why they are not of one exam; nil: they are.
  var difference: Problem? {
    for (index, part) in parts.enumerated() {
      for other in parts.dropFirst(index + 1) {
        guard let what = Self.difference(part.plan, other.plan) else { continue }
        return Problem(
          .error, file: other.path, line: other.plan.place.line,
          "the folders \(part.path) and \(other.path) differ in \(what): make it the same in both, or import each "
            + "into its own store")
      }
    }
    return nil
  }

  /// The settings of all, in the order of the folders: roles and phrases of each, results and days of the one that says
  /// them.
  var settings: ExamPlan.SharedSettings {
    var phrases: [ExamPlan.PhraseGroup] = []
    for group in parts.flatMap(\.plan.phrases) {
      if let index = phrases.firstIndex(where: { $0.name == group.name }) {
        phrases[index].texts += group.texts.filter { !phrases[index].texts.contains($0) }
      } else {
        phrases.append(group)
      }
    }
    var staff: [ExamPlan.StaffMember] = []
    for member in parts.flatMap(\.plan.staff) where !staff.contains(where: { $0.username == member.username }) {
      staff.append(member)
    }
    return ExamPlan.SharedSettings(
      phrases: phrases, staff: staff, results: parts.lazy.compactMap { $0.plan.results?.json(of: $0.plan) }.first,
      retentionDays: parts.lazy.compactMap(\.plan.retentionDays).first)
  }

  private static func difference(_ a: ExamPlan, _ b: ExamPlan) -> String? {
    if a.name != b.name { return "'exam'" }
    if a.timeZone != b.timeZone { return "'timeZone'" }
    if a.rules.showsNames != b.rules.showsNames { return "'showNames'" }
    if a.rules.identityDigits != b.rules.identityDigits { return "'identityDigits'" }
    if a.rules.idleLockMinutes != b.rules.idleLockMinutes { return "'idleLockMinutes'" }
    if differ(a.results?.json(of: a), b.results?.json(of: b)) { return "'results'" }
    if differ(a.retentionDays, b.retentionDays) { return "'retentionDays'" }
    let roles = Dictionary(a.staff.map { ($0.username, $0.role) }) { role, _ in role }
    let member = b.staff.first { differ(roles[$0.username], $0.role) }
    return member.map { "the role of '\($0.username)'" }
  }

  /// Whether both say it, and not the same.
  private static func differ<Setting: Equatable>(_ a: Setting?, _ b: Setting?) -> Bool {
    a != nil && b != nil && a != b
  }
}

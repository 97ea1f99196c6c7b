import CircuitModel
import Standards

extension HeldScores {
  /// The sheet's score under a policy.
  func score(_ policy: Policy, at place: Policy.Place) -> SheetScore {
    var scored: [ScoredItem] = []
    for item in counted {
      guard let made = template[item.link], let maximum = made.template.scoreMaximum, !made.isGlobal,
        !policy.leavesOut(made.key, at: place)
      else { continue }
      scored.append(
        ScoredItem(value: item.isUnable ? nil : item.rating, maximum: maximum.number, isUnable: item.isUnable))
    }
    return SheetScore(scored, blanks: policy.blanks)
  }

  /// The global rating as it is coded.
  var grade: SeatScore.Grade {
    guard let link = template.template.globalRating, let item = items.first(where: { $0.link == link }) else {
      return .none(.noGlobalItem)
    }
    if item.isUnable { return .none(.gradeUnable) }
    return item.rating.map { .value($0) } ?? .none(.gradeBlank)
  }

  /// What is the matter with each critical item, by key; nothing where it is passed, or where the item counts for nothing.
  func criticalFindings(_ policy: Policy, at place: Policy.Place) -> [String: CriticalFinding] {
    if !template.hasCriticalItems { return [:] }
    var found: [String: CriticalFinding] = [:]
    for item in counted {
      guard let made = template[item.link], made.isCritical, !policy.leavesOut(made.key, at: place) else { continue }
      let state: CriticalFinding.State? =
        item.isUnable ? .unable : item.rating.map { made.template.isBelowStandard($0) ? .failed : nil } ?? .blank
      guard let state else { continue }
      // Of several copies the worst counts.
      if let known = found[made.key], known.state.weight >= state.weight { continue }
      found[made.key] = CriticalFinding(item: made.key, text: made.template.text, value: item.rating, state: state)
    }
    return found
  }
}

extension CriticalFinding.State {
  /// Which of several matters most.
  fileprivate var weight: Int {
    switch self {
    case .failed: 3
    case .disputed: 2
    case .blank: 1
    case .unable: 0
    }
  }
}

extension CriticalFinding {
  /// What several assessors' findings come to.
  /// - Parameter seats: of each assessor with a sheet that counts, in the order of seats.
  static func joined(_ seats: [[String: CriticalFinding]], by rule: Policy.DoubleMarks) -> [CriticalFinding] {
    guard let first = seats.first else { return [] }
    if rule == .first || seats.count == 1 { return first.values.sorted { $0.item < $1.item } }
    let items = Set(seats.flatMap(\.keys)).sorted()
    return items.compactMap { item in
      let found = seats.map { $0[item] }
      if found.allSatisfy({ $0?.state == .failed }) { return found[0] }
      let known = found.compactMap { $0 }
      if known.allSatisfy({ $0.state == .unable }) { return known.first }
      let worst = known.max { $0.state.weight < $1.state.weight }!
      if worst.state == .blank { return worst }
      var disputed = CriticalFinding(item: worst.item, text: worst.text, value: worst.value, state: .disputed)
      disputed.bySeat = found.map { $0?.state }
      return disputed
    }
  }
}

extension ItemTemplate {
  /// Whether a value is below standard: under the lower threshold, else under the threshold, else the lowest level.
  fileprivate func isBelowStandard(_ value: Double) -> Bool {
    if let lower = lowerThreshold ?? threshold { return value < lower.number - 1e-9 }
    return levels.map(\.value.number).min().map { value <= $0 + 1e-9 } ?? false
  }
}

extension Agreement.Material {
  /// Adds what two assessors gave for the same items of one sheet, of those that count.
  /// - Parameter isLeftOut: whether the item with a key counts for nothing there.
  /// - Returns: the scales of the items that were compared, in millionths.
  mutating func add(
    _ first: HeldScores, _ second: HeldScores, except isLeftOut: (String) -> Bool
  ) -> Set<[Int64]> {
    if first.form != second.form {
      leftOut.otherForm += 1
      return []
    }
    var scales: Set<[Int64]> = []
    struct Place: Hashable {
      let section: Int
      let copy: Int
      let link: Int
    }
    func places(_ sheet: HeldScores) -> [Place: HeldScores.Item] {
      Dictionary(
        sheet.counted.map { (Place(section: $0.section, copy: $0.copy, link: $0.link), $0) },
        uniquingKeysWith: { first, _ in first })
    }
    let others = places(second)
    for item in first.counted {
      guard let made = first.template[item.link], made.template.kind.isScored, !made.isGlobal,
        !isLeftOut(made.key), let other = others[Place(section: item.section, copy: item.copy, link: item.link)]
      else { continue }
      scales.insert(made.template.levels.map(\.value.scaled))
      if item.isUnable || other.isUnable {
        leftOut.unable += 1
      } else if let one = item.rating, let two = other.rating {
        pairs.append(.init(one, two))
      } else {
        leftOut.blank += 1
      }
    }
    return scales
  }
}

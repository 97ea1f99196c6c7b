/// What is decided about a station before its scores are looked at.
struct StationDecision {
  let plan: StationPlan
  let isPilot: Bool
  let isExcluded: Bool
  let weight: Double
  let borderline: Double
  /// The station's own cut, in place of the method's.
  let ownCut: Double?

  /// Whether it is in totals, cuts and counts.
  var isCounted: Bool { !isPilot && !isExcluded && weight > 0 }

  init(_ plan: StationPlan, _ policy: Policy) {
    let chosen = policy.stations[plan.code]
    self.plan = plan
    isPilot = chosen?.pilot ?? plan.isPilot
    isExcluded = plan.isWithdrawn || policy.exclude.contains { $0.isOfStation && $0.station == plan.code }
    weight = chosen?.weight ?? plan.weight ?? 1
    borderline =
      policy.borderlineForAll ?? chosen?.borderline ?? plan.borderline ?? policy.borderline ?? Policy.usualBorderline
    ownCut = chosen?.cut
  }
}

/// The figures of one station.
public struct StationResult: Equatable, Sendable {
  /// A grade with those who have it.
  public struct Grade: Equatable, Sendable {
    /// The global grade.
    public let grade: Double
    /// How many there are.
    public let n: Int
    /// Their mean score.
    public let mean: Double
  }

  /// A candidate who is due here and is no pair of score and grade.
  public struct LeftOut: Equatable, Sendable {
    /// The candidate's number.
    public let candidate: String
    /// Why there is no pair.
    public let reason: Reason
  }

  /// Two assessors' agreement on the station's items, global ratings and scores.
  public struct Agreements: Equatable, Sendable {
    /// On scored items, pooled.
    public let items: Agreement
    /// The global grade.
    public let grade: Agreement
    /// On the seats' scores.
    public let score: Agreement
  }

  /// A pair of grade and score.
  public struct Point: Equatable, Sendable {
    /// The global grade.
    public let grade: Double
    /// The score.
    public let score: Double
  }

  /// A cut, and what it does to the scores.
  public struct CutFigures: Equatable, Sendable {
    /// The cut by the method in force.
    public let cut: Double?
    /// Its standard error; nil but for the regression's cut.
    public let seCut: Double?
    /// The method in force here.
    public let method: Policy.Method
    /// How many scores are below the cut.
    public let failed: Int?
    /// Graded above the borderline, with a score below the cut.
    public let gradedPassBelowCut: Int?
    /// Graded below the borderline, with a score at or above the cut.
    public let gradedFailAboveCut: Int?
  }

  /// How far scores differ between groups, and between two assessors.
  public struct Comparisons: Equatable, Sendable {
    /// Between circuits.
    public let circuits: BetweenGroups
    /// Between sessions.
    public let sessions: BetweenGroups
    /// Between assessors.
    public let assessors: BetweenGroups
    /// Nil where nobody is marked twice.
    public let agreement: Agreements?
  }

  /// How many items are something else than marked.
  public struct ItemCounts: Equatable, Sendable {
    /// How many items were left blank, also on sheets that come to no score.
    public let blanks: Int
    /// How many items could not be assessed.
    public let unable: Int
    /// Critical items that were failed.
    public let criticalFailures: Int
  }

  /// The station's code.
  public let station: String
  /// The station's name.
  public let name: String?
  /// Whether it is in totals, cuts and counts.
  public let isCounted: Bool
  /// Whether it is tried out only.
  public let isPilot: Bool
  /// Whether it is left out for everybody.
  public let isExcluded: Bool
  /// The station's weight.
  public let weight: Double
  /// The grade of a borderline candidate.
  public let borderline: Double
  /// Location and spread of all scores.
  public let scores: GroupFigures
  /// The lowest score.
  public let minimum: Double?
  /// The highest score.
  public let maximum: Double?
  /// How many have score and grade.
  public let pairs: Int
  /// The regression of score on grade, whatever the method.
  public let regression: BorderlineRegression
  /// The cut by the method in force, and what it does.
  public let cutFigures: CutFigures
  /// Each grade that was given.
  public let grades: [Grade]
  /// Those graded borderline.
  public let borderlineGroup: GroupFigures
  /// Those graded below against those above.
  public let contrastingGroups: ContrastingGroups
  /// Cronbach's alpha of the exam without this station.
  public internal(set) var alphaIfDeleted: Double?
  /// The correlation with the sum of the other stations.
  public internal(set) var restCorrelation: Double?
  /// Between groups, and between two assessors.
  public let comparisons: Comparisons
  /// How many items are something else than marked.
  public let itemCounts: ItemCounts
  /// What cannot be compared.
  public let leftOut: [LeftOut]
  /// What is to be known of it.
  public internal(set) var notes: [Note]

  /// Every score, in the order of candidates.
  public let allScores: [Double]
  /// The points of the scatter: grade and score of each pair.
  public let points: [Point]

  /// The cut by the method in force.
  public var cut: Double? { cutFigures.cut }

  init(_ decision: StationDecision, _ standings: [Standing], unit: ExamScores.Unit, policy: Policy) {
    let plan = decision.plan
    (station, name, isCounted, isPilot) = (plan.code, plan.name, decision.isCounted, decision.isPilot)
    (isExcluded, weight, borderline) = (decision.isExcluded, decision.weight, decision.borderline)
    let scored = standings.compactMap(ScoredStanding.init)
    let all = scored.map(\.score)
    let points = scored.compactMap { one in one.standing.grade.map { Point(grade: $0, score: one.score) } }
    (pairs, self.points, allScores) = (points.count, points, all)
    scores = GroupFigures(all)
    (minimum, maximum) = (all.min(), all.max())
    let (x, y) = (points.map(\.grade), points.map(\.score))
    let (x0, band) = (decision.borderline, policy.borderlineBand)
    regression = BorderlineRegression(grades: x, scores: y, borderline: x0)
    borderlineGroup = BorderlineGroup.of(grades: x, scores: y, borderline: x0, band: band)
    contrastingGroups = ContrastingGroups(grades: x, scores: y, borderline: x0, band: band)
    let method = decision.ownCut == nil ? policy.method : .fixed
    let cut =
      switch method {
      case .fixed: decision.ownCut
      case .borderlineRegression: regression.cut
      case .borderlineGroup: borderlineGroup.mean
      case .borderlineGroupMedian: borderlineGroup.median
      case .contrastingGroups: contrastingGroups.cut
      }
    cutFigures = CutFigures(
      cut, method: method, seCut: method == .borderlineRegression ? regression.seCut : nil, all, points,
      borderline: x0, policy.rounding)
    grades = Dictionary(grouping: points, by: \.grade).sorted { $0.key < $1.key }.map {
      Grade(grade: $0.key, n: $0.value.count, mean: Moments.mean($0.value.map(\.score))!)
    }
    comparisons = Comparisons(plan, scored, standings)
    itemCounts = ItemCounts(standings, scored, isCounted: decision.isCounted)
    leftOut = standings.compactMap { standing in
      standing.whyNoPair.map { LeftOut(candidate: standing.candidate, reason: $0) }
    }
    notes = []
    notes = findNotes(decision, unit, policy.flags)
  }

  /// What is to be known, of figures that are all there.
  private func findNotes(_ decision: StationDecision, _ unit: ExamScores.Unit, _ flags: Policy.Flags) -> [Note] {
    var notes = Set(regression.notes).union(decision.plan.notes)
    if allScores.isEmpty { notes.insert(.noScores) } else if allScores.count == 1 { notes.insert(.oneScore) }
    if let cut {
      if unit == .percent && (cut < -Moments.tolerance || cut > 100 + Moments.tolerance) {
        notes.insert(.cutOutsideScale)
      }
      let paired = points.map(\.score)
      if let low = paired.min(), let high = paired.max(),
        cut < low - Moments.tolerance || cut > high + Moments.tolerance
      {
        notes.insert(.cutOutsideScores)
      }
    } else if decision.isCounted {
      notes.insert(.noCut)
    }
    if borderlineGroup.n == 0 { notes.insert(.noBorderlineGroup) }
    if contrastingGroups.cut == nil { notes.insert(.noContrast) }
    if pairs < flags.pairs { notes.insert(.smallSample) }
    if let r2 = regression.r2, r2 < flags.r2 { notes.insert(.lowR2) }
    let groups = [comparisons.circuits, comparisons.sessions, comparisons.assessors]
    if groups.contains(where: { ($0.varianceComponentPct ?? 0) > flags.between }) { notes.insert(.largeBetween) }
    if decision.ownCut != nil { notes.insert(.fixedCut) }
    return notes.sorted()
  }

  /// What two assessors gave: items, global ratings and scores.
  typealias Material = (items: Agreement.Material, grades: Agreement.Material, scores: Agreement.Material)

  /// Compares the lead's seat with each other one; nil where nobody is marked twice.
  static func material(_ plan: StationPlan, _ standings: [Standing]) -> Material? {
    var (grades, scores) = (Agreement.Material(), Agreement.Material())
    var isDouble = plan.items != nil
    for standing in standings where standing.isOfStation {
      guard let first = standing.place.seats.first, first.isHeld else { continue }
      for second in standing.place.seats.dropFirst() where second.isHeld {
        isDouble = true
        let assessors = [first.assessor, second.assessor]
        if first.forms != second.forms {
          grades.leftOut.otherForm += 1
          scores.leftOut.otherForm += 1
          continue
        }
        if let one = first.score, let other = second.score {
          scores.pairs.append(.init(one, other, assessors: assessors, margin: plan.margin))
        } else {
          scores.leftOut.blank += 1
        }
        for (one, other) in SeatScore.grades(of: first, and: second) {
          if let one = one.value, let other = other.value {
            grades.pairs.append(.init(one, other, assessors: assessors))
          } else if [one, other].contains(.none(.gradeUnable)) {
            grades.leftOut.unable += 1
          } else {
            grades.leftOut.blank += 1
          }
        }
      }
    }
    return isDouble ? (plan.items ?? .init(), grades, scores) : nil
  }
}

/// A standing with the score that counts.
private struct ScoredStanding {
  let standing: Standing
  let score: Double

  init?(_ standing: Standing) {
    guard let score = standing.score else { return nil }
    (self.standing, self.score) = (standing, score)
  }
}

extension StationResult.CutFigures {
  fileprivate init(
    _ cut: Double?, method: Policy.Method, seCut: Double?, _ scores: [Double], _ points: [StationResult.Point],
    borderline: Double, _ rounding: Policy.Rounding
  ) {
    (self.cut, self.method, self.seCut) = (cut, method, seCut)
    func isBelow(_ score: Double, _ cut: Double) -> Bool { !rounding.reaches(score, cut) }
    failed = cut.map { cut in scores.count { isBelow($0, cut) } }
    gradedPassBelowCut = cut.map { cut in
      points.count { $0.grade > borderline + Moments.tolerance && isBelow($0.score, cut) }
    }
    gradedFailAboveCut = cut.map { cut in
      points.count { $0.grade < borderline - Moments.tolerance && !isBelow($0.score, cut) }
    }
  }
}

extension StationResult.Comparisons {
  fileprivate init(_ plan: StationPlan, _ scored: [ScoredStanding], _ standings: [Standing]) {
    circuits = BetweenGroups(scored.map { ($0.standing.place.circuit, $0.score) })
    sessions = BetweenGroups(scored.map { ($0.standing.place.session, $0.score) })
    assessors = StationResult.Comparisons.assessors(scored)
    agreement = StationResult.material(plan, standings).map { StationResult.Agreements($0) }
  }

  /// The assessors' figure, with how it hangs together with the circuits'.
  private static func assessors(_ scored: [ScoredStanding]) -> BetweenGroups {
    var figure = BetweenGroups(scored.map { ($0.standing.joined.assessor, $0.score) })
    if figure.groups.isEmpty {
      figure.add(.noAssessor)
      return figure
    }
    var circuits: [String: Set<String>] = [:]
    var assessors: [String: Set<String>] = [:]
    for one in scored {
      guard let assessor = one.standing.joined.assessor, let circuit = one.standing.place.circuit else { continue }
      circuits[assessor, default: []].insert(circuit)
      assessors[circuit, default: []].insert(assessor)
    }
    if assessors.count > 1 && circuits.values.allSatisfy({ $0.count == 1 }) {
      figure.add(.assessorNestedInCircuit)
      if assessors.values.allSatisfy({ $0.count == 1 }) { figure.add(.assessorIsCircuit) }
    }
    return figure
  }
}

extension StationResult.ItemCounts {
  fileprivate init(_ standings: [Standing], _ scored: [ScoredStanding], isCounted: Bool) {
    blanks = standings.filter(\.isOfStation).reduce(0) { $0 + $1.joined.blanks }
    unable = scored.reduce(0) { $0 + $1.standing.joined.unable }
    criticalFailures = isCounted ? standings.reduce(0) { $0 + $1.critical.count { $0.state == .failed } } : 0
  }
}

extension StationResult.Agreements {
  init(_ material: StationResult.Material) {
    items = Agreement(material.items, isScore: false)
    grade = Agreement(material.grades, isScore: false)
    score = Agreement(material.scores, isScore: true)
  }
}

extension SeatScore {
  /// Whether anything is there to compare: what is not signed yet may still change.
  fileprivate var isHeld: Bool { isSigned && (score != nil || grade.value != nil) }

  /// The grades that two assessors gave on the same sheet, once for each sheet that asks for one; the joined ones where
  /// the sheets are not known, or none asks.
  fileprivate static func grades(of first: SeatScore, and second: SeatScore) -> [(Grade, Grade)] {
    let pairs = first.forms.compactMap { form -> (Grade, Grade)? in
      guard let one = first.gradesByForm[form], let other = second.gradesByForm[form] else { return nil }
      return one == .none(.noGlobalItem) && other == one ? nil : (one, other)
    }
    // Of scores that were read from a file only the joined grade is known.
    let isKnown = !first.gradesByForm.isEmpty || !second.gradesByForm.isEmpty
    return isKnown ? pairs : [(first.grade, second.grade)]
  }
}

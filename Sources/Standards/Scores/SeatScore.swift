/// What one assessor of a candidate at a station came to, over all sheets that this assessor fills.
public struct SeatScore: Equatable, Sendable {
  /// A candidate's global grade.
  public enum Grade: Equatable, Sendable {
    case value(Double)
    /// There is none, and why.
    case none(Reason)

    /// The grade, if there is one.
    public var value: Double? { if case .value(let value) = self { value } else { nil } }
  }

  /// The seat's name; empty for the lead's in a file that has no seats.
  public let seat: String
  /// Who marked, by username.
  public var assessor: String?
  /// The sheets that were used, by code.
  public var forms: [String] = []
  /// The global grades, each of its own sheet, by the sheet's code; none where only the joined one is known.
  public private(set) var gradesByForm: [String: Grade] = [:]
  /// Whether every sheet that counts is signed.
  public private(set) var isSigned = true
  /// The score, in percent or as it was read.
  public var score: Double?
  /// Why there is no score.
  public var reason: Reason?
  /// The global grade.
  public var grade: Grade
  /// The sum of the marks.
  public var points: Double?
  /// The largest possible sum of marks.
  public var maximum: Double?
  /// How many items were left blank.
  public var blanks = 0
  /// How many items could not be assessed.
  public var unable = 0

  /// Makes one from its parts.
  public init(seat: String, assessor: String? = nil, score: Double?, grade: Grade, reason: Reason? = nil) {
    (self.seat, self.assessor, self.score, self.grade) = (seat, assessor, score, grade)
    self.reason = score == nil ? reason ?? .noSheet : nil
  }

  /// Joins the sheets that one assessor fills for one candidate.
  /// - Parameters:
  ///   - isSigned: whether every sheet that counts is signed.
  ///   - sheets: of each counted form in order its score and grade; nil where nothing counts for it, with the reason.
  public init(
    seat: String, assessor: String?, isSigned: Bool = true,
    sheets: [(form: String, result: Result<(SheetScore, Grade), MissingSheet>)]
  ) {
    self.seat = seat
    self.assessor = assessor
    self.isSigned = isSigned
    forms = sheets.map(\.form)
    var held: [(SheetScore, Grade)] = []
    var missing: Reason?
    for sheet in sheets {
      switch sheet.result {
      case .success(let found):
        held.append(found)
        gradesByForm[sheet.form] = found.1
      case .failure(let failure): missing = missing ?? failure.reason
      }
    }
    blanks = held.reduce(0) { $0 + $1.0.blanks }
    unable = held.reduce(0) { $0 + $1.0.unable }
    let grades = held.compactMap(\.1.value)
    grade =
      Moments.mean(grades).map { .value($0) }
      ?? held.lazy.map(\.1).first { $0 != .none(.noGlobalItem) } ?? .none(.noGlobalItem)
    if let missing {
      reason = held.isEmpty ? missing : .formMissing
    }
    if held.isEmpty { return }
    points = held.reduce(0) { $0 + $1.0.points }
    maximum = held.reduce(0) { $0 + $1.0.maximum }
    // A sheet with nothing scored takes nothing from the others of its assessor.
    let without = held.lazy.compactMap(\.0.reason).first { $0 != .nothingScored || maximum! <= 0 }
    reason = reason ?? without
    if reason == nil { score = 100 * points! / maximum! }
  }

  /// Nothing is held of a sheet that counts.
  public struct MissingSheet: Error, Equatable, Sendable {
    /// Why.
    public let reason: Reason
    /// Makes one from its parts.
    public init(_ reason: Reason) { self.reason = reason }
  }
}

/// What a candidate has at a station, of one assessor or of several.
struct JoinedScore {
  var score: Double?
  var grade: SeatScore.Grade
  var reason: Reason?
  var points: Double?
  var maximum: Double?
  var blanks = 0
  var unable = 0
  /// Who marked, sorted, joined with `+`.
  var assessor: String?
  var notes: [Note] = []

  /// - Parameters:
  ///   - seats: what is held, in the order of seats.
  ///   - isDouble: whether more than one assessor is planned.
  ///   - margin: how far two may differ, in points.
  ///   - ruling: which score stands, where the lead has ruled; a seat that has none is no ruling.
  init(
    _ seats: [SeatScore], isDouble: Bool, by rule: Policy.DoubleMarks, margin: Double,
    ruling: PlaceScore.Ruled? = nil
  ) {
    var (seats, isDouble, rule) = (seats, isDouble, rule)
    if case .seat(let name) = ruling, let seat = seats.first(where: { $0.seat == name && $0.score != nil }) {
      (seats, isDouble, rule) = ([seat], false, .first)
    } else if case .mean = ruling {
      rule = .mean
    }
    let scored = seats.filter { $0.score != nil }
    var counted = scored
    if rule == .first { counted = Array(scored.prefix(1)) }
    if isDouble && scored.count == 1 || rule == .first && scored.first?.seat != seats.first?.seat {
      notes.append(.oneAssessor)
    }
    let scores = counted.compactMap(\.score)
    let grades = (rule == .first ? counted : seats).compactMap(\.grade.value)
    score = Moments.mean(scores)
    grade =
      Moments.mean(grades).map { .value($0) } ?? (counted.first ?? seats.first)?.grade ?? .none(.gradeBlank)
    // What one assessor holds says more than that another holds nothing.
    reason = score == nil ? seats.lazy.compactMap(\.reason).first { $0 != .noSheet } ?? .noSheet : nil
    if rule == .adjudicated, scored.count > 1 {
      let isFar = Agreement.isBeyond(scores.max()! - scores.min()!, margin: margin)
      if isFar || Set(scored.map(\.forms)).count > 1 { (score, reason) = (nil, .notAdjudicated) }
    }
    // Whatever a blank is worth it is one, also where it costs an assessor the score.
    blanks = (rule == .first && !counted.isEmpty ? counted : seats).reduce(0) { $0 + $1.blanks }
    unable = counted.reduce(0) { $0 + $1.unable }
    let names = Set(counted.compactMap(\.assessor))
    assessor = names.isEmpty ? nil : names.sorted().joined(separator: "+")
    let maxima = Set((counted.isEmpty ? seats : counted).compactMap(\.maximum))
    if maxima.count == 1 {
      maximum = maxima.first
      points = Moments.mean((counted.isEmpty ? seats : counted).compactMap(\.points))
    }
    if case .typed(let typed, let typedGrade) = ruling {
      (score, reason, points, maximum) = (typed, nil, nil, nil)
      if let typedGrade { grade = .value(typedGrade) }
    }
  }
}

import CircuitModel
import ExamStore
import GRDB
import Journal
import Standards
import Timer

/// What a lock seals: one canonical JSON document, from whose bytes the final hash follows.
public struct LockContent: Equatable, Sendable {
  /// `{"amendment","counts","exam","heads","lockedAt","policy","results","scope","waivers"}`, members sorted.
  public let text: String
  /// SHA-256 of the text, in hexadecimal digits.
  public let hash: String

  /// Makes what is to be locked from the store as it was examined.
  /// - Parameters:
  ///   - examined: what the doctor found; the chains must still end where they ended then.
  ///   - amendment: 0 for the lock itself.
  /// - Throws: `RulingRefusal` where a check is open, or something was changed since.
  public static func make(
    _ closing: ClosingReport, examined: Diagnosis, amendment: Int = 0, at now: Instant, in db: Database
  ) throws -> LockContent {
    // An amendment is of what was in order when it was locked.
    let open = amendment > 0 ? 0 : closing.checks.count { !$0.isOK }
    if open > 0 { throw RulingRefusal.open(open) }
    let heads = try LockHead.all(in: db)
    let seen = Set(
      examined.chainEnds.map { LockHead(device: $0.device.description, hash: $0.hash.description, seq: $0.operations) })
    if Set(heads) != seen { throw RulingRefusal.changedMeanwhile }
    return LockContent(
      closing, heads: heads, results: try digest(closing.scope, at: now, in: db), exam: try ExamSettings.read(db).name,
      policy: closing.policy, amendment: amendment, at: now)
  }

  private init(
    _ closing: ClosingReport, heads: [LockHead], results: String, exam: String?, policy: PolicyInForce, amendment: Int,
    at now: Instant
  ) {
    let waived = closing.checks.flatMap { check in
      check.lines.compactMap { line in
        line.waiver.map { ruling in
          JSONDocument.object([
            ("check", .text(check.code.rawValue)), ("line", .text(line.id)), ("reason", .text(ruling.reason)),
            ("staff", .optional(ruling.staff)),
          ])
        }
      }
    }
    let document = JSONDocument.object([
      ("amendment", .number(amendment)), ("counts", closing.identity.json), ("exam", .optional(exam)),
      (
        "heads",
        .array(
          heads.map {
            .object([("device", .text($0.device)), ("hash", .text($0.hash)), ("seq", .integer($0.seq))])
          })
      ),
      ("lockedAt", .time(now)), ("policy", policy.json), ("results", .text(results)),
      ("scope", .text(closing.scope.name)),
      ("waivers", .array(waived)),
    ])
    text = document.canonical.text
    hash = LockContent.hash(of: text)
  }

  /// The hash of a content.
  static func hash(of text: String) -> String {
    var digest = StreamDigest()
    digest.update(text.utf8)
    return digest.text
  }

  /// The results in one number: SHA-256 of their canonical JSON without state, instant and head. A part of the exam has
  /// no cut of its own: of it, what each assessor gave is sealed.
  ///
  /// Candidates stand in it by the keys of their rows: who is forgotten afterwards loses the number, and the seal holds.
  /// - Parameter scores: what was read by the exam's choices already; nil: it is read.
  static func digest(
    _ scope: ExamLock.Scope, at now: Instant, from scores: StoredScores? = nil, in db: Database
  ) throws -> String {
    if !scope.isExam { return digest(scope, of: try scored(in: db)) }
    let report = try ResultsReport.read(.init(), namedBy: .row, differs: false, from: scores, in: db, at: now)
    guard case .object(let members) = report.json else { return "" }
    let kept = members.filter { !["state", "at", "head"].contains($0.0) }
    return hash(of: JSONDocument.object(kept).canonical.text)
  }

  /// The same of a part of the exam.
  /// - Parameter candidates: what `scored` reads.
  static func digest(_ scope: ExamLock.Scope, of candidates: [CandidateScores]) -> String {
    hash(of: given(in: scope, candidates).canonical.text)
  }

  /// The scores of all candidates, whatever the policy makes of blanks: read once for all parts.
  static func scored(in db: Database) throws -> [CandidateScores] {
    let scores = try StoredScores.read(Policy(), in: db).exam.named(by: CandidateKeys.read(in: db))
    return scores.candidates.sorted { CandidateOrder.isBefore($0.number, $1.number) }
  }

  /// What each assessor gave each candidate in a part of the exam.
  private static func given(in scope: ExamLock.Scope, _ candidates: [CandidateScores]) -> JSONDocument {
    var given: [JSONDocument] = []
    for candidate in candidates {
      for place in candidate.places where scope.covers(circuit: place.circuit ?? "", session: place.session ?? "") {
        let seats = place.seats.map { seat -> JSONDocument in
          .object([
            ("seat", .text(seat.seat)), ("score", .real(seat.score)), ("grade", .real(seat.grade.value)),
            ("reason", .optional(seat.reason?.rawValue)),
          ])
        }
        given.append(
          .object([
            ("candidate", .text(candidate.number)), ("station", .text(place.station)),
            ("circuit", .optional(place.circuit)), ("session", .optional(place.session)),
            ("reason", .optional(place.reason?.rawValue)), ("seats", .array(seats)),
          ]))
      }
    }
    return .array(given)
  }
}

extension JSONDocument {
  /// The same with the members of every object in the order of their names.
  var canonical: JSONDocument {
    switch self {
    case .array(let elements): .array(elements.map(\.canonical))
    case .object(let members):
      .object(
        members.map { ($0.0, $0.1.canonical) }.sorted {
          $0.0.unicodeScalars.lexicographicallyPrecedes($1.0.unicodeScalars)
        })
    case .null, .bool, .integer, .mark, .real, .text: self
    }
  }
}

import ArgumentParser
import CircuitModel

/// `osce rule adjudicate`.
struct RuleAdjudicate: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "adjudicate", abstract: "Say which of two assessors' scores stands.")

  @Argument(help: "The station's code.")
  var station: String
  @Argument(help: "The candidate's number.")
  var candidate: String
  @Option(name: .long, help: "Whose score and grade stand: a seat, as lead or \"seat 2\", or its assessor's username.")
  var seat: String?
  @Flag(name: .long, help: "The mean of both stands.")
  var mean = false
  @Option(name: .long, help: "A score of its own, in percent, with --grade where the mark sheet has a global rating.")
  var score: Double?
  @Option(name: .long, help: "The global grade that goes with --score.")
  var grade: Double?
  @OptionGroup var ruling: RulingOptions

  func validate() throws {
    if [seat != nil, mean, score != nil].count(where: { $0 }) != 1 {
      throw ValidationError("adjudicate takes one of --seat, --mean and --score")
    }
    if grade != nil && score == nil { throw ValidationError("--grade goes with --score") }
  }

  func run() throws {
    try ruling.rule(on: .init(station: station, candidate: candidate)) { transaction in
      let candidate = try CandidateLabel.known(candidate, in: transaction.db)
      let named = try seat.map { try Rulings.seat($0, of: candidate, at: station, in: transaction.db) }
      return .adjudication(score.map { .typed(score: $0, grade: grade) } ?? named.map { .seat($0.name) } ?? .mean)
    }
  }
}

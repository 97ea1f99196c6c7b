import ArgumentParser
import CircuitModel
import ExamStore
import Reports

/// `osce rule settle`.
struct RuleSettle: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "settle", abstract: "Say which of two values of one field is right, where terminals had not met.",
    discussion: "osce close lists such fields with their subject and their values by number.")

  @Argument(help: "Its subject, as it stands before the line in osce close.")
  var subject: String
  @Argument(help: "The number of the value that is right, from 1.")
  var value: Int
  @OptionGroup var ruling: RulingOptions

  func run() throws {
    try ruling.act { lead, transaction in
      let named = try Contradiction.all(in: transaction.db).filter { $0.row.id == subject || "\($0.row)" == subject }
      guard let found = named.first else {
        throw StoreError("\(subject) has no field with two values; osce close --json lists them")
      }
      if named.count > 1 {
        throw StoreError("several rows have that key; name one of \(named.map { "\($0.row)" }.joined(separator: ", "))")
      }
      guard found.choices.indices.contains(value - 1) else {
        throw StoreError("the values have the numbers 1 to \(found.choices.count); got \(value)")
      }
      let report = try ContradictionReport.read(found.row, in: transaction.db)
      let key = try found.settle(for: found.choices[value - 1].id, reason: ruling.reason, by: lead, transaction)
      let text = report?.choices[value - 1].text ?? ""
      return "settled: \(report?.subject ?? subject): \(text)\nruled: \(key)\n"
    }
  }
}

import CircuitModel
import GRDB

/// Who gave a mark, and who typed it.
public struct MarkOrigin: Equatable, Sendable {
  /// The name of who judged; nil where nobody is recorded.
  public let judge: String?
  /// The name of who typed; nil where nobody is recorded.
  public let typist: String?
  /// Whether it was typed from paper.
  public let isFromPaper: Bool
  /// What a line says of it after the mark: nothing where who signed the sheet gave it at the screen.
  public let text: String

  /// - Parameter signer: the key of who signed the sheet; nil where nobody has.
  init(_ item: HeldItem, signer: Int64?, in db: Database) throws {
    func name(_ person: Int?) throws -> String? { try person.flatMap { try personName(of: Int64($0), in: db) } }
    judge = try name(item.judge)
    typist = try name(item.enteredBy)
    isFromPaper = item.isFromPaper
    var text = ""
    if let judge, item.judge.map(Int64.init) != signer { text += ", by \(judge)" }
    let other = item.enteredBy == item.judge ? nil : typist
    if isFromPaper || other != nil { text += ", typed" }
    if isFromPaper { text += " from paper" }
    if let other { text += " by \(other)" }
    self.text = text
  }
}

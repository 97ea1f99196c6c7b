import ExamStore
import Foundation
import GRDB

/// Ready-made texts to put into a comment: `phrases` of `Config.settings`.
public enum Phrases {
  /// The texts of one category of comments, or of none.
  public struct Group: Equatable, Sendable {
    /// The category; empty for texts that belong to none.
    public let name: String
    /// The texts, as they were written.
    public let texts: [String]
  }

  /// The exam's phrases: those of no category first, then the others in the order of their categories.
  public static func read(_ db: Database) throws -> [Group] {
    let json = try ExamSettings.json(db)
    let order = try String.fetchAll(db, sql: "SELECT name FROM commentGroup WHERE dsDeleted = 0 ORDER BY dsid")
    let places = Dictionary(order.enumerated().map { ($1, $0) }) { first, _ in first }
    return groups(json: json).filter { !$0.texts.isEmpty }.sorted { left, right in
      let (first, second) = (place(left.name, places), place(right.name, places))
      return first == second ? left.name < right.name : first < second
    }
  }

  private static func place(_ name: String, _ places: [String: Int]) -> Int {
    name.isEmpty ? -1 : places[name] ?? Int.max
  }

  static func groups(json: String?) -> [Group] {
    struct Grouped: Decodable { var phrases: [String: [String]]? }
    struct Plain: Decodable { var phrases: [String]? }
    guard let data = json.map({ Data($0.utf8) }) else { return [] }
    if let grouped = try? JSONDecoder().decode(Grouped.self, from: data) {
      return (grouped.phrases ?? [:]).map { Group(name: $0, texts: $1) }
    }
    return (try? JSONDecoder().decode(Plain.self, from: data))?.phrases.map { [Group(name: "", texts: $0)] } ?? []
  }
}

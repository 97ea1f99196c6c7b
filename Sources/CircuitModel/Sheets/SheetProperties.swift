import ExamStore
import Foundation
import GRDB

/// What `TypeForm.props` says: the reference's own extension point.
package struct SheetProperties {
  /// The item that is the global rating: its key, number or text.
  package private(set) var globalRating: String?
  /// Whether the station is tried out and does not count.
  package private(set) var isPilot = false
  /// The grade of a borderline candidate.
  package private(set) var borderlineGrade: Double?
  /// The station's weight in the exam.
  package private(set) var weight: Double?
  /// The items that must not be failed, by key, number or text.
  package private(set) var critical: [String] = []

  /// Reads the JSON object; what cannot be read counts as absent.
  package init(json: String?) {
    struct Shape: Decodable {
      var globalRating: Name?
      var pilot: Bool?
      var borderlineGrade: Double?
      var stationWeight: Double?
      var criticalItems: [Name]?
    }
    /// An item named by key or by number.
    enum Name: Decodable {
      case text(String)
      case number(Int)

      var text: String {
        switch self {
        case .text(let text): text
        case .number(let number): String(number)
        }
      }

      init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let number = try? container.decode(Int.self) {
          self = .number(number)
        } else {
          self = .text(try container.decode(String.self))
        }
      }
    }
    guard let json, let shape = try? JSONDecoder().decode(Shape.self, from: Data(json.utf8)) else { return }
    isPilot = shape.pilot ?? false
    globalRating = shape.globalRating?.text
    borderlineGrade = shape.borderlineGrade
    weight = shape.stationWeight
    critical = (shape.criticalItems ?? []).map(\.text)
  }
}

extension SheetProperties {
  /// Whether an item must not be failed.
  /// - Parameter name: what names its question, see `QuestionKeys`.
  package func isCritical(_ item: ItemTemplate, name: String) -> Bool {
    critical.contains { SheetProperties.names(of: item, name).contains($0) }
  }

  /// The items that it names.
  package var namedItems: [String] { [globalRating].compactMap { $0 } + critical }

  /// The items that it names and that the template lacks.
  package func lackedItems(of template: SheetTemplate, _ keys: QuestionKeys) -> [String] {
    lackedItems(among: template.items.flatMap { SheetProperties.names(of: $0, keys.name(of: $0.question)) })
  }

  /// The items that it names and that the form lacks.
  /// - Parameter names: what the items of the form can be named by: key, number and text.
  package func lackedItems(among names: [String]) -> [String] {
    let names = Set(names)
    return namedItems.filter { !names.contains($0) }
  }

  private static func names(of item: ItemTemplate, _ name: String) -> [String] {
    [name, String(item.question), item.text]
  }

  /// What a form says.
  /// - Parameter form: its key in `TypeForm`.
  package static func of(_ form: Int, in db: Database) throws -> SheetProperties {
    let statement = try db.cachedStatement(sql: "SELECT props FROM typeForm WHERE dsid = ?")
    return SheetProperties(json: try ReadRow.fetchOne(statement, arguments: [form]).flatMap { $0[0] })
  }
}

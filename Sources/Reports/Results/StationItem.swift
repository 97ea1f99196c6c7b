import CircuitModel
import ExamStore
import GRDB
import Standards

/// A scored item of a station, with what candidates got for it.
public struct StationItem: Sendable {
  /// The item's key.
  public let key: String
  /// What is marked.
  public let text: String
  /// The most that it can give.
  public let maximum: Double
  /// How many answers were given.
  public private(set) var n = 0
  /// Whether it is in no score: a pilot, or left out.
  public let isLeftOut: Bool
  private var sum = 0.0

  /// What was given, in percent of the most; nil where nothing was.
  public var percent: Double? { n == 0 || maximum <= 0 ? nil : 100 * sum / (Double(n) * maximum) }

  /// The items of a station in the order of its sheets.
  /// - Parameter station: its code.
  public static func all(of station: String, _ policy: Policy, in db: Database) throws -> [StationItem] {
    let places = try StationSession.all(in: db).filter { $0.stationCode == station }
    let keys = try QuestionKeys.all(in: db)
    let pilots = Set(policy.stations[station]?.pilotItems ?? [])
    let excluded = Set(
      policy.exclude.filter { $0.station == station && $0.circuit == nil && $0.session == nil && $0.candidate == nil }
        .compactMap(\.item))
    var order: [String] = []
    var found: [String: StationItem] = [:]
    try SheetWalk.forEach(.whole, at: places, in: db) { sheet in
      for item in sheet.template.items where item.kind.isScored && item.link != sheet.template.globalRating {
        let key = keys.name(of: item.question)
        if found[key] != nil { continue }
        order.append(key)
        found[key] = StationItem(
          key: key, text: item.text, maximum: item.scoreMaximum?.number ?? 0,
          isLeftOut: pilots.contains(key) || excluded.contains(key))
      }
      for item in sheet.held?.items ?? [] {
        guard let rating = item.rating, !item.isUnable else { continue }
        let key = keys.name(of: item.template.question)
        found[key]?.n += 1
        found[key]?.sum += rating.number
      }
    }
    return order.compactMap { found[$0] }
  }

  private init(key: String, text: String, maximum: Double, isLeftOut: Bool) {
    (self.key, self.text, self.maximum, self.isLeftOut) = (key, text, maximum, isLeftOut)
  }
}

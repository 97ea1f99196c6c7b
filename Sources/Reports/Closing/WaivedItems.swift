import CircuitModel
import GRDB

/// What sheets call the items that were accepted as they are: a waiver has their keys alone.
struct WaivedItems {
  /// By the waiver's key.
  private let texts: [String: String]

  init(_ rulings: [ExamRuling], _ keys: QuestionKeys, in db: Database) throws {
    let waivers = rulings.filter { $0.kind == .waiver && $0.scope.item != nil && $0.scope.candidate != nil }
    let all = try waivers.isEmpty ? [] : StationSession.all(in: db)
    let places = all.filter { place in waivers.contains { $0.scope.isAt(place) } }
    let byCandidate = Dictionary(grouping: waivers) { $0.scope.candidate }
    var texts: [String: String] = [:]
    try SheetWalk.forEach(.whole, at: places, in: db) { sheet in
      for waiver in byCandidate[sheet.entry.number] ?? [] where texts[waiver.key] == nil {
        guard waiver.scope.isAt(sheet.place),
          let item = sheet.held?.items.first(where: { keys.name(of: $0.template.question) == waiver.scope.item })
        else { continue }
        texts[waiver.key] = "item \(item.number): \(item.template.text)"
      }
    }
    self.texts = texts
  }

  /// `item 3: Washes hands`; nil where the ruling is no waiver of an item, or no sheet has the item any more.
  subscript(ruling: ExamRuling) -> String? { texts[ruling.key] }
}

extension ExamRuling.Scope {
  /// Whether it is of a station session; where it names no circuit or session, of any.
  func isAt(_ place: StationSession) -> Bool {
    station == place.stationCode && (circuit ?? place.circuit.name) == place.circuit.name
      && (session ?? place.session.name) == place.session.name
  }
}

import Characters
import CircuitModel
import Journal

extension ImportReport {
  /// What the import did, line by line: counts first, then what it kept, left deleted, did not delete and withdrew,
  /// and which running clocks have another plan.
  public var lines: [String] {
    ["\(Plural.count(created, "row")) added, \(changed) changed, \(unchanged) unchanged"] + kept.map(line)
      + Self.list(leftDeleted, as: "left deleted") { "left deleted: \(name($0))" }
      + Self.list(notDeleted, as: "NOT deleted", line)
      + withdrawn.map(Self.line) + versions.map { "\($0)" } + outdated.map(Self.line)
  }

  private static func list<Entry>(_ entries: [Entry], as what: String, _ line: (Entry) -> String) -> [String] {
    let more = entries.count - longestList
    return entries.prefix(longestList).map(line) + (more > 0 ? ["\(what): \(more) more rows"] : [])
  }

  private func line(_ field: KeptField) -> String {
    let reason =
      switch field.reason {
      case .changedHere: "edited since the last import"
      case .recordedHere: "already recorded for"
      case .namesDeleted: "it names a deleted row"
      }
    return "not overwritten, \(reason): \(name(field.row)) \(field.field)"
  }

  private static func line(_ station: WithdrawnStation) -> String {
    "withdrawn: \(station.title), \(station.circuit), \(station.session.name)"
      + (station.reason.map { ": \($0)" } ?? "")
      + (station.signedSheets == 0
        ? "" : "; \(Plural.count(station.signedSheets, "signed sheet")) count no more")
  }

  private static func line(_ run: OutdatedRun) -> String {
    let rounds = Plural.count(run.rounds, "round")
    return "clock running: \(run.circuit), \(run.session.name): it keeps its phases and \(rounds)"
      + (run.remedy.map { "; \($0)" } ?? "")
  }

  private func line(_ left: NotDeleted) -> String {
    let reason =
      switch left.obstacle {
      case .madeHere(let row) where row == left.row: "it was made or changed here"
      case .madeHere(let row): "\(name(row)) below it was made or changed here"
      case .neededBy(let row): "\(name(row)) needs it"
      case .goesWith(let row): "\(name(row)) stays"
      }
    return "NOT deleted: \(name(left.row)): \(reason)"
  }

  private func name(_ row: RowKey) -> String {
    guard let place = places[row] else { return names[row] ?? "\(row.entity) \(row.id)" }
    let entry = "\(place.candidate) at \(place.station)" + (place.round.map { " in round \($0)" } ?? "")
    return row.entity == Stored.TimetableAttendanceLog.entityName ? entry : "\(row.entity) of \(entry)"
  }
}

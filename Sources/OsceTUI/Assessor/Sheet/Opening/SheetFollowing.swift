import CircuitModel
import ExamStore
import Journal
import Reports

/// An open sheet follows what others save: it reads only what they have changed of it, and nothing of other sheets.
extension SheetScreen {
  func follow(_ changed: Set<RowKey>) -> Bool {
    var items: [SheetItem] = []
    var (isAllOver, hasSittings, hasAttendance, hasComments) = (false, false, false, false)
    for row in changed {
      switch row.entity {
      case Stored.TimetableAttendanceLog.entityName where row.id != entryKey:
        hasAttendance = hasAttendance || presence != .inTheRoom
      case Stored.Sitting.entityName: hasSittings = true
      case Stored.CommentMetaStationCandidate.entityName: hasComments = true
      case _ where row.isItem: if let (item, _) = index.item(row.id) { items.append(item) }
      default: isAllOver = isAllOver || concerns(row)
      }
    }
    let isAsideOld = surroundings.aside != nil && changed.contains { SheetAside.entities.contains($0.entity) }
    if isAsideOld { surroundings.isAsideOld = true }
    let isSaid = hasSittings && readOpenings()
    if hasAttendance, !isAllOver { readSuccessor() }
    if hasComments, !isAllOver { readWritten() }
    if isAllOver {
      reload()
    } else if !items.isEmpty {
      reread(items)
    }
    return isAllOver || !items.isEmpty || isSaid || hasAttendance || hasComments || isAsideOld
  }

  /// Whether a change of a row asks for the sheet as a whole.
  private func concerns(_ row: RowKey) -> Bool {
    switch row.entity {
    case Stored.SlotTable.entityName, Stored.RerunEntry.entityName: true
    case Stored.TimetableAttendanceLog.entityName: row.id == entryKey
    case Stored.Student.entityName: entry?.candidate.map { row.id == String($0.id) } ?? false
    // Before the identity step there is no sheet: one may be moved here.
    case Stored.DataForm.entityName:
      sheet == nil || otherSeats.contains(row.id) || entry?.sheets.contains { $0.key == row.id } == true
    case Stored.DataSection.entityName: index.hasSection(row.id) || isCopyOfSection(row.id)
    default: false
    }
  }

  /// Whether a section that is not shown belongs to the sheet: a copy that was made at another terminal.
  private func isCopyOfSection(_ key: String) -> Bool {
    guard let sheet else { return false }
    return context.read { try sheet.hasSection(key, in: $0) } ?? true
  }

  /// The rows that the screen shows.
  var shownRows: [RowKey] {
    guard let sheet else { return [] }
    return sheet.items.map(\.row) + sheet.sections.map { Stored.DataSection.row($0.key) }
      + [Stored.DataForm.row(sheet.key), Stored.TimetableAttendanceLog.row(entryKey)]
  }
}

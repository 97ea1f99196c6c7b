import CircuitModel
import ExamStore
import GRDB
import Journal
import Reports

/// One candidate's mark sheet at one seat as it is worked on: what was read of it, what is still on its way to the disk,
/// what can be undone, and where the focus is. It knows no screen and no clock.
struct SheetModel {
  /// What a look at the store brought.
  struct Reading {
    /// The last operation that it saw.
    let sequence: Int64
    /// Whether the open sheet was closed by it: it is another candidate's now, or nobody is recorded as present.
    let isClosed: Bool
    /// Sheets of other seats that are not this candidate's any more.
    let gone: Set<String>
  }

  let entryKey: String
  let seat: Seat
  private(set) var entry: RosterEntry?
  /// The open sheet; nil before the identity step.
  private(set) var sheet: Sheet? {
    didSet {
      index = SheetIndex(sheet)
      if sheet?.template != oldValue?.template { templates += 1 }
    }
  }
  /// How many templates have been shown, one after the other.
  private(set) var templates = 0
  /// What frames look up of the sheet.
  private(set) var index = SheetIndex(nil)
  /// Where the sheet's marks are.
  private(set) var places = SheetPlaces()
  /// The sheets of the other seats of this candidate.
  private(set) var otherSeats: Set<String> = []
  /// Another sheet came to this candidate while one was open: who is in the room is to be confirmed again.
  private(set) var isExchanged = false
  /// Items with changes that are not on the disk yet, and how many.
  var pending: [String: Int] = [:]
  var history = MarkHistory()
  var rows = SheetRows()
  var folded: Set<String> = []
  private var reading: (item: String, level: Int)?
  /// Whether the sheet was opened here to type it from paper, so that no identity check comes before it.
  private var isOpenedFromPaper = false
  /// Which of the candidate's sheets at this station it is.
  private var place = 0

  init(entry: String, seat: Seat) { (entryKey, self.seat) = (entry, seat) }

  // MARK: The focus

  var focusedItem: SheetItem? { index.focusedItem(of: rows) }

  /// The level of the focused item that is being read with the arrows, by its place. It is forgotten with the focus:
  /// Enter marks what is read.
  var readLevel: Int? {
    get { reading.flatMap { $0.item == focusedItem?.key ? $0.level : nil } }
    set { reading = newValue.flatMap { level in focusedItem.map { ($0.key, level) } } }
  }

  mutating func focusFirstBlank() {
    guard let sheet else { return }
    if let blank = sheet.items.first(where: \.isBlank) {
      rows.focus(item: blank.key)
    } else {
      rows.focusEnd()
    }
  }

  /// Opens the section that holds an item, if it is folded.
  mutating func unfold(_ item: SheetItem) {
    guard let section = sheet?.sections.first(where: { $0.items.contains { $0.key == item.key } }) else { return }
    if folded.remove(section.key) != nil { list() }
  }

  // MARK: Reading

  /// Reads entry and sheet as they stand on the disk.
  mutating func reload(_ store: ExamStore) throws -> Reading {
    let (key, seat, place, open, mustConfirm) = (entryKey, seat, place, sheet?.key, isExchanged)
    let isOpenedFromPaper = isOpenedFromPaper
    let before = otherSeats
    let (here, sequence): (String?, Int64)
    (entry, here, sheet, places, otherSeats, sequence) = try store.read { db in
      let sequence = try ExamStore.lastSequence(db)
      let entry = try Roster.entry(key, seat: seat, in: db)
      let others = try ShownSheet.others(onEntry: key, not: seat, in: db)
      guard let entry, entry.sheets.indices.contains(place) else {
        return (entry, nil, nil, SheetPlaces(), others, sequence)
      }
      let sheet = entry.sheets[place].key
      let isChanged = open != nil && open != sheet
      guard !mustConfirm, !isChanged, SheetModel.shows(entry, isOpen: open != nil, isOpenedFromPaper) else {
        return (entry, sheet, nil, SheetPlaces(), others, sequence)
      }
      let read = try Sheet.read(sheet, in: db)
      return (entry, sheet, read, try SheetPlaces.read(sheet: sheet, in: db), others, sequence)
    }
    let isClosed = open != nil && sheet == nil
    if isClosed { close(isExchanged: open != here) }
    return Reading(sequence: sequence, isClosed: isClosed, gone: before.subtracting(otherSeats))
  }

  /// Whether the sheet of an entry is shown: only that of somebody who was seen, here or by who marked on paper. Who is
  /// recorded absent while the sheet is open stays in view and is not marked.
  private static func shows(_ entry: RosterEntry, isOpen: Bool, _ isOpenedFromPaper: Bool) -> Bool {
    if isOpen && entry.isPresent == false { return true }
    let wasSeen = entry.identityCheckedAt != nil || entry.isUncheckedPaper || isOpenedFromPaper
    return wasSeen && (entry.isPractice || entry.isPresent == true)
  }

  /// Back to the identity step: nothing that was done on the sheet is undone here.
  private mutating func close(isExchanged: Bool) {
    self.isExchanged = isExchanged
    isOpenedFromPaper = false
    (history, reading, folded, rows) = (MarkHistory(), nil, [], SheetRows())
  }

  /// Takes in what was read of some items: after a mark nothing else of the sheet has changed.
  mutating func take(_ read: ReadItems) {
    for item in read.items { sheet?.replace(item) }
    for look in read.looks { places.note(look) }
  }

  /// Reads which of the sheet's marks the hub has taken.
  mutating func followHub(_ store: ExamStore) throws {
    guard let sheet else { return }
    var places = places
    try store.read { try places.followHub(sheet: sheet.key, in: $0) }
    self.places = places
  }

  /// Lists the rows again, and stays on the one that has the focus.
  mutating func list() { rows.rebuild(sheet, folded: folded) }

  // MARK: Which sheet

  /// Who is in the room was confirmed: the sheet that is here now is opened.
  mutating func confirmExchange() { isExchanged = false }

  /// Whether marks are typed from paper of a candidate whose identity nobody checked at a terminal.
  var isUncheckedPaper: Bool {
    guard let entry, entry.identityCheckedAt == nil else { return false }
    return isOpenedFromPaper || entry.isUncheckedPaper
  }

  /// The sheet is typed from paper: it is shown though nobody checked the identity here.
  mutating func openFromPaper() { isOpenedFromPaper = true }

  /// Forgets the sheet that is shown: the next reading shows the one at its place from the beginning.
  mutating func reset() {
    confirmExchange()
    (history, folded, reading, sheet) = (MarkHistory(), [], nil, nil)
  }

  /// Turns to the candidate's next sheet at this station.
  /// - Returns: false where there is one alone.
  mutating func turnToNextSheet() -> Bool {
    guard let count = entry?.sheets.count, count > 1 else { return false }
    place = (place + 1) % count
    return true
  }

  /// Turns to another of the candidate's sheets at this station.
  /// - Returns: false where that is shown already, is none of them, or none is open yet.
  mutating func turn(toSheet key: String) -> Bool {
    guard let sheet, sheet.key != key, let found = entry?.sheets.firstIndex(where: { $0.key == key }) else {
      return false
    }
    place = found
    return true
  }
}

import CircuitModel
import ExamStore

extension ClosingReport {
  /// `{"scope","state","identity":{…},"checks":[{"code","open","waived","ok","lines":[{…}],"ruled":[{…}]}],"lock":{…}|null,"parts":[{…}]}`:
  /// the parts are the sessions of circuits, each with the scope of the lock that covers it, and whether the marks come to the
  /// results that were locked.
  public var json: JSONDocument {
    .object([
      ("scope", .text(scope.name)), ("state", .text(state)), ("identity", identity.json),
      (
        "checks",
        .array(
          checks.map { check in
            .object([
              ("code", .text(check.code.rawValue)), ("open", .number(check.open.count)),
              ("waived", .number(check.lines.count - check.open.count)), ("ok", .bool(check.isOK)),
              ("lines", .array(check.lines.map(\.json))), ("ruled", .array(check.ruled.map(\.json))),
            ])
          })
      ), ("lock", lock),
      (
        "parts",
        .array(
          parts.map { part in
            .object([
              ("circuit", .optional(part.scope.circuit)), ("session", .optional(part.scope.session)),
              ("identity", part.identity.json), ("lock", .optional(part.lock?.scope.name)),
              ("results", .flag(part.lock == nil ? nil : !part.differsFromLock)),
            ])
          })
      ),
    ])
  }

  private var lock: JSONDocument {
    guard let first = locks.first else { return .null }
    return .object([
      ("id", .text(first.key)), ("at", .time(first.lockedAt)), ("by", .array(first.staff.map { .text($0) })),
      ("hash", .text(first.hash)), ("results", .bool(!differsFromLock)),
      (
        "amendments",
        .array(
          locks.dropFirst().map { amendment in
            .object([
              ("number", .number(amendment.amendment)), ("at", .time(amendment.lockedAt)),
              ("by", .array(amendment.staff.map { .text($0) })), ("reason", .optional(amendment.reason)),
              ("hash", .text(amendment.hash)),
            ])
          })
      ),
    ])
  }

  /// The sheets as a table, each with its class.
  static let sheetColumns = [
    "date", "start", "circuit", "station", "round", "student_number", "seat", "form", "assessor", "sheet", "signed_at",
    "class",
  ]

  /// Writes the sheets as comma-separated values.
  public func writeSheets(to write: ([UInt8]) throws -> Void) throws {
    let rows: [[ExportCell]] = sheets.map { sheet in
      [
        .text(sheet.place.session.date), .text(sheet.place.session.startTime), .text(sheet.place.circuit.name),
        .text(sheet.place.stationCode), .number(sheet.entry.round), .text(sheet.entry.number), .text(sheet.seat.name),
        .text(sheet.form), .optional(sheet.assessor), .optional(sheet.sheet), .instant(sheet.signedAt),
        .text(sheet.sheetClass.rawValue),
      ]
    }
    try ExportWriter.write(rows, CSVRows(ClosingReport.sheetColumns), to: write)
  }
}

extension ClosingIdentity {
  var json: JSONDocument {
    .object([
      ("expected", .number(expected)), ("held", .number(held)), ("absent", .number(absent)),
      ("excluded", .number(excluded)), ("queued", .number(queued)), ("open", .number(open)),
      ("unplanned", .number(unplanned)), ("practice", .number(practice)), ("holds", .bool(holds)),
    ])
  }
}

extension ClosingReport.Line {
  fileprivate var json: JSONDocument {
    .object([
      ("id", .text(id)), ("what", .text(what)), ("circuit", .optional(circuit)), ("session", .optional(session)),
      ("round", .number(round)), ("station", .optional(station)), ("candidate", .optional(candidate)),
      ("item", .optional(item)), ("sheet", .optional(sheet)), ("subject", .optional(subject)),
      ("call", .optional(call)), ("filled", .flag(isFilled)), ("terminal", .optional(terminal)),
      ("since", .time(since)), ("waived", .bool(waiver != nil)), ("reason", .optional(waiver?.reason)),
    ])
  }
}

extension ClosingReport.Ruled {
  fileprivate var json: JSONDocument {
    .object([
      ("key", .optional(key)), ("decision", .text(decision)), ("circuit", .optional(circuit)),
      ("session", .optional(session)), ("station", .optional(station)), ("candidate", .optional(candidate)),
      ("reason", .text(reason)), ("staff", .optional(staff)), ("at", .time(at)),
    ])
  }
}

import CircuitModel
import ExamStore
import GRDB

/// An exam that is nearly over: every candidate's sheets are there, most of their items marked.
public enum LargeExam {
  /// Makes every sheet and marks the first items of each, through the store's own writes. Station sessions that have
  /// sheets are left as they are, so that a smaller exam can grow.
  /// - Throws: what the store throws.
  public static func fill(_ exam: BenchExam, marked: Int, in store: ExamStore) throws {
    let filled = try store.read { db in
      try Int.fetchSet(
        db, sql: "SELECT e.timetableID FROM dataForm f JOIN timetableAttendanceLog e ON e.uuid = f.attendanceLogID")
    }
    for number in 0..<(exam.candidates / BenchExam.stations) {
      let (circuit, session) = (number % exam.circuits + 1, number / exam.circuits + 1)
      for station in 1...BenchExam.stations {
        let timetable = exam.timetable(circuit: circuit, session: session, station: station)
        if filled.contains(timetable) { continue }
        try store.write(Author(staff: exam.assessor(circuit: circuit, station: station).key)) { transaction in
          let marking = Marking(transaction)
          for round in 1...BenchExam.stations {
            let entry = exam.entry(timetable: timetable, round: round)
            let sheet = try SheetGenerator.makeSheets(entry: entry, seat: .lead, in: transaction)[0]
            let items = try Sheet.read(sheet, in: transaction.db)?.items.prefix(marked) ?? []
            for (place, item) in items.enumerated() {
              try marking.mark(item, level: item.template.levels[(place + round) % item.template.levels.count])
            }
          }
        }
      }
    }
  }

  /// How many items have a mark.
  public static func marks(_ db: Database) throws -> Int {
    try Int.fetchOne(db, sql: "SELECT count(*) FROM dataQuestion WHERE rating IS NOT NULL") ?? 0
  }
}

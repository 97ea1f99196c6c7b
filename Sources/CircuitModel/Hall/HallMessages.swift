import ExamStore
import GRDB
import Journal
import Timer

/// A line shown to everybody in the hall, or to one station.
public struct HallMessage: Equatable, Sendable {
  /// The key in the table of messages.
  public let key: String
  /// The line.
  public let text: String
  /// When it was sent.
  public let sentAt: Instant?
  /// The name of who sent it.
  public let sender: String?
  /// The circuit's key; nil: for all circuits.
  public let circuit: Int?
  /// The station's key in `ActivityType`; nil: for everybody.
  public let station: Int?
  /// That station's code, or its name where it has none.
  public let stationCode: String?
}

/// Messages to the hall.
public enum HallMessages {
  /// The longest line, in characters.
  public static let longest = 200

  /// Shows a line until it is withdrawn.
  /// - Parameters:
  ///   - circuit: for this circuit; nil: for all, or where a station is named for that station's.
  ///   - station: for this station alone; nil: for everybody.
  /// - Throws: `MessageRefusal` if the line is empty or too long, or if there is no such station in that circuit.
  /// - Returns: the message's key.
  @discardableResult public static func send(
    _ text: String, circuit: Int?, station: Int?, _ transaction: JournalTransaction
  ) throws -> String {
    let line = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    if line.isEmpty { throw MessageRefusal.empty }
    if line.count > longest { throw MessageRefusal.tooLong(most: longest, count: line.count) }
    var circuit = circuit
    if let station {
      let home = try Int.fetchOne(
        transaction.db, sql: "SELECT clinicGroupID FROM activityType WHERE dsid = ? AND dsDeleted = 0",
        arguments: [station])
      guard let home, circuit == nil || circuit == home else {
        throw MessageRefusal.unknownStation(station, circuit: circuit)
      }
      circuit = home
    }
    let key = UUIDBytes.random().description
    try transaction.create(
      Stored.HallMessage.self, key,
      [
        .text(line), .time(transaction.clock.now), .circuit(circuit), .station(station),
        .staff(transaction.author.staff),
      ])
    return key
  }

  /// Takes a message down. One that is down already is left as it is.
  /// - Throws: `MessageRefusal` if there is no such message.
  public static func withdraw(_ key: String, _ transaction: JournalTransaction) throws {
    let row = try ReadRow.fetchOne(
      transaction.db, sql: "SELECT withdrawnAt FROM hallMessage WHERE uuid = ?", arguments: [key])
    guard let row else { throw MessageRefusal.unknown(key) }
    if (row[0] as Int64?) != nil { return }
    try transaction.set(Stored.HallMessage.self, key, [.withdrawnAt(transaction.clock.now)])
  }

  /// The messages that are up, oldest first.
  /// - Parameters:
  ///   - circuit: those for all and those of this circuit; nil: of every circuit.
  ///   - station: of those for one station, this station's alone; nil: all of them, each with its station's code, as
  ///     the public clock and the desk show them.
  public static func shown(circuit: Int?, station: Int?, in db: Database) throws -> [HallMessage] {
    try ReadRow.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT m.uuid, m.text, m.time, m.circuitID, m.stationID, \(StationSession.codeSQL) AS code,
            u.title, u.forename, u.surname
          FROM hallMessage m LEFT JOIN activityType a ON a.dsid = m.stationID LEFT JOIN user u ON u.dsid = m.staffID
          WHERE m.withdrawnAt IS NULL AND m.dsDeleted = 0
            AND (?1 IS NULL OR m.circuitID IS NULL OR m.circuitID = ?1)
            AND (?2 IS NULL OR m.stationID IS NULL OR m.stationID = ?2)
          ORDER BY m.time, m.uuid
          """), arguments: [circuit, station]
    ).map { row in
      HallMessage(
        key: row["uuid"], text: row["text"], sentAt: (row["time"] as Int64?).map { Instant(stored: $0) },
        sender: personName(title: row["title"], forename: row["forename"], surname: row["surname"]),
        circuit: row["circuitID"], station: row["stationID"], stationCode: row["code"])
    }
  }
}

import Journal

/// Help calls from a station.
public enum HelpCalls {
  /// Calls for help.
  /// - Parameter text: what is the matter, in a few words.
  /// - Returns: the call's key.
  @discardableResult public static func request(
    _ text: String, at session: StationSession, in transaction: JournalTransaction
  ) throws -> String {
    let key = UUIDBytes.random().description
    var fields: [String: Value] = [
      "station": .integer(Int64(session.station)), "circuit": .integer(Int64(session.circuit.id)),
      "assistanceRequired": .bool(true), "status": .text("requested"), "text": .text(text),
      "timeRequested": .text(Timestamp.text(transaction.clock.now)),
    ]
    if let staff = transaction.author.staff { fields["staff"] = .integer(Int64(staff)) }
    try transaction.create("AssistanceRequested", key, fields)
    return key
  }
}

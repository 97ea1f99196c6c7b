import CPostgres
import Glibc
import Hub

/// One connection to a server. Only the task that took it out of its lane uses it: that makes it `Sendable`.
final class PostgresLink: @unchecked Sendable {
  private let handle: OpaquePointer
  private let warnings = Warnings()
  /// The names of the statements that the server has ready, by their text.
  private var ready: [String: String] = [:]
  /// Whether what it says next could belong to what was asked before, or it leads to a server that takes no changes.
  private var isSpent = false

  /// Whether statements were begun whose answers nobody has waited for.
  private var isAhead = false

  /// How long the server may take for one statement, in seconds: a terminal has given up by then.
  private static let patience = 20
  /// How long a statement waits for what another transaction holds, in milliseconds.
  static let lockTimeout = 5000

  /// What the server warns of, kept until it is asked for.
  private final class Warnings {
    var last: String?
  }

  /// Connects to the server of an address that takes changes.
  init(_ address: String) throws(PostgresFault) {
    // What stands before the address is the default for what it does not say; what stands after it holds in any case.
    let settings: KeyValuePairs = [
      "connect_timeout": "3", "tcp_user_timeout": "15000", "keepalives_idle": "5", "keepalives_interval": "3",
      "keepalives_count": "3", "fallback_application_name": "osce-hub", "dbname": address,
      "target_session_attrs": "read-write", "client_encoding": "UTF8",
    ]
    let connected = Self.withTexts(settings.map(\.key)) { names in
      Self.withTexts(settings.map(\.value)) { values in PQconnectdbParams(names, values, 1) }
    }
    guard let connected else { throw PostgresFault(.lost, "PostgreSQL cannot be reached: no memory") }
    handle = connected
    guard PQstatus(handle) == CONNECTION_OK else {
      throw PostgresFault(.lost, "PostgreSQL cannot be reached: \(String(cString: PQerrorMessage(handle)))")
    }
    PQsetnonblocking(handle, 1)
    // What a commit warns of says that it is not safe where it has to be.
    PQsetNoticeReceiver(
      handle,
      { context, result in
        guard let context, PostgresResult.field(osce_pg_severity, of: result) == "WARNING" else { return }
        Unmanaged<Warnings>.fromOpaque(context).takeUnretainedValue().last =
          PostgresResult.field(osce_pg_message, of: result) ?? "a warning"
      }, Unmanaged.passUnretained(warnings).toOpaque())
    try settle()
  }

  deinit { PQfinish(handle) }

  /// Whether it is of no further use.
  var isBroken: Bool { isSpent || PQstatus(handle) != CONNECTION_OK }

  /// Sets what every connection of a hub needs, and refuses a server on which nothing is safe.
  ///
  /// Every statement of a hub walks along one index. A plan that the server makes while a table is small reads all of
  /// it, and would be kept while the table grows: such plans are left out. So is compiling, which a cost that only
  /// stands for such a ban would set off.
  private func settle() throws(PostgresFault) {
    let row = try execute(
      """
      SELECT pg_is_in_recovery(), current_setting('server_encoding'), current_setting('server_version_num')::bigint,
        set_config('lock_timeout', '\(Self.lockTimeout)', false),
        set_config('statement_timeout', '\(Self.patience * 1000)', false),
        set_config('idle_in_transaction_session_timeout', '30000', false),
        set_config('enable_seqscan', 'off', false), set_config('enable_hashjoin', 'off', false),
        set_config('enable_mergejoin', 'off', false), set_config('enable_bitmapscan', 'off', false),
        set_config('enable_sort', 'off', false), set_config('jit', 'off', false),
        set_config('synchronous_commit', CASE WHEN current_setting('synchronous_commit') IN ('on', 'remote_apply')
          THEN current_setting('synchronous_commit') ELSE 'on' END, false)
      """, []
    ).row(0)
    guard row.values[0] == .integer(0) else { throw PostgresFault(.standby, "PostgreSQL there is a standby") }
    guard row.values[1] == .text("UTF8") else {
      throw PostgresFault(.refused, "the database's encoding is not UTF8; make one with: createdb -E UTF8 -T template0")
    }
    guard case .integer(let version) = row.values[2], version >= 130_000 else {
      throw PostgresFault(.refused, "PostgreSQL 13 or later is needed")
    }
  }

  // MARK: Statements

  /// Runs a statement, `?` in it standing for the arguments.
  func execute(_ sql: String, _ arguments: [HubValue]) throws(PostgresFault) -> PostgresResult {
    let name = try prepare(sql)
    return try exchange(arguments) { count, values, lengths, formats in
      PQsendQueryPrepared(handle, name, count, values, lengths, formats, 1)
    }
  }

  /// Runs a statement for each of some arguments, all on one way there and back.
  func execute(_ sql: String, each rows: [[HubValue]]) throws(PostgresFault) {
    if rows.count < 2 {
      for row in rows { _ = try execute(sql, row) }
      return
    }
    for row in rows { try begin(sql, row) }
    try finishBegun()
  }

  /// Begins a statement: the server runs it while the hub does something else. What is asked for next waits for its
  /// answer first, and throws what went wrong.
  func begin(_ sql: String, _ arguments: [HubValue]) throws(PostgresFault) {
    let name = try prepare(sql)
    if !isAhead, PQenterPipelineMode(handle) != 1 { throw lost() }
    isAhead = true
    try send(arguments) { count, values, lengths, formats in
      PQsendQueryPrepared(handle, name, count, values, lengths, formats, 1)
    }
    // What the server does not take yet goes with what follows.
    if PQflush(handle) < 0 { throw lost() }
  }

  /// Waits for the answers to what was begun.
  private func finishBegun() throws(PostgresFault) {
    if !isAhead { return }
    guard PQpipelineSync(handle) == 1 else { throw lost() }
    isAhead = false
    try finishAll()
  }

  /// Runs a statement once.
  func executeOnce(_ sql: String, _ arguments: [HubValue]) throws(PostgresFault) -> PostgresResult {
    try exchange(arguments) { count, values, lengths, formats in
      PQsendQueryParams(handle, Self.numbered(sql), count, nil, values, lengths, formats, 1)
    }
  }

  /// What a transaction sees, as `BEGIN` says it.
  enum Mode: String {
    /// One consistent view, in which it changes nothing.
    case reading = "ISOLATION LEVEL REPEATABLE READ, READ ONLY"
    /// With each statement what was committed before it: above all, what the last holder of an exam's lock did.
    case changing = "ISOLATION LEVEL READ COMMITTED"
  }

  /// Begins a transaction.
  func begin(_ mode: Mode) throws(PostgresFault) { _ = try executeOnce("BEGIN " + mode.rawValue, []) }

  /// Ends a transaction. When it returns, what it changed is durable at every server that has to have it.
  func commit() throws(PostgresFault) {
    warnings.last = nil
    let result = try executeOnce("COMMIT", [])
    guard result.command == "COMMIT" else { throw PostgresFault(.refused, "the transaction had failed") }
    if let warning = warnings.last {
      isSpent = true
      throw PostgresFault(.lost, "PostgreSQL does not say that all is safe: \(warning)")
    }
  }

  /// Undoes a transaction.
  func rollback() {
    try? finishBegun()
    _ = try? executeOnce("ROLLBACK", [])
  }

  /// The name of a statement that the server has ready.
  private func prepare(_ sql: String) throws(PostgresFault) -> String {
    if let name = ready[sql] { return name }
    try finishBegun()
    let name = "hub\(ready.count)"
    guard PQsendPrepare(handle, name, Self.numbered(sql), 0, nil) == 1 else { throw lost() }
    _ = try finish()
    ready[sql] = name
    return name
  }

  /// A statement with `$1`, `$2` … in the places of the question marks.
  private static func numbered(_ sql: String) -> String {
    var (out, count) = ("", 0)
    for character in sql {
      if character == "?" {
        count += 1
        out += "$\(count)"
      } else {
        out.append(character)
      }
    }
    return out
  }

  // MARK: The exchange

  private typealias Send = (
    Int32, UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?, UnsafePointer<Int32>?
  ) -> Int32

  private func exchange(_ arguments: [HubValue], _ function: Send) throws(PostgresFault) -> PostgresResult {
    try finishBegun()
    try send(arguments, function)
    return try finish()
  }

  private func send(_ arguments: [HubValue], _ function: Send) throws(PostgresFault) {
    let values = arguments.map { PostgresValue.bytes($0) }
    // One buffer for all of them: an empty value needs an address too.
    var all: [UInt8] = []
    all.reserveCapacity(values.reduce(1) { $0 + ($1?.count ?? 0) })
    for case let value? in values { all += value }
    all.append(0)
    let lengths = values.map { Int32($0?.count ?? 0) }
    let formats = [Int32](repeating: 1, count: values.count)
    let isSent = all.withUnsafeBytes { bytes in
      var place = 0
      let pointers: [UnsafePointer<CChar>?] = values.map { value in
        guard let value else { return nil }
        defer { place += value.count }
        return bytes.baseAddress?.advanced(by: place).assumingMemoryBound(to: CChar.self)
      }
      return function(Int32(values.count), pointers, lengths, formats)
    }
    guard isSent == 1 else { throw lost() }
  }

  /// Waits for the answers to all that was sent together.
  private func finishAll() throws(PostgresFault) {
    var (wasEnd, fault) = (false, PostgresFault?.none)
    try pump { (result) throws(PostgresFault) -> Void? in
      guard let result else {
        // Each statement has one end; where one follows another, nothing comes any more.
        if wasEnd { throw lost() }
        wasEnd = true
        return nil
      }
      wasEnd = false
      if PQresultStatus(result) == PGRES_PIPELINE_SYNC {
        PQclear(result)
        if PQexitPipelineMode(handle) != 1 { throw lost() }
        return ()
      }
      // What follows the first that went wrong was not run.
      let next = PostgresResult(result)
      if fault == nil { fault = next.fault }
      return nil
    }
    try check(fault)
  }

  /// Waits for the answer to what was sent.
  private func finish() throws(PostgresFault) -> PostgresResult {
    var last: PostgresResult?
    let answer = try pump { (result) throws(PostgresFault) -> PostgresResult? in
      guard let result else {
        guard let last else { throw lost() }
        return last
      }
      // The first that went wrong is the one that says why.
      let next = PostgresResult(result)
      if last?.fault == nil { last = next }
      return nil
    }
    try check(answer.fault)
    return answer
  }

  /// Sends what is left, and hands over what the server answers until something is made of it.
  /// - Parameter take: gets an answer to a statement, and nil at the end of its answers.
  private func pump<T>(_ take: (OpaquePointer?) throws(PostgresFault) -> T?) throws(PostgresFault) -> T {
    let end = ContinuousClock.now + .seconds(Self.patience)
    var isFlushed = false
    while true {
      if !isFlushed {
        let left = PQflush(handle)
        if left < 0 { throw lost() }
        isFlushed = left == 0
      }
      while isFlushed, PQisBusy(handle) == 0 {
        if let made = try take(PQgetResult(handle)) { return made }
      }
      try wait(until: end, toSend: !isFlushed)
      if PQconsumeInput(handle) == 0 { throw lost() }
    }
  }

  private func check(_ fault: PostgresFault?) throws(PostgresFault) {
    guard let fault else { return }
    if fault.endsConnection { isSpent = true }
    throw fault
  }

  /// Waits until the server sends something, or takes more.
  private func wait(until end: ContinuousClock.Instant, toSend: Bool) throws(PostgresFault) {
    let left = Int32(max(0, min(60_000, (end - .now) / .milliseconds(1))))
    var descriptor = pollfd(fd: PQsocket(handle), events: Int16(POLLIN | (toSend ? POLLOUT : 0)), revents: 0)
    let count = poll(&descriptor, 1, left)
    if count > 0 || (count < 0 && errno == EINTR) { return }
    isSpent = true
    throw PostgresFault(.lost, "PostgreSQL did not answer in \(Self.patience) s")
  }

  private func lost() -> PostgresFault {
    isSpent = true
    return PostgresFault(.lost, "the connection to PostgreSQL is gone: \(String(cString: PQerrorMessage(handle)))")
  }

  // MARK: News

  /// Waits for announcements of other connections.
  /// - Returns: what they said; nothing where none came in time.
  func announcements(waiting milliseconds: Int32) throws(PostgresFault) -> [String] {
    var descriptor = pollfd(fd: PQsocket(handle), events: Int16(POLLIN), revents: 0)
    _ = poll(&descriptor, 1, milliseconds)
    guard PQconsumeInput(handle) == 1 else { throw lost() }
    var heard: [String] = []
    while let notice = PQnotifies(handle) {
      heard.append(String(cString: notice.pointee.extra))
      PQfreemem(notice)
    }
    return heard
  }

  /// C strings in an array that ends with nothing.
  private static func withTexts<T>(
    _ texts: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>?) -> T
  ) -> T {
    let copies = texts.map { strdup($0) }
    defer { copies.forEach { free($0) } }
    return body(copies.map { UnsafePointer($0) } + [nil])
  }
}

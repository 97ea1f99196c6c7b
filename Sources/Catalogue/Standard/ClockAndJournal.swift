extension Entity {
  /// Runs of the rotation clock. The reference keeps none of it: its timer lives in one device.
  static var clock: [Entity] { [circuitRun, clockEvent] }
  /// Terminals, those who sat at them, and every change.
  static var journal: [Entity] {
    [
      device.barredFromFiles("a terminal makes its own row"),
      sitting.barredFromFiles("it is recorded when somebody signs in"),
      passcodeAttempt.barredFromFiles("it is recorded when a passcode is given"),
      operation.barredFromFiles("only the journal writes operations"),
    ]
  }

  private static var circuitRun: Entity {
    Entity(
      "CircuitRun", .clock, key: .uuid, sync: .both, table: "circuitRun", isExtension: true,
      purpose: "One start of a circuit's session; a re-run is another run.",
      note: "The clock is a pure function of a run's events, so every terminal shows the same second.",
      attributes: [
        .uuid.added("The key of the row."),
        .string("date", .day).impersonal(.time).indexed.added("The session's date, YYYY-MM-DD."),
        .string("startTime", .timeOfDay).impersonal(.time).indexed.added("The session's start, HH:MM."),
        .integer32("number", 1...Int64(Int32.max)).defaulting(to: .integer(1)).added(
          "Counts the runs of a session from 1."),
        .boolean("rerun").added("Whether it is for the stations that were missed, with rounds of its own."),
        .string("host").impersonal(.key).added(
          "The device that has the run, whose events count however late they come; no value: the one that made it."),
      ],
      relationships: [
        .one("circuit", "ClinicGroup", inverse: "runs").owner.added("The circuit."),
        .inverse("events", "ClockEvent", of: "run", .cascade),
      ])
  }

  private static var clockEvent: Entity {
    Entity(
      "ClockEvent", .clock, key: .uuid, sync: .both, table: "clockEvent", isExtension: true,
      purpose: "One event of a run: start, pause, resume, extend, skip, restart, jump, rounds, stop or annul.",
      note: "Never changed or deleted; annul takes one out of the fold.",
      attributes: [
        .uuid.added("The key of the row."),
        .string("kind").impersonal(.word).indexed.added("The event's word."),
        .integer64("at", Bounds.instants).indexed.added("Its instant on the exam's clock, in milliseconds."),
        .integer32("seconds").added("extend: by how much."),
        .integer32("index").added("jump: to which phase, from 1."),
        .integer32("rounds").added("rounds: to how many."),
        .integer32("passage").added("Which entry into a phase the operator was shown."),
        .string("target").impersonal(.key).indexed.added("annul: the uuid of the event taken out."),
        .string("reason").personal(.exam).added("Why, in words."),
        .json("plan", .plan, longest: Bounds.longestMade).impersonal(.plan).added(
          "start: the expanded phases and the rounds needed."),
      ],
      relationships: [
        .one("run", "CircuitRun", inverse: "events").owner.added("The run."),
        .one("staff", "Staff", inverse: "clockEvents").added("Who gave it."),
      ])
  }

  private static var device: Entity {
    Entity(
      "Device", .journal, key: .uuid, sync: .up, table: "device", isExtension: true,
      purpose: "A store that writes operations, with a chain of its own.",
      note: "Bound to the machine and to the file: a copied store is another device.",
      attributes: [
        .uuid.added("The key of the row."),
        .string("name").impersonal(.machine).required.added("The name that people see."),
        .string("machine").impersonal(.machine).indexed.added("A digest of the machine's identity."),
        .string("file").impersonal(.machine).added("The file system and inode of the store."),
        .date("created").added("When its chain began."),
        .string("continues").impersonal(.key).added(
          "The device in whose place it goes on, where another copy of the store wrote too."),
        .date("clockSet").added("The exam's time that a person set last; no value: never."),
        .integer64("clockMoved").added("By how many milliseconds that moved it."),
      ],
      relationships: [
        .inverse("sittings", "Sitting", of: "device", .cascade),
        .inverse("passcodeAttempts", "PasscodeAttempt", of: "device", .cascade),
      ])
  }

  private static var sitting: Entity {
    Entity(
      "Sitting", .journal, key: .uuid, sync: .up, table: "sitting", isExtension: true,
      purpose: "One person at one terminal from sign-in to sign-out.",
      note: "Every operation names the sitting that it was made in.",
      attributes: [
        .uuid.added("The key of the row."),
        .integer32("process").added("The process id."),
        .string("processStart").impersonal(.machine).added(
          "When the process was started: the machine's start and clock ticks since. A process id is used again."),
        .string("tty").impersonal(.machine).added("The terminal's device; no value: none."),
        .string("host").impersonal(.machine).added("Where the person sits, as far as ssh tells."),
        .string("sshKey").impersonal(.machine).added(
          "The fingerprint of the key by which ssh let the person in, as far as sshd tells; no value: none."),
        .string("version").impersonal(.machine).added("The version of the program."),
        .string("openSheet").impersonal(.key).indexed.added(
          "The uuid of the mark sheet that is open there; no value: none."),
        .date("began").added("Sign-in."),
        .date("ended").added("Sign-out; no value: open, or the process was killed."),
      ],
      relationships: [
        .one("device", "Device", inverse: "sittings").owner.added("The store written to."),
        .one("staff", "Staff", inverse: "sittings").added("Who."),
        .one("timetable", "Timetable", inverse: "sittings").added("The station session, where there is one."),
      ])
  }

  private static var passcodeAttempt: Entity {
    Entity(
      "PasscodeAttempt", .journal, key: .uuid, sync: .up, table: "passcodeAttempt", isExtension: true,
      purpose: "One passcode given for a person, right or wrong; the passcode itself is not kept.",
      note:
        "Written before the passcode is looked at, so that a process that is killed has tried too. It tells how long "
        + "the next try waits, and who guessed from where.",
      attributes: [
        .uuid.added("The key of the row."),
        .date("at").indexed.added("When."),
        .boolean("succeeded").added("Whether it was right; false while it is looked at."),
        .string("tty").impersonal(.machine).added("The terminal's device; no value: none."),
        .string("host").impersonal(.machine).added("Where it was given, as far as ssh tells."),
        .string("sshKey").impersonal(.machine).added(
          "The fingerprint of the key by which ssh let the person in; no value: none."),
      ],
      relationships: [
        .one("device", "Device", inverse: "passcodeAttempts").owner.added("The store written to."),
        .one("staff", "Staff", inverse: "passcodeAttempts").added("Whose passcode it should have been."),
      ])
  }

  private static var operation: Entity {
    Entity(
      "Operation", .journal, key: .automatic, primaryKey: "seq", sync: .local, table: "operation", isExtension: true,
      purpose: "One change, written in the same transaction as what it changes; never altered or removed.",
      note: "Outbox, audit trail, undo stack and history in one. It names rows by key without relationships, because "
        + "it outlives them. It has few indexes, because every change writes each of them; the store adds those over "
        + "(device, deviceSeq) and (entity, entityID), of the few that the hub did not take as they are, of what it is "
        + "owed once there is one, and of what never leaves.",
      attributes: [
        .integer64("seq").indexed.added("The order of arrival in this store; SQLite assigns it."),
        .string("id").impersonal(.journal).required.indexed.added("UUIDv7."),
        .string("device").impersonal(.journal).required.added("The uuid of the device that made it."),
        .integer64("deviceSeq").required.added("Counts the device's operations from 1 without a gap."),
        .string("tx").impersonal(.journal).required.added("Operations of one tx travel, apply and fail together."),
        .integer32("txIndex").required.added("The operation's place in its tx, from 0."),
        .integer32("txSize").required.added("How many operations the tx has."),
        .string("kind").impersonal(.journal).required.added("set, create, delete, sign, reopen, clock, …"),
        .string("entity").impersonal(.journal).required.added("The entity of the row."),
        .string("entityID").impersonal(.journal).required.added("The key of the row, as text."),
        .data("body").added("Salt and canonical bytes of fields and replaced heads; no value: destroyed."),
        .data("bodyHash").required.added("SHA-256 of body."),
        .integer64("hlc").required.added(
          "Hybrid logical clock: milliseconds in the upper 48 bits, a counter in the lower 16."),
        .integer64("wallTime").required.added("The wall clock when it was made."),
        .integer64("clockError").defaulting(to: .integer(0)).added(
          "How far the wall clock may have been off, in milliseconds."),
        .integer64("examTime").added("The exam's clock when it was made, in milliseconds."),
        .integer64("staff").added("The dsid of who acted."),
        .string("sitting").impersonal(.journal).added("The uuid of the sitting."),
        .string("reason").impersonal(.journal).added(
          "Why, where a reason is asked, of an operation of schema 1; later ones have it in their body."),
        .integer32("schema").required.added("The form that it was sealed in: 2; in 1 the header has a reason."),
        .data("prevHash").required.added("The hash of the device's operation before."),
        .data("hash").required.added("SHA-256 of the header, which holds prevHash, and bodyHash."),
        .integer64("hubSeq").added("The hub's number; no value: still to be sent."),
        .string("result").impersonal(.journal).added(
          "What the hub answered, and after a colon why: applied, rejected:role."),
        .integer64("answeredAt").added("The exam's clock when the hub's answer came, in milliseconds."),
        .boolean("sends").withoutDefault.added(
          "Whether it is owed to a hub: 0, its direction keeps it here; no value, as soon as this store is enrolled."),
        .string("absent").impersonal(.journal).added(
          "Why its content is not here, though its hash is: withheld, erased, scope or damaged; no value otherwise."),
        .string("verdict").impersonal(.journal).added(
          "What a person ruled on it after the hub's answer: applied, rejected or withdrawn."),
      ],
      relationships: [])
  }
}

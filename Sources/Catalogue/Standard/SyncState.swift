extension Entity {
  /// Sign-ins, help calls, incidents and the state of the exchange.
  static var syncAndState: [Entity] {
    [syncInformation, staffSignIn, assistanceRequested, lastUpdate, attributesSelected, stationIncident]
  }

  private static var syncInformation: Entity {
    Entity(
      "SyncInformation", .syncState, key: .uuid, sync: .up, table: "syncInformation",
      purpose: "When which terminal last met the hub.",
      attributes: [
        .uuid, .date("lastSync"), .string("deviceUUID").impersonal(.key).indexed,
        .string("deviceName").impersonal(.machine), .string("appUUID").impersonal(.key).indexed,
        .string("appVersion").impersonal(.machine),
        .string("iOSVersion").impersonal(.machine).noted("The version of the terminal's operating system."),
        .dsDeleted, .syncChangedKeys, .syncNew, .syncError,
      ],
      relationships: [.one("staff", "Staff", inverse: "syncInformation")]
    ).settledByTime
  }

  private static var staffSignIn: Entity {
    Entity(
      "StaffSignIn", .syncState, key: .uuid, sync: .up, table: "staffSignIn",
      purpose: "Who signed in to which station session, when.",
      attributes: [
        .uuid, .date("time"), .string("appUUID").impersonal(.key).indexed, .dsDeleted, .syncChangedKeys, .syncNew,
        .syncError,
      ],
      relationships: [
        .one("staff", "Staff", inverse: "staffSignIns"),
        .one("timetable", "Timetable", inverse: "staffSignIns").owner,
      ])
  }

  private static var assistanceRequested: Entity {
    Entity(
      "AssistanceRequested", .syncState, key: .dsid, sync: .both, table: "assistanceRequested",
      purpose: "A help call from a station.",
      note: "The reference receives these from its server. Here a call is made at a terminal without a network, so its "
        + "row is keyed by uuid and travels both ways; dsid has a value only in rows that come from elsewhere.",
      attributes: [
        .integer32("dsid").indexed.noted("Optional: a call made here has none."),
        .string("uuid").impersonal(.key).indexed.added(
          "The key of the row; derived from dsid where a bundle gives only that."),
        .boolean("assistanceRequired"),
        .string("timeRequested").impersonal(.time).indexed.noted(
          "RFC 3339, or YYYY-MM-DD HH:MM:SS in UTC."),
        .string("status").impersonal(.word).indexed.defaulting(to: .string("requested")).added(
          "requested, responding or resolved."),
        .date("timeResponded").added("When somebody set out."),
        .date("timeResolved").added("When the call was closed."),
        .string("text").personal(.exam).added("What is needed, in words."),
        .dsDeleted,
      ],
      relationships: [
        .one("station", "ActivityType", inverse: "assistanceRequest").owner,
        .one("circuit", "ClinicGroup", inverse: "assistanceRequests"),
        .one("staff", "Staff", inverse: "assistanceRequests").added("Who calls."),
        .one("responder", "Staff", inverse: "assistanceResponses").added("Who answers."),
      ]
    ).keyedLocally(by: "uuid")
  }

  private static var lastUpdate: Entity {
    Entity(
      "LastUpdate", .syncState, key: .name, primaryKey: "lastUpdateType", sync: .local, table: "lastUpdate",
      purpose: "When rows of an entity were last fetched.",
      note: "Kept for what the reference shows with it; the cursor of the exchange is never a time stamp.",
      attributes: [
        .string("lastUpdateType").impersonal(.word).required.indexed.noted("The name of an entity."),
        .string("last_update").impersonal(.time).indexed.noted("UTC, YYYY-MM-DD HH:MM:SS."),
      ],
      relationships: [])
  }

  private static var attributesSelected: Entity {
    Entity(
      "AttributesSelected", .syncState, key: .automatic, primaryKey: "auto", sync: .local,
      table: "attributesSelected",
      purpose: "The tags chosen on items, one row each.",
      note: "The reference leaves its use open. Here it mirrors DataQuestion.tags, which is what travels.",
      attributes: [
        .integer64("auto").indexed.added("The key that SQLite assigns; never written in a bundle."),
        .string("tag").impersonal(.plan).indexed.added("The tag."),
        .dsDeleted,
      ],
      relationships: [
        .one("question", "DataQuestion", inverse: "attributes").optionalOwner.noted(
          "A row belongs to an item, to a roster entry, or to both, so neither is required."),
        .one("attendanceLog", "TimetableAttendanceLog", inverse: "attributes").optionalOwner,
      ]
    ).derived
  }

  private static var stationIncident: Entity {
    Entity(
      "StationIncident", .syncState, key: .uuid, sync: .both, table: "stationIncident", isExtension: true,
      purpose: "Something that went wrong in a station session, and the time it cost.",
      note: "Appeals ask for it, and a comment has neither a kind nor seconds.",
      attributes: [
        .uuid.added("The key of the row."),
        .string("kind").impersonal(.word).indexed.added("What happened, in one word."),
        .date("time").added("When it happened."),
        .integer32("secondsLost", 0...86_400).added("The time that the candidate lost; no value: not known."),
        .string("text").personal(.exam).added("What happened, in words."),
        .dsDeleted.added("Soft delete."),
      ],
      relationships: [
        .one("timetable", "Timetable", inverse: "incidents").owner.added("The session."),
        .one("staff", "Staff", inverse: "incidents").added("Who reported it."),
      ])
  }
}

extension Entity {
  /// Mark sheets and the marks on them.
  static var sheets: [Entity] {
    let item = dataQuestion
    return [dataForm, dataSection, item, ratingQuestion(inheriting: item)]
  }

  private static var dataForm: Entity {
    Entity(
      "DataForm", .assessment, key: .uuid, sync: .up, table: "dataForm",
      purpose: "A mark sheet: a template filled in for one roster entry by one seat.",
      attributes: [
        .uuid,
        .integer32("typeID").derived("The key of type, in whose column it is stored; written as type in a bundle."),
        .string("attendanceLogID").derived(
          "The key of attendanceLog, in whose column it is stored; written as attendanceLog in a bundle."),
        .string("seat").impersonal(.word).indexed.defaulting(to: .string("lead")).added(
          "The first and each second assessor have a seat, so two assessors are double marking, not a conflict."),
        .date("signedAt").added("When the sheet was signed; no value: open."),
        .dsDeleted, .syncChangedKeys, .syncNew, .syncError,
      ],
      relationships: [
        .one("type", "TypeForm", inverse: "dataForms"),
        .one("attendanceLog", "TimetableAttendanceLog", inverse: "dataForms").owner,
        .many("dataSections", "DataSection", inverse: "dataForm", .cascade),
        .inverseOne("activeForTimetable", "Timetable", inverse: "activeForm").transient(
          "The session in which this terminal has the sheet open."),
        .inverseOne("currentForAttendanceLog", "TimetableAttendanceLog", inverse: "currentForm").transient("")
          .added("Inverse of TimetableAttendanceLog.currentForm."),
        .one("version", "FormVersion", inverse: "dataForms").added("The version that the sheet was made from."),
        .one("signedBy", "Staff", inverse: "signedForms").added("Who signed."),
        .one("judgedBy", "Staff", inverse: "judgedForms").added(
          "Whose sheet it is; each mark names its own judge, because a cover takes over half-filled sheets."),
      ])
  }

  private static var dataSection: Entity {
    Entity(
      "DataSection", .assessment, key: .uuid, sync: .up, table: "dataSection",
      purpose: "A section of a mark sheet.",
      attributes: [
        .uuid,
        .string("name").ofCandidate("dataForm", "attendanceLog", "student").required,
        .order32,
        .integer16("quantity"),
        .integer16("difficulty"),
        .string("quad").ofCandidate("dataForm", "attendanceLog", "student"),
        .string("tooth").ofCandidate("dataForm", "attendanceLog", "student"),
        .boolean("duplicable"),
        .boolean("expanded").transient("Whether the section is unfolded on this screen."),
        .integer16("copy").defaulting(to: .integer(1)).added("Counts the copies of a duplicated section from 1."),
        .dsDeleted, .syncChangedKeys, .syncNew, .syncError,
      ],
      relationships: [
        .one("type", "TypeSection", inverse: "dataSections"),
        .one("dataForm", "DataForm", inverse: "dataSections").owner,
        .many("dataQuestions", "DataQuestion", inverse: "dataSection", .cascade),
        .one("sectionToFormLink", "SectionToForm", inverse: "dataSections"),
      ])
  }

  private static var dataQuestion: Entity {
    Entity(
      "DataQuestion", .assessment, key: .uuid, sync: .up, table: "dataQuestion",
      purpose: "An item of a mark sheet; the parent of RatingQuestion, and itself an item of free text.",
      attributes: [
        .uuid,
        .string("caption").impersonal(.plan).noted("The item's text when the sheet was made."),
        .string("feedback").ofCandidate("dataSection", "dataForm", "attendanceLog", "student").noted(
          "Feedback on any item; the answer on an item of free text."),
        .order32,
        .boolean("completedCase"),
        .boolean("recommended"),
        .boolean("unable").added("Unable to assess, which is not zero: the item leaves score and maximum."),
        .json("tags", .texts).impersonal(.plan).added(
          "The chosen tags, a list of texts; synchronised here, mirrored in AttributesSelected."),
        .date("markedAt").changedByMarks.added("When the mark that stands was given."),
        .string("source").impersonal(.word).added(
          "screen or paper: what the mark was typed from; no value: not marked."),
        .integer16("times").added("How often it was done: record and procedure items."),
        .integer16("difficulty").added("At which difficulty it was done: record and procedure items."),
        .string("note").ofCandidate("dataSection", "dataForm", "attendanceLog", "student").added(
          "The supervisor's note: record and procedure items."),
        .dsDeleted, .syncChangedKeys, .syncNew, .syncError,
      ],
      relationships: [
        .one("type", "TypeQuestion", inverse: "dataQuestions"),
        .one("dataSection", "DataSection", inverse: "dataQuestions").owner,
        .many("attributes", "AttributesSelected", inverse: "question", .cascade),
        .one("descriptor", "MarkingDescriptor", inverse: "dataQuestions").changedByMarks.added(
          "The chosen level of a marking matrix: two levels may share a value."),
        .one("itemLink", "QuestionToSection", inverse: "dataQuestions").added(
          "The link that the item was made from; its key derives from section and link."),
        .one("judgedBy", "Staff", inverse: "judgedItems").changedByMarks.added("Who judged."),
        .one("enteredBy", "Staff", inverse: "enteredItems").changedByMarks.added(
          "Who typed, which may be another person."),
      ])
  }

  private static func ratingQuestion(inheriting parent: Entity) -> Entity {
    Entity(
      "RatingQuestion", inheriting: parent, purpose: "An item with a value: binary, rating or marking matrix.",
      attributes: [
        .double("rating").noted("No value: blank. Zero is a mark.")
      ],
      relationships: [])
  }
}

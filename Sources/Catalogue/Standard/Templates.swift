extension Entity {
  /// Mark sheet templates and what links them to each other and to stations.
  static var templates: [Entity] {
    [
      typeForm, typeSection, typeQuestion, markingDescriptor, sectionToForm, questionToSection, availableForm,
      formVersion,
    ]
  }

  private static var typeForm: Entity {
    Entity(
      "TypeForm", .assessment, key: .dsid, sync: .down, table: "typeForm",
      purpose: "A mark sheet template.",
      attributes: [
        .dsid,
        .string("name").impersonal(.plan).required,
        .string("instructions").impersonal(.plan),
        .order16,
        .boolean("hideTotalQuestion"),
        .string("props").impersonal(.plan).noted(
          "JSON, the reference's own extension point: globalRating (an item), criticalItems (a list of items), "
            + "borderlineGrade, stationWeight, pilot. An item is named by its key, its dsid or its text."),
        .string("code").impersonal(.plan).indexed.added(
          "The template's short name for people and for file names of exports."),
        .string("key").impersonal(.plan).indexed.added("The template's natural key in an exam folder."),
        .dsDeleted,
      ],
      relationships: [
        .one("clinicGroup", "ClinicGroup", inverse: "typeForms").noted(
          "Not an owner: one template serves stations of several circuits."),
        .many("sectionToForm", "SectionToForm", inverse: "form", .cascade),
        .inverseOne("metadata", "ScenarioMetadata", inverse: "typeForm", .cascade),
        .many("availableForms", "AvailableForm", inverse: "typeForm", .cascade),
        .inverse("dataForms", "DataForm", of: "type", .deny),
        .inverse("versions", "FormVersion", of: "typeForm", .cascade),
      ])
  }

  private static var typeSection: Entity {
    Entity(
      "TypeSection", .assessment, key: .dsid, sync: .down, table: "typeSection",
      purpose: "A section of a mark sheet template.",
      attributes: [
        .dsid,
        .string("name").impersonal(.plan).required,
        .boolean("duplicable"),
        .boolean("foldable"),
        .boolean("quadAndTooth"),
        .string("information").impersonal(.plan),
        .string("matrixTitles").impersonal(.plan).noted(
          "JSON: a list of the titles of the columns of a marking matrix."),
        .integer16("maximumQuantity", 0...Int64(Int16.max)).noted(
          "How many copies a sheet may hold; no value: no limit."),
        .integer16("maximumDifficulty", 0...Int64(Int16.max)).noted(
          "The upper end of the difficulty scale; no value: not asked."),
        .string("key").impersonal(.plan).indexed.added("The section's natural key within its template."),
        .dsDeleted,
      ],
      relationships: [
        .many("sectionToForm", "SectionToForm", inverse: "section", .cascade),
        .many("questionToSection", "QuestionToSection", inverse: "section", .cascade),
        .inverse("dataSections", "DataSection", of: "type", .deny),
      ])
  }

  /// The kinds of items that a template may have.
  package static let itemTypes = [
    "binary", "rating", "text", "marking_matrix", "boolean", "free_text", "feedback", "record", "procedure",
  ]

  private static var typeQuestion: Entity {
    Entity(
      "TypeQuestion", .assessment, key: .dsid, sync: .down, table: "typeQuestion",
      purpose: "An item of a mark sheet template.",
      attributes: [
        .dsid,
        .string("text").impersonal(.plan).required,
        .string("questionType", .word(itemTypes)).impersonal(.word).defaulting(to: .string("rating")).noted(
          "binary, rating, text, marking_matrix, boolean, free_text, feedback, record or procedure. A rating where a row leaves it out: the other defaults then give "
            + "a complete scale of 1 to 5."),
        .string("information").impersonal(.plan),
        .boolean("mandatory"),
        .boolean("defaultState").noted("True suggests the high level; the item stays blank until it is confirmed."),
        .double("binaryLow").defaulting(to: .double(0)),
        .double("binaryHigh").defaulting(to: .double(1)),
        .string("binaryLowText").impersonal(.plan).defaulting(to: .string("No")),
        .string("binaryHighText").impersonal(.plan).defaulting(to: .string("Yes")),
        .integer16("numberOfOptions", 0...101).defaulting(to: .integer(5)).noted("The number of levels of a rating."),
        .boolean("includesUnknownRating").noted("Whether the item offers unable to assess."),
        .double("threshold"),
        .double("lowerThreshold"),
        .double("lowest").defaulting(to: .double(1)).added(
          "The first level of a rating. The levels are lowest, lowest + step, …, numberOfOptions of them: 0 to 4 is "
            + "lowest 0 with 5 options, a mark out of 20 is lowest 0 with 21."),
        .double("step", 0.000001...1_000_000_000).defaulting(to: .double(1)).added(
          "The distance between two levels of a rating, over 0."),
        .string("key").impersonal(.plan).indexed.added("The item's natural key within its template."),
        .json("tags", .texts).impersonal(.plan).added("The tags that an item offers, a list of texts."),
        .dsDeleted,
      ],
      relationships: [
        .many("questionToSection", "QuestionToSection", inverse: "question", .cascade),
        .many("options", "MarkingDescriptor", inverse: "question", .cascade),
        .inverse("dataQuestions", "DataQuestion", of: "type", .deny),
      ])
  }

  private static var markingDescriptor: Entity {
    Entity(
      "MarkingDescriptor", .assessment, key: .dsid, sync: .down, table: "markingDescriptor",
      purpose: "A level of a marking matrix with its text.",
      attributes: [
        .dsid,
        .string("descriptor").impersonal(.plan).required.noted("The entity's text."),
        .double("value").noted("No value: the level means unable to assess."),
        .order16,
        .dsDeleted,
      ],
      relationships: [
        .one("question", "TypeQuestion", inverse: "options").owner,
        .inverse("dataQuestions", "DataQuestion", of: "descriptor"),
      ])
  }

  private static var sectionToForm: Entity {
    Entity(
      "SectionToForm", .assessment, key: .dsid, sync: .down, table: "sectionToForm",
      purpose: "Places a section in a template.",
      attributes: [.dsid, .order16, .dsDeletedOfLink],
      relationships: [
        .one("section", "TypeSection", inverse: "sectionToForm").owner,
        .one("form", "TypeForm", inverse: "sectionToForm").owner,
        .inverse("dataSections", "DataSection", of: "sectionToFormLink"),
      ])
  }

  private static var questionToSection: Entity {
    Entity(
      "QuestionToSection", .assessment, key: .dsid, sync: .down, table: "questionToSection",
      purpose: "Places an item in a section.",
      attributes: [.dsid, .order16, .dsDeletedOfLink],
      relationships: [
        .one("question", "TypeQuestion", inverse: "questionToSection").owner,
        .one("section", "TypeSection", inverse: "questionToSection").owner,
        .inverse("dataQuestions", "DataQuestion", of: "itemLink"),
      ])
  }

  private static var availableForm: Entity {
    Entity(
      "AvailableForm", .assessment, key: .dsid, sync: .down, table: "availableForm",
      purpose: "Offers a template at a station.",
      attributes: [.dsid, .order16, .dsDeletedOfLink],
      relationships: [
        .one("typeForm", "TypeForm", inverse: "availableForms").owner,
        .one("activityType", "ActivityType", inverse: "availableForms").owner,
      ])
  }

  private static var formVersion: Entity {
    Entity(
      "FormVersion", .assessment, key: .uuid, sync: .both, table: "formVersion", isExtension: true,
      purpose: "The texts, values and order of a template as they were when sheets were made from it.",
      note: "A changed template makes a new version for sheets not yet started; started ones keep theirs. A version "
        + "never changes, so it has no soft delete.",
      attributes: [
        .uuid.added("The key of the row."),
        .integer32("number", 1...Int64(Int32.max)).defaulting(to: .integer(1)).added(
          "Counts the versions of a template from 1."),
        .string("digest").impersonal(.digest).indexed.added(
          "SHA-256 of content in hexadecimal; equal content is one version."),
        .json("content", .content, longest: Bounds.longestMade).impersonal(.plan).added(
          "Sections, items and levels in full."),
      ],
      relationships: [
        .one("typeForm", "TypeForm", inverse: "versions").owner.added("The template."),
        .inverse("dataForms", "DataForm", of: "version", .deny),
      ]
    ).recordingPlan
  }
}

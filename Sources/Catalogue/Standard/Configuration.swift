extension Entity {
  /// What an exam is set up with.
  static var configuration: [Entity] {
    [config, scenarioMetadata, discipline, disciplineForClinicGroup, circuitStationDuration]
  }

  private static var config: Entity {
    Entity(
      "Config", .configuration, key: .dsid, sync: .down, table: "config",
      purpose: "The settings of the whole exam.",
      attributes: [
        .dsid,
        .string("universityCode").impersonal(.plan),
        .string("configURL").impersonal(.plan),
        .string("timeZone").impersonal(.plan).added(
          "The exam's time zone by its IANA name; no value: that of the host."),
        .string("examName").impersonal(.plan).added("The exam's name on screens and exports."),
        .json("settings", .settings).impersonal(.plan).added("Any further setting, by name."),
        .integer32("retentionDays", 1...36_500).added(
          "For how many days after a candidate's last session what tells of the candidate is kept; no value: nobody said."
        ),
        .dsDeleted,
      ],
      relationships: [])
  }

  private static var scenarioMetadata: Entity {
    Entity(
      "ScenarioMetadata", .configuration, key: .dsid, sync: .down, table: "scenarioMetadata",
      purpose: "The instructions of a scenario.",
      attributes: [
        .dsid, .string("assessorInstructions").impersonal(.plan), .string("candidateInstructions").impersonal(.plan),
        .dsDeleted,
      ],
      relationships: [.one("typeForm", "TypeForm", inverse: "metadata").owner])
  }

  private static var discipline: Entity {
    Entity(
      "Discipline", .configuration, key: .dsid, sync: .down, table: "discipline",
      purpose: "An academic discipline.",
      attributes: [.dsid, .string("name").impersonal(.plan).required, .dsDeleted],
      relationships: [.many("clinicGroups", "DisciplineForClinicGroup", inverse: "discipline", .cascade)])
  }

  private static var disciplineForClinicGroup: Entity {
    Entity(
      "DisciplineForClinicGroup", .configuration, key: .dsid, sync: .down, table: "disciplineForClinicGroup",
      purpose: "Places a circuit in a discipline.",
      attributes: [
        .dsid,
        .integer32("clinic_group_id").derived(
          "The key of clinicGroup, in whose column it is stored; written as clinicGroup in a bundle."),
        .integer32("discipline_id").derived(
          "The key of discipline, in whose column it is stored; written as discipline in a bundle."),
        .dsDeleted,
      ],
      relationships: [
        .one("clinicGroup", "ClinicGroup", inverse: "disciplines").column("clinic_group_id").owner,
        .one("discipline", "Discipline", inverse: "clinicGroups").column("discipline_id").owner,
      ])
  }

  private static var circuitStationDuration: Entity {
    Entity(
      "CircuitStationDuration", .configuration, key: .dsid, sync: .down, table: "circuitStationDuration",
      purpose: "A phase of a circuit's cycle.",
      attributes: [
        .dsid,
        .integer16("duration", 0...Int64(Int16.max)).defaulting(to: .integer(0)).noted(
          "Whole minutes. The length is duration · 60 + seconds, and a length of 0 is an import error."),
        .string("durationType").impersonal(.word).defaulting(to: .string("rotation")).noted(
          "rotation, reading, feedback, changeover, break or a word of the exam's own."),
        .integer16("manualStart").defaulting(to: .integer(0)).noted(
          "0 or 1; anything but 0 counts as 1. The phase waits for a start."),
        .order16,
        .integer16("seconds", 0...59).defaulting(to: .integer(0)).added(
          "0 to 59, beyond the minutes: 90 s of reading exists."),
        .dsDeleted,
      ],
      relationships: [.one("clinicGroup", "ClinicGroup", inverse: "durations").owner])
  }
}

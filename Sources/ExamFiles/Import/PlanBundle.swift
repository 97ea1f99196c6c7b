import Catalogue
import CircuitModel
import ExamStore

extension ExamPlan {
  /// The plan as rows of the catalogue.
  ///
  /// A passcode stands in `passcode` of its row: the import replaces it by a hash, and nothing stores it as it is.
  ///
  /// - Parameter keys: numbers for natural keys; those given here are remembered in it.
  /// - Returns: rows that hold every attribute of this plan, so that importing the same plan again changes nothing.
  public func bundle(_ keys: inout NaturalKeys) -> Bundle {
    var builder = PlanBundle(plan: self, keys: keys)
    builder.configuration()
    builder.people()
    for (index, sheet) in sheets.enumerated() { builder.sheet(sheet, order: index + 1) }
    for circuit in circuits { builder.circuit(circuit) }
    for session in sessions { builder.session(session) }
    keys = builder.keys
    return Bundle(rows: builder.rows)
  }

  /// The members of `Config.settings`.
  var settings: [(key: String, json: String)] {
    let phrases = (shared?.phrases ?? phrases).map {
      (key: $0.name, json: JSONText.list($0.texts.map(JSONText.quoted)))
    }
    let roles = (shared?.staff ?? staff).map { (key: $0.username, json: JSONText.quoted($0.role)) }
    let results = shared.map(\.results) ?? results?.json(of: self)
    return [("phrases", JSONText.object(phrases)), ("roles", JSONText.object(roles))] + rules.json
      + (results.map { [("results", $0)] } ?? [])
  }
}

/// Turns a plan into rows, one part after the other.
struct PlanBundle {
  let plan: ExamPlan
  var keys: NaturalKeys
  private(set) var rows: [Bundle.Row] = []
  private var named: Set<String> = []

  init(plan: ExamPlan, keys: NaturalKeys) {
    self.plan = plan
    self.keys = keys
  }

  mutating func add(_ entity: String, _ place: Place, _ values: [String: Bundle.Value]) {
    // Said of every row: one that was taken out of view comes back when the folder has it again.
    let values = values.merging(["dsDeleted": .bool(false)]) { value, _ in value }
    rows.append(Bundle.Row(entity, values, place: place))
  }

  mutating func key(_ entity: String, _ parts: String...) -> Bundle.Value {
    .number(keys.number(entity, parts))
  }

  mutating func configuration() {
    let days = plan.shared.map(\.retentionDays) ?? plan.retentionDays
    add(
      "Config", plan.place,
      [
        "dsid": key("Config"), "examName": .text(plan.name), "timeZone": .text(plan.timeZone),
        "settings": .text(JSONText.object(plan.settings)),
        "retentionDays": days.map { .number($0) } ?? .null,
      ])
    for group in plan.phrases where !group.name.isEmpty {
      add("CommentGroup", plan.place, ["dsid": key("CommentGroup", group.name), "name": .text(group.name)])
    }
  }

  // MARK: - People

  mutating func people() {
    for member in plan.staff {
      var values: [String: Bundle.Value] = [
        "dsid": key("Staff", member.username), "username": .text(member.username), "surname": .text(member.surname),
        "forename": .some(member.forename), "title": .some(member.title), "email": .some(member.email),
      ]
      if let passcode = member.passcode { values["passcode"] = .text(passcode) }
      add("Staff", member.place, values)
    }
    for candidate in plan.candidates {
      let student = key("Student", candidate.number)
      add(
        "Student", candidate.place,
        [
          "dsid": student, "studentNumber": .text(candidate.number), "surname": .text(candidate.surname),
          "forename": .some(candidate.forename), "title": .some(candidate.title), "email": .some(candidate.email),
          "year": .some(candidate.year), "extraReadingSeconds": .number(candidate.extraReadingSeconds),
          "extraStationSeconds": .number(candidate.extraStationSeconds), "access": .some(candidate.access),
          "consent": .some(candidate.consent),
        ])
      for group in candidate.groups {
        member(candidate, student, of: group, "StudentGroup", link: "StudentForGroup", name: "group")
      }
      for major in candidate.majors {
        member(candidate, student, of: major, "StudentMajor", link: "StudentForMajor", name: "major")
      }
    }
  }

  private mutating func member(
    _ candidate: ExamPlan.Candidate, _ student: Bundle.Value, of name: String, _ entity: String, link: String,
    name relationship: String
  ) {
    let group = naming(entity, name, candidate.place)
    add(
      link, candidate.place,
      ["dsid": key(link, candidate.number, name), "student": student, relationship: group])
  }

  /// A row that is nothing but a name; written once however often it is named.
  private mutating func naming(_ entity: String, _ name: String, _ place: Place) -> Bundle.Value {
    let number = key(entity, name)
    if named.insert(entity + "\u{1F}" + name).inserted {
      add(entity, place, ["dsid": number, "name": .text(name)])
    }
    return number
  }

  // MARK: - Mark sheets

  mutating func sheet(_ sheet: MarkSheet, order: Int) {
    let form = key("TypeForm", sheet.code)
    add(
      "TypeForm", sheet.place,
      [
        "dsid": form, "code": .text(sheet.code), "key": .text(sheet.code), "name": .text(sheet.name),
        "instructions": .some(sheet.instructions), "order": .number(order), "hideTotalQuestion": .bool(sheet.hideTotal),
        "props": .text(properties(sheet)),
      ])
    add(
      "ScenarioMetadata", sheet.place,
      [
        "dsid": key("ScenarioMetadata", sheet.code), "typeForm": form,
        "assessorInstructions": .some(sheet.assessorInstructions),
        "candidateInstructions": .some(sheet.candidateInstructions),
      ])
    for (index, section) in sheet.sections.enumerated() {
      let number = key("TypeSection", sheet.code, section.key)
      add(
        "TypeSection", section.place,
        [
          "dsid": number, "key": .text(section.key), "name": .text(section.name),
          "information": .some(section.information), "duplicable": .bool(section.isDuplicable),
          "foldable": .bool(section.isFoldable), "quadAndTooth": .bool(section.quadAndTooth),
          "matrixTitles": section.matrixTitles.isEmpty
            ? .null : .text(JSONText.list(section.matrixTitles.map(JSONText.quoted))),
          "maximumQuantity": section.maximumQuantity == 0 ? .null : .number(section.maximumQuantity),
          "maximumDifficulty": section.maximumDifficulty == 0 ? .null : .number(section.maximumDifficulty),
        ])
      add(
        "SectionToForm", section.place,
        [
          "dsid": key("SectionToForm", sheet.code, section.key), "form": form, "section": number,
          "order": .number(index + 1),
        ])
      for (index, item) in section.items.enumerated() {
        self.item(item, order: index + 1, section: number, sheet: sheet.code)
      }
    }
  }

  private func properties(_ sheet: MarkSheet) -> String {
    var members: [(key: String, json: String)] = [
      ("stationWeight", WrittenNumber.text(sheet.weight)), ("pilot", sheet.isPilot ? "true" : "false"),
      ("criticalItems", JSONText.list(sheet.critical.map { JSONText.quoted($0.code) })),
    ]
    if let rating = sheet.globalRating { members.append(("globalRating", JSONText.quoted(rating.code))) }
    if let grade = sheet.borderlineGrade { members.append(("borderlineGrade", WrittenNumber.text(grade))) }
    return JSONText.object(members)
  }

  private mutating func item(_ item: MarkSheet.Item, order: Int, section: Bundle.Value, sheet: String) {
    let question = key("TypeQuestion", sheet, item.key)
    var values: [String: Bundle.Value] = [
      "dsid": question, "key": .text(item.key), "text": .text(item.text), "questionType": .text(item.type),
      "information": .some(item.information), "mandatory": .bool(item.isMandatory),
      "includesUnknownRating": .bool(item.allowsUnable), "defaultState": .bool(item.defaultState),
      "threshold": .some(item.threshold), "lowerThreshold": .some(item.lowerThreshold),
      "tags": item.tags.isEmpty ? .null : .text(JSONText.list(item.tags.map(JSONText.quoted))),
    ]
    if item.type == "binary" || item.type == "boolean" {
      values["binaryLow"] = .double(item.low.value)
      values["binaryHigh"] = .double(item.high.value)
      values["binaryLowText"] = .text(item.low.text)
      values["binaryHighText"] = .text(item.high.text)
    }
    if let scale = item.scale {
      values["lowest"] = .double(scale.lowest)
      values["step"] = .double(scale.step)
      values["numberOfOptions"] = .number(scale.options)
    }
    add("TypeQuestion", item.place, values)
    add(
      "QuestionToSection", item.place,
      [
        "dsid": key("QuestionToSection", sheet, item.key), "question": question, "section": section,
        "order": .number(order),
      ])
    for (index, descriptor) in item.descriptors.enumerated() {
      add(
        "MarkingDescriptor", descriptor.place,
        [
          "dsid": key("MarkingDescriptor", sheet, item.key, WrittenNumber.text(descriptor.value)), "question": question,
          "descriptor": .text(descriptor.text), "value": .double(descriptor.value), "order": .number(index + 1),
        ])
    }
  }

  // MARK: - Circuits

  mutating func circuit(_ circuit: ExamPlan.Circuit) {
    let group = key("ClinicGroup", circuit.code)
    add(
      "ClinicGroup", circuit.place,
      [
        "dsid": group, "code": .text(circuit.code), "name": .text(circuit.name),
        "warnings": circuit.warnings.map { .text(JSONText.list($0.map(\.json))) } ?? .null,
      ])
    for (index, phase) in circuit.phases.enumerated() {
      add(
        "CircuitStationDuration", phase.place,
        [
          "dsid": key("CircuitStationDuration", circuit.code, String(index + 1)), "clinicGroup": group,
          "order": .number(index + 1), "durationType": .text(phase.type), "duration": .number(phase.seconds / 60),
          "seconds": .number(phase.seconds % 60), "manualStart": .number(phase.manualStart ? 1 : 0),
        ])
    }
    for name in circuit.disciplines {
      let discipline = naming("Discipline", name, circuit.place)
      add(
        "DisciplineForClinicGroup", circuit.place,
        [
          "dsid": key("DisciplineForClinicGroup", circuit.code, name), "clinicGroup": group, "discipline": discipline,
        ])
    }
    for (index, station) in circuit.stations.enumerated() {
      self.station(station, of: circuit.code, group, order: index + 1)
    }
  }

  private mutating func station(_ station: ExamPlan.Station, of circuit: String, _ group: Bundle.Value, order: Int) {
    let number = key("ActivityType", circuit, station.code)
    let lead = station.lead.map { key("Staff", $0.code) }
    add(
      "ActivityType", station.place,
      [
        "dsid": number, "clinicGroup": group, "code": .text(station.code), "name": .text(station.name),
        "order": .number(order), "forms": .text(station.forms),
        "requiresStudentSignout": .bool(station.requiresStudentSignout),
        "acceptsPatients": .bool(station.acceptsPatients),
        "acceptsSimulatedPatient": .bool(station.acceptsSimulatedPatient), "teachingLead": lead ?? .null,
        "doubleMarkingMargin": .some(station.doubleMarkingMargin), "withdrawn": .some(station.withdrawn ?? ""),
      ])
    for (index, sheet) in station.sheets.enumerated() {
      add(
        "AvailableForm", sheet.place,
        [
          "dsid": key("AvailableForm", circuit, station.code, sheet.code), "activityType": number,
          "typeForm": key("TypeForm", sheet.code), "order": .number(index + 1),
        ])
    }
  }
}

extension Bundle.Value {
  /// A whole number.
  static func number(_ number: Int) -> Self { .integer(Int64(number)) }
  /// A text, or no value if it is empty.
  static func some(_ text: String) -> Self { text.isEmpty ? .null : .text(text) }
  /// A number, if there is one.
  static func some(_ number: Double?) -> Self { number.map { .double($0) } ?? .null }
}

extension StationRules {
  /// The settings that are not as they would be unwritten, as members of `Config.settings`.
  fileprivate var json: [(key: String, json: String)] {
    let usual = StationRules()
    var members: [(key: String, json: String)] = []
    if showsNames != usual.showsNames { members.append(("showNames", String(showsNames))) }
    if identityDigits != usual.identityDigits { members.append(("identityDigits", String(identityDigits))) }
    if idleLockMinutes != usual.idleLockMinutes { members.append(("idleLockMinutes", String(idleLockMinutes))) }
    return members
  }
}

extension ExamPlan.Warning {
  /// The rule as it stands in `ClinicGroup.warnings`.
  var json: String {
    JSONText.object([
      ("level", JSONText.quoted(level)), ("seconds", String(secondsLeft)), ("text", JSONText.quoted(text)),
      ("type", JSONText.quoted(phaseType)),
    ])
  }
}

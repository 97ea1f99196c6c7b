// Generated from the catalogue by script/generate; edit the catalogue, not this file.
import ExamStore
import Timer

extension Stored {
  /// A circuit: a ring of stations that candidates rotate round.
  package enum ClinicGroup: StoredEntity, DeletableEntity {
    package typealias Key = Int
    package static let entityName = "ClinicGroup"
    package enum Field: String, StoredField {
      case name, code, warnings
    }
  }
}

extension FieldChange where Entity == Stored.ClinicGroup {
  package static func name(_ value: String) -> Self { Self("name", value) }
  /// The circuit's natural key in an exam folder.
  package static func code(_ value: String?) -> Self { Self("code", value) }
  /// Rules {phase type, seconds left, level, text} that replace the clock's default alerts as they stand.
  package static func warnings(_ value: String?) -> Self { Self("warnings", value) }
}

extension Stored {
  /// A station of a circuit; a rest station has no form.
  package enum ActivityType: StoredEntity, DeletableEntity {
    package typealias Key = Int
    package static let entityName = "ActivityType"
    package enum Field: String, StoredField {
      case name, iPadEnabled, acceptsPatients, acceptsSimulatedPatient, requiresStudentSignout, code, order, forms
      case doubleMarkingMargin, withdrawn, clinicGroup, teachingLead
    }
  }
}

extension FieldChange where Entity == Stored.ActivityType {
  package static func name(_ value: String) -> Self { Self("name", value) }
  package static func iPadEnabled(_ value: Bool) -> Self { Self("iPadEnabled", value) }
  package static func acceptsPatients(_ value: Bool) -> Self { Self("acceptsPatients", value) }
  package static func acceptsSimulatedPatient(_ value: Bool) -> Self { Self("acceptsSimulatedPatient", value) }
  package static func requiresStudentSignout(_ value: Bool) -> Self { Self("requiresStudentSignout", value) }
  /// The station's natural key in an exam folder.
  package static func code(_ value: String?) -> Self { Self("code", value) }
  /// The station's place in the ring, from 1; stations of equal order stand by key.
  package static func order(_ value: Int) -> Self { Self("order", value) }
  /// all: a candidate needs a sheet of every available form; one: of exactly one of them.
  package static func forms(_ value: String) -> Self { Self("forms", value) }
  /// How far the scores of two assessors of one candidate may differ, in percent of the maximum, before the lead is
  /// asked; no value: 10.
  package static func doubleMarkingMargin(_ value: MarkValue?) -> Self { Self("doubleMarkingMargin", value) }
  /// Why nothing counts here any more; its station sessions are cancelled. No value: it is examined.
  package static func withdrawn(_ value: String?) -> Self { Self("withdrawn", value) }
  package static func clinicGroup(_ value: Stored.ClinicGroup.Key) -> Self { Self("clinicGroup", value) }
  package static func teachingLead(_ value: Stored.Staff.Key?) -> Self { Self("teachingLead", value) }
}

extension Stored {
  /// A station session: one station, date, start time, one assessor.
  package enum Timetable: StoredEntity, DeletableEntity {
    package typealias Key = Int
    package static let entityName = "Timetable"
    package enum Field: String, StoredField {
      case date, startTime, endTime, group, order, cancelled, releasedAt, activityType, staff, coverStaff
      case scheduledCoverStaff, releasedBy
    }
  }
}

extension FieldChange where Entity == Stored.Timetable {
  /// YYYY-MM-DD, local in the exam's time zone. A row without a date belongs to no session of a circuit.
  package static func date(_ value: String?) -> Self { Self("date", value) }
  /// HH:MM. With circuit and date it names the session of a circuit.
  package static func startTime(_ value: String?) -> Self { Self("startTime", value) }
  /// HH:MM, as planned; the clock alone says when a session really ends.
  package static func endTime(_ value: String?) -> Self { Self("endTime", value) }
  package static func group(_ value: String?) -> Self { Self("group", value) }
  package static func order(_ value: Int) -> Self { Self("order", value) }
  package static func cancelled(_ value: Bool) -> Self { Self("cancelled", value) }
  /// When the invigilator let the assessors go; no value: not yet.
  package static func releasedAt(_ value: Instant?) -> Self { Self("releasedAt", value) }
  package static func activityType(_ value: Stored.ActivityType.Key) -> Self { Self("activityType", value) }
  package static func staff(_ value: Stored.Staff.Key?) -> Self { Self("staff", value) }
  /// Set at the station. Stands before scheduledCoverStaff, which stands before staff.
  package static func coverStaff(_ value: Stored.Staff.Key?) -> Self { Self("coverStaff", value) }
  package static func scheduledCoverStaff(_ value: Stored.Staff.Key?) -> Self { Self("scheduledCoverStaff", value) }
  /// Who let them go.
  package static func releasedBy(_ value: Stored.Staff.Key?) -> Self { Self("releasedBy", value) }
}

extension Stored {
  /// A roster entry: one candidate in one station session.
  package enum TimetableAttendanceLog: StoredEntity, DeletableEntity {
    package typealias Key = String
    package static let entityName = "TimetableAttendanceLog"
    package enum Field: String, StoredField {
      case present, order, additional, addedInApp, staffSignout, feedbackReceivedAt, feedbackAgreed, identityCheckedAt
      case lateAt, identityNote, practice, timetable, student
    }
  }
}

extension FieldChange where Entity == Stored.TimetableAttendanceLog {
  /// No value: not yet recorded. The reference has a plain boolean, which cannot tell that from absent.
  package static func present(_ value: Bool?) -> Self { Self("present", value) }
  /// The round in which the candidate comes, from 1. No value: not placed in a round.
  package static func order(_ value: Int?) -> Self { Self("order", value) }
  package static func additional(_ value: Bool) -> Self { Self("additional", value) }
  package static func addedInApp(_ value: Bool) -> Self { Self("addedInApp", value) }
  package static func staffSignout(_ value: Bool) -> Self { Self("staffSignout", value) }
  package static func feedbackReceivedAt(_ value: Instant?) -> Self { Self("feedbackReceivedAt", value) }
  package static func feedbackAgreed(_ value: Bool) -> Self { Self("feedbackAgreed", value) }
  /// When the assessor passed the identity step.
  package static func identityCheckedAt(_ value: Instant?) -> Self { Self("identityCheckedAt", value) }
  /// When a late candidate came in; no value: not late.
  package static func lateAt(_ value: Instant?) -> Self { Self("lateAt", value) }
  /// What did not fit when the candidate's identity was checked; no value: it fitted, or was not checked.
  package static func identityNote(_ value: String?) -> Self { Self("identityNote", value) }
  /// A practice entry, which never counts in what is expected or exported.
  package static func practice(_ value: Bool) -> Self { Self("practice", value) }
  package static func timetable(_ value: Stored.Timetable.Key) -> Self { Self("timetable", value) }
  /// A practice entry has no candidate.
  package static func student(_ value: Stored.Student.Key?) -> Self { Self("student", value) }
}

extension Stored {
  /// A second assessor of a station session.
  package enum AdditionalStaff: StoredEntity, DeletableEntity {
    package typealias Key = String
    package static let entityName = "AdditionalStaff"
    package enum Field: String, StoredField {
      case seat, timetable, staff
    }
  }
}

extension FieldChange where Entity == Stored.AdditionalStaff {
  /// The seat of the sheets that this second assessor fills; no value: the row's uuid.
  package static func seat(_ value: String?) -> Self { Self("seat", value) }
  /// The session marked in.
  package static func timetable(_ value: Stored.Timetable.Key) -> Self { Self("timetable", value) }
  /// Who assesses.
  package static func staff(_ value: Stored.Staff.Key?) -> Self { Self("staff", value) }
}

extension Stored {
  /// A mark sheet template.
  package enum TypeForm: StoredEntity, DeletableEntity {
    package typealias Key = Int
    package static let entityName = "TypeForm"
    package enum Field: String, StoredField {
      case name, instructions, order, hideTotalQuestion, props, code, key, clinicGroup
    }
  }
}

extension FieldChange where Entity == Stored.TypeForm {
  package static func name(_ value: String) -> Self { Self("name", value) }
  package static func instructions(_ value: String?) -> Self { Self("instructions", value) }
  package static func order(_ value: Int) -> Self { Self("order", value) }
  package static func hideTotalQuestion(_ value: Bool) -> Self { Self("hideTotalQuestion", value) }
  /// JSON, the reference's own extension point: globalRating (an item), criticalItems (a list of items),
  /// borderlineGrade, stationWeight, pilot. An item is named by its key, its dsid or its text.
  package static func props(_ value: String?) -> Self { Self("props", value) }
  /// The template's short name for people and for file names of exports.
  package static func code(_ value: String?) -> Self { Self("code", value) }
  /// The template's natural key in an exam folder.
  package static func key(_ value: String?) -> Self { Self("key", value) }
  /// Not an owner: one template serves stations of several circuits.
  package static func clinicGroup(_ value: Stored.ClinicGroup.Key?) -> Self { Self("clinicGroup", value) }
}

extension Stored {
  /// A section of a mark sheet template.
  package enum TypeSection: StoredEntity, DeletableEntity {
    package typealias Key = Int
    package static let entityName = "TypeSection"
    package enum Field: String, StoredField {
      case name, duplicable, foldable, quadAndTooth, information, matrixTitles, maximumQuantity, maximumDifficulty, key
    }
  }
}

extension FieldChange where Entity == Stored.TypeSection {
  package static func name(_ value: String) -> Self { Self("name", value) }
  package static func duplicable(_ value: Bool) -> Self { Self("duplicable", value) }
  package static func foldable(_ value: Bool) -> Self { Self("foldable", value) }
  package static func quadAndTooth(_ value: Bool) -> Self { Self("quadAndTooth", value) }
  package static func information(_ value: String?) -> Self { Self("information", value) }
  /// JSON: a list of the titles of the columns of a marking matrix.
  package static func matrixTitles(_ value: String?) -> Self { Self("matrixTitles", value) }
  /// How many copies a sheet may hold; no value: no limit.
  package static func maximumQuantity(_ value: Int?) -> Self { Self("maximumQuantity", value) }
  /// The upper end of the difficulty scale; no value: not asked.
  package static func maximumDifficulty(_ value: Int?) -> Self { Self("maximumDifficulty", value) }
  /// The section's natural key within its template.
  package static func key(_ value: String?) -> Self { Self("key", value) }
}

extension Stored {
  /// An item of a mark sheet template.
  package enum TypeQuestion: StoredEntity, DeletableEntity {
    package typealias Key = Int
    package static let entityName = "TypeQuestion"
    package enum Field: String, StoredField {
      case text, questionType, information, mandatory, defaultState, binaryLow, binaryHigh, binaryLowText
      case binaryHighText, numberOfOptions, includesUnknownRating, threshold, lowerThreshold, lowest, step, key, tags
    }
  }
}

extension FieldChange where Entity == Stored.TypeQuestion {
  package static func text(_ value: String) -> Self { Self("text", value) }
  /// binary, rating, text, marking_matrix, boolean, free_text, feedback, record or procedure. A rating where a row
  /// leaves it out: the other defaults then give a complete scale of 1 to 5.
  package static func questionType(_ value: String) -> Self { Self("questionType", value) }
  package static func information(_ value: String?) -> Self { Self("information", value) }
  package static func mandatory(_ value: Bool) -> Self { Self("mandatory", value) }
  /// True suggests the high level; the item stays blank until it is confirmed.
  package static func defaultState(_ value: Bool) -> Self { Self("defaultState", value) }
  package static func binaryLow(_ value: MarkValue) -> Self { Self("binaryLow", value) }
  package static func binaryHigh(_ value: MarkValue) -> Self { Self("binaryHigh", value) }
  package static func binaryLowText(_ value: String) -> Self { Self("binaryLowText", value) }
  package static func binaryHighText(_ value: String) -> Self { Self("binaryHighText", value) }
  /// The number of levels of a rating.
  package static func numberOfOptions(_ value: Int) -> Self { Self("numberOfOptions", value) }
  /// Whether the item offers unable to assess.
  package static func includesUnknownRating(_ value: Bool) -> Self { Self("includesUnknownRating", value) }
  package static func threshold(_ value: MarkValue?) -> Self { Self("threshold", value) }
  package static func lowerThreshold(_ value: MarkValue?) -> Self { Self("lowerThreshold", value) }
  /// The first level of a rating. The levels are lowest, lowest + step, …, numberOfOptions of them: 0 to 4 is lowest 0
  /// with 5 options, a mark out of 20 is lowest 0 with 21.
  package static func lowest(_ value: MarkValue) -> Self { Self("lowest", value) }
  /// The distance between two levels of a rating, over 0.
  package static func step(_ value: MarkValue) -> Self { Self("step", value) }
  /// The item's natural key within its template.
  package static func key(_ value: String?) -> Self { Self("key", value) }
  /// The tags that an item offers, a list of texts.
  package static func tags(_ value: String?) -> Self { Self("tags", value) }
}

extension Stored {
  /// A level of a marking matrix with its text.
  package enum MarkingDescriptor: StoredEntity, DeletableEntity {
    package typealias Key = Int
    package static let entityName = "MarkingDescriptor"
    package enum Field: String, StoredField {
      case descriptor, value, order, question
    }
  }
}

extension FieldChange where Entity == Stored.MarkingDescriptor {
  /// The entity's text.
  package static func descriptor(_ value: String) -> Self { Self("descriptor", value) }
  /// No value: the level means unable to assess.
  package static func value(_ value: MarkValue?) -> Self { Self("value", value) }
  package static func order(_ value: Int) -> Self { Self("order", value) }
  package static func question(_ value: Stored.TypeQuestion.Key) -> Self { Self("question", value) }
}

extension Stored {
  /// Places a section in a template.
  package enum SectionToForm: StoredEntity, DeletableEntity {
    package typealias Key = Int
    package static let entityName = "SectionToForm"
    package enum Field: String, StoredField {
      case order, section, form
    }
  }
}

extension FieldChange where Entity == Stored.SectionToForm {
  package static func order(_ value: Int) -> Self { Self("order", value) }
  package static func section(_ value: Stored.TypeSection.Key) -> Self { Self("section", value) }
  package static func form(_ value: Stored.TypeForm.Key) -> Self { Self("form", value) }
}

extension Stored {
  /// Places an item in a section.
  package enum QuestionToSection: StoredEntity, DeletableEntity {
    package typealias Key = Int
    package static let entityName = "QuestionToSection"
    package enum Field: String, StoredField {
      case order, question, section
    }
  }
}

extension FieldChange where Entity == Stored.QuestionToSection {
  package static func order(_ value: Int) -> Self { Self("order", value) }
  package static func question(_ value: Stored.TypeQuestion.Key) -> Self { Self("question", value) }
  package static func section(_ value: Stored.TypeSection.Key) -> Self { Self("section", value) }
}

extension Stored {
  /// Offers a template at a station.
  package enum AvailableForm: StoredEntity, DeletableEntity {
    package typealias Key = Int
    package static let entityName = "AvailableForm"
    package enum Field: String, StoredField {
      case order, typeForm, activityType
    }
  }
}

extension FieldChange where Entity == Stored.AvailableForm {
  package static func order(_ value: Int) -> Self { Self("order", value) }
  package static func typeForm(_ value: Stored.TypeForm.Key) -> Self { Self("typeForm", value) }
  package static func activityType(_ value: Stored.ActivityType.Key) -> Self { Self("activityType", value) }
}

extension Stored {
  /// The texts, values and order of a template as they were when sheets were made from it.
  package enum FormVersion: StoredEntity {
    package typealias Key = String
    package static let entityName = "FormVersion"
    package enum Field: String, StoredField {
      case number, digest, content, typeForm
    }
  }
}

extension FieldChange where Entity == Stored.FormVersion {
  /// Counts the versions of a template from 1.
  package static func number(_ value: Int) -> Self { Self("number", value) }
  /// SHA-256 of content in hexadecimal; equal content is one version.
  package static func digest(_ value: String?) -> Self { Self("digest", value) }
  /// Sections, items and levels in full.
  package static func content(_ value: String?) -> Self { Self("content", value) }
  /// The template.
  package static func typeForm(_ value: Stored.TypeForm.Key) -> Self { Self("typeForm", value) }
}

extension Stored {
  /// A mark sheet: a template filled in for one roster entry by one seat.
  package enum DataForm: StoredEntity, DeletableEntity {
    package typealias Key = String
    package static let entityName = "DataForm"
    package enum Field: String, StoredField {
      case seat, signedAt, type, attendanceLog, version, signedBy, judgedBy
    }
  }
}

extension FieldChange where Entity == Stored.DataForm {
  /// The first and each second assessor have a seat, so two assessors are double marking, not a conflict.
  package static func seat(_ value: String) -> Self { Self("seat", value) }
  /// When the sheet was signed; no value: open.
  package static func signedAt(_ value: Instant?) -> Self { Self("signedAt", value) }
  package static func type(_ value: Stored.TypeForm.Key?) -> Self { Self("type", value) }
  package static func attendanceLog(_ value: Stored.TimetableAttendanceLog.Key) -> Self { Self("attendanceLog", value) }
  /// The version that the sheet was made from.
  package static func version(_ value: Stored.FormVersion.Key?) -> Self { Self("version", value) }
  /// Who signed.
  package static func signedBy(_ value: Stored.Staff.Key?) -> Self { Self("signedBy", value) }
  /// Whose sheet it is; each mark names its own judge, because a cover takes over half-filled sheets.
  package static func judgedBy(_ value: Stored.Staff.Key?) -> Self { Self("judgedBy", value) }
}

extension Stored {
  /// A section of a mark sheet.
  package enum DataSection: StoredEntity, DeletableEntity {
    package typealias Key = String
    package static let entityName = "DataSection"
    package enum Field: String, StoredField {
      case name, order, quantity, difficulty, quad, tooth, duplicable, copy, type, dataForm, sectionToFormLink
    }
  }
}

extension FieldChange where Entity == Stored.DataSection {
  package static func name(_ value: String) -> Self { Self("name", value) }
  package static func order(_ value: Int) -> Self { Self("order", value) }
  package static func quantity(_ value: Int?) -> Self { Self("quantity", value) }
  package static func difficulty(_ value: Int?) -> Self { Self("difficulty", value) }
  package static func quad(_ value: String?) -> Self { Self("quad", value) }
  package static func tooth(_ value: String?) -> Self { Self("tooth", value) }
  package static func duplicable(_ value: Bool) -> Self { Self("duplicable", value) }
  /// Counts the copies of a duplicated section from 1.
  package static func copy(_ value: Int) -> Self { Self("copy", value) }
  package static func type(_ value: Stored.TypeSection.Key?) -> Self { Self("type", value) }
  package static func dataForm(_ value: Stored.DataForm.Key) -> Self { Self("dataForm", value) }
  package static func sectionToFormLink(_ value: Stored.SectionToForm.Key?) -> Self { Self("sectionToFormLink", value) }
}

extension Stored {
  /// DataQuestion and the entities that inherit from it.
  package protocol DataQuestionFamily: StoredEntity where Key == String {}

  /// An item of a mark sheet; the parent of RatingQuestion, and itself an item of free text.
  package enum DataQuestion: DataQuestionFamily, DeletableEntity {
    package typealias Key = String
    package static let entityName = "DataQuestion"
    package enum Field: String, StoredField {
      case caption, feedback, order, completedCase, recommended, unable, tags, markedAt, source, times, difficulty, note
      case type, dataSection, descriptor, itemLink, judgedBy, enteredBy
    }
  }
}

extension FieldChange where Entity: Stored.DataQuestionFamily {
  /// The item's text when the sheet was made.
  package static func caption(_ value: String?) -> Self { Self("caption", value) }
  /// Feedback on any item; the answer on an item of free text.
  package static func feedback(_ value: String?) -> Self { Self("feedback", value) }
  package static func order(_ value: Int) -> Self { Self("order", value) }
  package static func completedCase(_ value: Bool) -> Self { Self("completedCase", value) }
  package static func recommended(_ value: Bool) -> Self { Self("recommended", value) }
  /// Unable to assess, which is not zero: the item leaves score and maximum.
  package static func unable(_ value: Bool) -> Self { Self("unable", value) }
  /// The chosen tags, a list of texts; synchronised here, mirrored in AttributesSelected.
  package static func tags(_ value: String?) -> Self { Self("tags", value) }
  /// When the mark that stands was given.
  package static func markedAt(_ value: Instant?) -> Self { Self("markedAt", value) }
  /// screen or paper: what the mark was typed from; no value: not marked.
  package static func source(_ value: String?) -> Self { Self("source", value) }
  /// How often it was done: record and procedure items.
  package static func times(_ value: Int?) -> Self { Self("times", value) }
  /// At which difficulty it was done: record and procedure items.
  package static func difficulty(_ value: Int?) -> Self { Self("difficulty", value) }
  /// The supervisor's note: record and procedure items.
  package static func note(_ value: String?) -> Self { Self("note", value) }
  package static func type(_ value: Stored.TypeQuestion.Key?) -> Self { Self("type", value) }
  package static func dataSection(_ value: Stored.DataSection.Key) -> Self { Self("dataSection", value) }
  /// The chosen level of a marking matrix: two levels may share a value.
  package static func descriptor(_ value: Stored.MarkingDescriptor.Key?) -> Self { Self("descriptor", value) }
  /// The link that the item was made from; its key derives from section and link.
  package static func itemLink(_ value: Stored.QuestionToSection.Key?) -> Self { Self("itemLink", value) }
  /// Who judged.
  package static func judgedBy(_ value: Stored.Staff.Key?) -> Self { Self("judgedBy", value) }
  /// Who typed, which may be another person.
  package static func enteredBy(_ value: Stored.Staff.Key?) -> Self { Self("enteredBy", value) }
}

extension Stored {
  /// An item with a value: binary, rating or marking matrix.
  package enum RatingQuestion: DataQuestionFamily, DeletableEntity {
    package typealias Key = String
    package static let entityName = "RatingQuestion"
    package enum Field: String, StoredField {
      case caption, feedback, order, completedCase, recommended, unable, tags, markedAt, source, times, difficulty, note
      case rating, type, dataSection, descriptor, itemLink, judgedBy, enteredBy
    }
  }
}

extension FieldChange where Entity == Stored.RatingQuestion {
  /// No value: blank. Zero is a mark.
  package static func rating(_ value: MarkValue?) -> Self { Self("rating", value) }
}

extension Stored {
  /// Who has changed slots with whom in a session, and from which round on.
  package enum SlotTable: StoredEntity {
    package typealias Key = String
    package static let entityName = "SlotTable"
    package enum Field: String, StoredField {
      case date, startTime, places, circuit
    }
  }
}

extension FieldChange where Entity == Stored.SlotTable {
  /// The session's date, YYYY-MM-DD.
  package static func date(_ value: String?) -> Self { Self("date", value) }
  /// The session's start, HH:MM.
  package static func startTime(_ value: String?) -> Self { Self("startTime", value) }
  /// A list of {round, planned, comes}: from that round on, who comes where another candidate was planned.
  package static func places(_ value: String?) -> Self { Self("places", value) }
  /// The circuit.
  package static func circuit(_ value: Stored.ClinicGroup.Key) -> Self { Self("circuit", value) }
}

extension Stored {
  /// A station that a candidate has missed and is to be examined at after the session.
  package enum RerunEntry: StoredEntity, DeletableEntity {
    package typealias Key = String
    package static let entityName = "RerunEntry"
    package enum Field: String, StoredField {
      case place, status, time, reason, attendanceLog, staff
    }
  }
}

extension FieldChange where Entity == Stored.RerunEntry {
  /// The round of the re-run, from 1.
  package static func place(_ value: Int) -> Self { Self("place", value) }
  /// queued, done or withdrawn.
  package static func status(_ value: String) -> Self { Self("status", value) }
  /// When it was queued.
  package static func time(_ value: Instant?) -> Self { Self("time", value) }
  /// Why the station was missed, in words.
  package static func reason(_ value: String?) -> Self { Self("reason", value) }
  /// Who, at which station.
  package static func attendanceLog(_ value: Stored.TimetableAttendanceLog.Key) -> Self { Self("attendanceLog", value) }
  /// Who queued it.
  package static func staff(_ value: Stored.Staff.Key?) -> Self { Self("staff", value) }
}

extension Stored {
  /// A decision of the exam lead on what counts, with its reason.
  package enum ExamRuling: StoredEntity, DeletableEntity {
    package typealias Key = String
    package static let entityName = "ExamRuling"
    package enum Field: String, StoredField {
      case kind, time, circuit, session, station, candidate, item, sheet, subject, choice, policy, score, grade, reason
      case staff, secondStaff
    }
  }
}

extension FieldChange where Entity == Stored.ExamRuling {
  /// exclusion, excuse, adjudication, waiver, policy, answer, amendment or reopening.
  package static func kind(_ value: String) -> Self { Self("kind", value) }
  /// When it was made.
  package static func time(_ value: Instant?) -> Self { Self("time", value) }
  /// The circuit's name; no value: any.
  package static func circuit(_ value: String?) -> Self { Self("circuit", value) }
  /// Date and start, YYYY-MM-DD HH:MM; no value: any.
  package static func session(_ value: String?) -> Self { Self("session", value) }
  /// The station's code; no value: any.
  package static func station(_ value: String?) -> Self { Self("station", value) }
  /// The candidate's number; no value: any.
  package static func candidate(_ value: String?) -> Self { Self("candidate", value) }
  /// The item's key.
  package static func item(_ value: String?) -> Self { Self("item", value) }
  /// The mark sheet's key: the ruling is about this sheet alone.
  package static func sheet(_ value: String?) -> Self { Self("sheet", value) }
  /// waiver: the open line; answer: the row that is answered.
  package static func subject(_ value: String?) -> Self { Self("subject", value) }
  /// adjudication: a seat, mean or typed; waiver: the check; policy: the choices that were changed.
  package static func choice(_ value: String?) -> Self { Self("choice", value) }
  /// policy: the choices as results: in exam.yaml has them.
  package static func policy(_ value: String?) -> Self { Self("policy", value) }
  /// adjudication, typed: the score in percent.
  package static func score(_ value: MarkValue?) -> Self { Self("score", value) }
  /// adjudication, typed: the global grade.
  package static func grade(_ value: MarkValue?) -> Self { Self("grade", value) }
  /// Why.
  package static func reason(_ value: String) -> Self { Self("reason", value) }
  /// Who ruled.
  package static func staff(_ value: Stored.Staff.Key?) -> Self { Self("staff", value) }
  /// Who ruled with them.
  package static func secondStaff(_ value: Stored.Staff.Key?) -> Self { Self("secondStaff", value) }
}

extension Stored {
  /// What two people locked, and what it came to: the record that a final hash proves.
  package enum ExamLock: StoredEntity, DeletableEntity {
    package typealias Key = String
    package static let entityName = "ExamLock"
    package enum Field: String, StoredField {
      case lockedAt, circuit, session, amendment, content, hash, reason, reopenedAt, reopenReason, staff, secondStaff
      case reopenedBy, secondReopenedBy
    }
  }
}

extension FieldChange where Entity == Stored.ExamLock {
  /// When.
  package static func lockedAt(_ value: Instant?) -> Self { Self("lockedAt", value) }
  /// The circuit's name; no value: every circuit.
  package static func circuit(_ value: String?) -> Self { Self("circuit", value) }
  /// Date and start, YYYY-MM-DD HH:MM; no value: every session.
  package static func session(_ value: String?) -> Self { Self("session", value) }
  /// 0: the lock itself.
  package static func amendment(_ value: Int) -> Self { Self("amendment", value) }
  /// What was locked: counts, heads of the chains, policy, digest of the results, waivers.
  package static func content(_ value: String?) -> Self { Self("content", value) }
  /// SHA-256 of the content in its canonical form, in hexadecimal digits.
  package static func hash(_ value: String?) -> Self { Self("hash", value) }
  /// Why it was amended.
  package static func reason(_ value: String?) -> Self { Self("reason", value) }
  /// When two people opened it again; no value: it holds.
  package static func reopenedAt(_ value: Instant?) -> Self { Self("reopenedAt", value) }
  /// Why.
  package static func reopenReason(_ value: String?) -> Self { Self("reopenReason", value) }
  /// Who locked.
  package static func staff(_ value: Stored.Staff.Key?) -> Self { Self("staff", value) }
  /// Who locked with them.
  package static func secondStaff(_ value: Stored.Staff.Key?) -> Self { Self("secondStaff", value) }
  /// Who opened it again.
  package static func reopenedBy(_ value: Stored.Staff.Key?) -> Self { Self("reopenedBy", value) }
  /// Who opened it with them.
  package static func secondReopenedBy(_ value: Stored.Staff.Key?) -> Self { Self("secondReopenedBy", value) }
}

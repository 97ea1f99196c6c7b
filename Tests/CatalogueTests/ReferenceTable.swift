@testable import Catalogue

/// The reference's list of entities, written out by hand: name, primary key, direction, whether its own list or its
/// parent's has dsDeleted.
let reference: [(name: String, primaryKey: String, sync: SyncDirection, listsDeletion: Bool)] = [
  ("ActivityType", "dsid", .down, true),
  ("AssistanceRequested", "dsid", .down, true),
  ("AttributesSelected", "auto", .local, true),
  ("AvailableForm", "dsid", .down, false),
  ("CircuitStationDuration", "dsid", .down, true),
  ("ClinicGroup", "dsid", .down, true),
  ("Comment", "uuid", .up, true),
  ("CommentGroup", "dsid", .down, true),
  ("CommentMetaCircuit", "uuid", .up, true),
  ("CommentMetaStation", "uuid", .up, true),
  ("CommentMetaStationCandidate", "uuid", .up, true),
  ("Config", "dsid", .down, true),
  ("DataForm", "uuid", .up, true),
  ("DataQuestion", "uuid", .up, true),
  ("DataSection", "uuid", .up, true),
  ("Discipline", "dsid", .down, true),
  ("DisciplineForClinicGroup", "dsid", .down, true),
  ("LastUpdate", "lastUpdateType", .local, false),
  ("MarkingDescriptor", "dsid", .down, true),
  ("QuestionToSection", "dsid", .down, false),
  ("RatingQuestion", "uuid", .up, true),
  ("ScenarioMetadata", "dsid", .down, true),
  ("SectionToForm", "dsid", .down, false),
  ("Staff", "dsid", .down, true),
  ("StaffSignIn", "uuid", .up, true),
  ("Student", "dsid", .down, true),
  ("StudentForGroup", "dsid", .down, false),
  ("StudentForMajor", "dsid", .down, false),
  ("StudentGroup", "dsid", .down, true),
  ("StudentMajor", "dsid", .down, true),
  ("SyncInformation", "uuid", .up, true),
  ("Timetable", "dsid", .both, true),
  ("TimetableAttendanceLog", "uuid", .both, true),
  ("TypeForm", "dsid", .down, true),
  ("TypeQuestion", "dsid", .down, true),
  ("TypeSection", "dsid", .down, true),
  ("User", "dsid", .down, true),
]

/// The reference's lists of attributes (before the stroke) and relationships (after it; [] marks to-many), written out
/// by hand.
let referenceMembers: [String: String] = [
  "Timetable": """
  dsid date startTime endTime group order cancelled dsDeleted syncChangedKeys syncNew syncError | \
  activityType:ActivityType staff:Staff coverStaff:Staff scheduledCoverStaff:Staff \
  timetableAttendanceLogs:TimetableAttendanceLog[] staffSignIns:StaffSignIn[]
  """,
  "TimetableAttendanceLog": """
  uuid present order additional addedInApp staffSignout feedbackReceivedAt feedbackAgreed dsDeleted syncChangedKeys \
  syncNew syncError | timetable:Timetable student:Student dataForms:DataForm[] currentForm:DataForm \
  candidateComment:CommentMetaStationCandidate[] attributes:AttributesSelected[]
  """,
  "ActivityType": """
  dsid name iPadEnabled acceptsPatients acceptsSimulatedPatient requiresStudentSignout dsDeleted | \
  clinicGroup:ClinicGroup teachingLead:Staff timetables:Timetable[] availableForms:AvailableForm[] \
  stationComment:CommentMetaStation assistanceRequest:AssistanceRequested
  """,
  "ClinicGroup": """
  dsid name dsDeleted | stations:ActivityType[] durations:CircuitStationDuration[] \
  circuitComment:CommentMetaCircuit timetables:Timetable[] disciplines:DisciplineForClinicGroup[]
  """,
  "TypeForm": """
  dsid name instructions order hideTotalQuestion props dsDeleted | clinicGroup:ClinicGroup \
  sectionToForm:SectionToForm[] metadata:ScenarioMetadata availableForms:AvailableForm[]
  """,
  "TypeSection": """
  dsid name duplicable foldable quadAndTooth information matrixTitles maximumQuantity maximumDifficulty dsDeleted | \
  sectionToForm:SectionToForm[] questionToSection:QuestionToSection[]
  """,
  "TypeQuestion": """
  dsid text questionType information mandatory defaultState binaryLow binaryHigh binaryLowText binaryHighText \
  numberOfOptions includesUnknownRating threshold lowerThreshold dsDeleted | \
  questionToSection:QuestionToSection[] options:MarkingDescriptor[]
  """,
  "DataForm": """
  uuid typeID attendanceLogID dsDeleted syncChangedKeys syncNew syncError | type:TypeForm \
  attendanceLog:TimetableAttendanceLog dataSections:DataSection[] activeForTimetable:Timetable
  """,
  "DataSection": """
  uuid name order quantity difficulty quad tooth duplicable expanded dsDeleted syncChangedKeys syncNew syncError | \
  type:TypeSection dataForm:DataForm dataQuestions:DataQuestion[] sectionToFormLink:SectionToForm
  """,
  "DataQuestion": """
  uuid caption feedback order completedCase recommended dsDeleted syncChangedKeys syncNew syncError | \
  type:TypeQuestion dataSection:DataSection attributes:AttributesSelected[]
  """,
  "RatingQuestion": "rating |",
  "MarkingDescriptor": "dsid descriptor value order dsDeleted | question:TypeQuestion",
  "SectionToForm": "dsid order | section:TypeSection form:TypeForm",
  "QuestionToSection": "dsid order | question:TypeQuestion section:TypeSection",
  "AvailableForm": "dsid order | typeForm:TypeForm activityType:ActivityType",
  "User": """
  dsid username forename surname title email passcode active dsAdviserId dsDeleted | commentsWritten:Comment[] \
  commentsReceived:Comment[]
  """,
  "Staff": """
  firstName lastName | assignedTimetables:Timetable[] coverTimetables:Timetable[] \
  scheduledCoverTimetables:Timetable[] teachingActivities:ActivityType[] staffSignIns:StaffSignIn[]
  """,
  "Student": """
  studentNumber year | attendanceLogs:TimetableAttendanceLog[] studentGroups:StudentForGroup[] \
  studentMajors:StudentForMajor[]
  """,
  "StudentGroup": "dsid name dsDeleted | students:StudentForGroup[]",
  "StudentMajor": "dsid name dsDeleted | students:StudentForMajor[]",
  "StudentForGroup": "dsid | student:Student group:StudentGroup",
  "StudentForMajor": "dsid | student:Student major:StudentMajor",
  "Comment": """
  uuid text date dsDeleted syncChangedKeys syncNew syncError | writer:User recipient:User group:CommentGroup
  """,
  "CommentGroup": "dsid name dsDeleted | comments:Comment[]",
  "CommentMetaCircuit": "uuid text dsDeleted syncChangedKeys syncNew syncError | circuit:ClinicGroup",
  "CommentMetaStation": "uuid text dsDeleted syncChangedKeys syncNew syncError | station:ActivityType",
  "CommentMetaStationCandidate": """
  uuid text dsDeleted syncChangedKeys syncNew syncError | attendanceLog:TimetableAttendanceLog
  """,
  "Config": "dsid universityCode configURL dsDeleted |",
  "ScenarioMetadata": "dsid assessorInstructions candidateInstructions dsDeleted | typeForm:TypeForm",
  "Discipline": "dsid name dsDeleted | clinicGroups:DisciplineForClinicGroup[]",
  "DisciplineForClinicGroup": """
  dsid clinic_group_id discipline_id dsDeleted | clinicGroup:ClinicGroup discipline:Discipline
  """,
  "CircuitStationDuration": "dsid duration durationType manualStart order dsDeleted | clinicGroup:ClinicGroup",
  "SyncInformation": """
  uuid lastSync deviceUUID deviceName appUUID appVersion iOSVersion dsDeleted syncChangedKeys syncNew syncError | \
  staff:Staff
  """,
  "StaffSignIn": """
  uuid time appUUID dsDeleted syncChangedKeys syncNew syncError | staff:Staff timetable:Timetable
  """,
  "AssistanceRequested": """
  dsid assistanceRequired timeRequested dsDeleted | station:ActivityType circuit:ClinicGroup
  """,
  "LastUpdate": "lastUpdateType last_update |",
  "AttributesSelected": "dsDeleted | question:DataQuestion attendanceLog:TimetableAttendanceLog",
]

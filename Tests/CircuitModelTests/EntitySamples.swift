// Generated from the catalogue by script/generate; edit the catalogue, not this file.
import ExamStore
import Timer

@testable import CircuitModel

/// For every entity a change of every field, and one without a value of every field that may have none.
enum EntitySamples {
  static let all: [any AnyEntitySample] = [
    clinicGroup, activityType, timetable, timetableAttendanceLog, additionalStaff, typeForm, typeSection, typeQuestion,
    markingDescriptor, sectionToForm, questionToSection, availableForm, formVersion, dataForm, dataSection,
    dataQuestion, ratingQuestion, user, staff, student, studentGroup, studentMajor, studentForGroup, studentForMajor,
    comment, commentGroup, commentMetaCircuit, commentMetaStation, commentMetaStationCandidate, jot, config,
    scenarioMetadata, discipline, disciplineForClinicGroup, circuitStationDuration, syncInformation, staffSignIn,
    assistanceRequested, stationIncident, slotTable, rerunEntry, hallMessage, examRuling, examLock, circuitRun,
    clockEvent, device, sitting, passcodeAttempt,
  ]

  private static let clinicGroup = EntitySample<Stored.ClinicGroup>(
    0,
    [
      .name("7"), .code("7"), .warnings(#"[]"#),
    ],
    withoutValues: [
      .code(nil), .warnings(nil),
    ])

  private static let activityType = EntitySample<Stored.ActivityType>(
    1,
    [
      .name("7"), .iPadEnabled(true), .acceptsPatients(true), .acceptsSimulatedPatient(true),
      .requiresStudentSignout(true), .code("7"), .order(7), .forms("7"), .doubleMarkingMargin(MarkValue(scaled: 7)),
      .withdrawn("7"), .clinicGroup(7), .teachingLead(7),
    ],
    withoutValues: [
      .code(nil), .doubleMarkingMargin(nil), .withdrawn(nil), .teachingLead(nil),
    ])

  private static let timetable = EntitySample<Stored.Timetable>(
    2,
    [
      .date(#"2026-12-07"#), .startTime(#"09:00"#), .endTime(#"09:00"#), .group("7"), .order(7), .cancelled(true),
      .releasedAt(Instant(milliseconds: 7)), .activityType(7), .staff(7), .coverStaff(7), .scheduledCoverStaff(7),
      .releasedBy(7),
    ],
    withoutValues: [
      .date(nil), .startTime(nil), .endTime(nil), .group(nil), .releasedAt(nil), .staff(nil), .coverStaff(nil),
      .scheduledCoverStaff(nil), .releasedBy(nil),
    ])

  private static let timetableAttendanceLog = EntitySample<Stored.TimetableAttendanceLog>(
    "3",
    [
      .present(true), .order(7), .additional(true), .addedInApp(true), .staffSignout(true),
      .feedbackReceivedAt(Instant(milliseconds: 7)), .feedbackAgreed(true),
      .identityCheckedAt(Instant(milliseconds: 7)), .lateAt(Instant(milliseconds: 7)), .identityNote("7"),
      .practice(true), .timetable(7), .student(7),
    ],
    withoutValues: [
      .present(nil), .order(nil), .feedbackReceivedAt(nil), .identityCheckedAt(nil), .lateAt(nil), .identityNote(nil),
      .student(nil),
    ])

  private static let additionalStaff = EntitySample<Stored.AdditionalStaff>(
    "4",
    [
      .seat("7"), .timetable(7), .staff(7),
    ],
    withoutValues: [
      .seat(nil), .staff(nil),
    ])

  private static let typeForm = EntitySample<Stored.TypeForm>(
    5,
    [
      .name("7"), .instructions("7"), .order(7), .hideTotalQuestion(true), .props("7"), .code("7"), .key("7"),
      .clinicGroup(7),
    ],
    withoutValues: [
      .instructions(nil), .props(nil), .code(nil), .key(nil), .clinicGroup(nil),
    ])

  private static let typeSection = EntitySample<Stored.TypeSection>(
    6,
    [
      .name("7"), .duplicable(true), .foldable(true), .quadAndTooth(true), .information("7"), .matrixTitles("7"),
      .maximumQuantity(7), .maximumDifficulty(7), .key("7"),
    ],
    withoutValues: [
      .information(nil), .matrixTitles(nil), .maximumQuantity(nil), .maximumDifficulty(nil), .key(nil),
    ])

  private static let typeQuestion = EntitySample<Stored.TypeQuestion>(
    7,
    [
      .text("7"), .questionType(#"binary"#), .information("7"), .mandatory(true), .defaultState(true),
      .binaryLow(MarkValue(scaled: 7)), .binaryHigh(MarkValue(scaled: 7)), .binaryLowText("7"), .binaryHighText("7"),
      .numberOfOptions(7), .includesUnknownRating(true), .threshold(MarkValue(scaled: 7)),
      .lowerThreshold(MarkValue(scaled: 7)), .lowest(MarkValue(scaled: 7)), .step(MarkValue(scaled: 7)), .key("7"),
      .tags(#"[]"#),
    ],
    withoutValues: [
      .information(nil), .threshold(nil), .lowerThreshold(nil), .key(nil), .tags(nil),
    ])

  private static let markingDescriptor = EntitySample<Stored.MarkingDescriptor>(
    8,
    [
      .descriptor("7"), .value(MarkValue(scaled: 7)), .order(7), .question(7),
    ],
    withoutValues: [.value(nil)])

  private static let sectionToForm = EntitySample<Stored.SectionToForm>(
    9,
    [
      .order(7), .section(7), .form(7),
    ],
    withoutValues: [])

  private static let questionToSection = EntitySample<Stored.QuestionToSection>(
    10,
    [
      .order(7), .question(7), .section(7),
    ],
    withoutValues: [])

  private static let availableForm = EntitySample<Stored.AvailableForm>(
    11,
    [
      .order(7), .typeForm(7), .activityType(7),
    ],
    withoutValues: [])

  private static let formVersion = EntitySample<Stored.FormVersion>(
    "12",
    [
      .number(7), .digest("7"), .content(#"{"form":1,"hidesTotal":true,"name":"text","pilot":true,"sections":[]}"#),
      .typeForm(7),
    ],
    withoutValues: [
      .digest(nil), .content(nil),
    ])

  private static let dataForm = EntitySample<Stored.DataForm>(
    "13",
    [
      .seat("7"), .signedAt(Instant(milliseconds: 7)), .type(7), .attendanceLog("7"), .version("7"), .signedBy(7),
      .judgedBy(7),
    ],
    withoutValues: [
      .signedAt(nil), .type(nil), .version(nil), .signedBy(nil), .judgedBy(nil),
    ])

  private static let dataSection = EntitySample<Stored.DataSection>(
    "14",
    [
      .name("7"), .order(7), .quantity(7), .difficulty(7), .quad("7"), .tooth("7"), .duplicable(true), .copy(7),
      .type(7), .dataForm("7"), .sectionToFormLink(7),
    ],
    withoutValues: [
      .quantity(nil), .difficulty(nil), .quad(nil), .tooth(nil), .type(nil), .sectionToFormLink(nil),
    ])

  private static let dataQuestion = EntitySample<Stored.DataQuestion>(
    "15",
    [
      .caption("7"), .feedback("7"), .order(7), .completedCase(true), .recommended(true), .unable(true), .tags(#"[]"#),
      .markedAt(Instant(milliseconds: 7)), .source("7"), .times(7), .difficulty(7), .note("7"), .type(7),
      .dataSection("7"), .descriptor(7), .itemLink(7), .judgedBy(7), .enteredBy(7),
    ],
    withoutValues: [
      .caption(nil), .feedback(nil), .tags(nil), .markedAt(nil), .source(nil), .times(nil), .difficulty(nil),
      .note(nil), .type(nil), .descriptor(nil), .itemLink(nil), .judgedBy(nil), .enteredBy(nil),
    ])

  private static let ratingQuestion = EntitySample<Stored.RatingQuestion>(
    "16",
    [
      .caption("7"), .feedback("7"), .order(7), .completedCase(true), .recommended(true), .unable(true), .tags(#"[]"#),
      .markedAt(Instant(milliseconds: 7)), .source("7"), .times(7), .difficulty(7), .note("7"),
      .rating(MarkValue(scaled: 7)), .type(7), .dataSection("7"), .descriptor(7), .itemLink(7), .judgedBy(7),
      .enteredBy(7),
    ],
    withoutValues: [
      .caption(nil), .feedback(nil), .tags(nil), .markedAt(nil), .source(nil), .times(nil), .difficulty(nil),
      .note(nil), .rating(nil), .type(nil), .descriptor(nil), .itemLink(nil), .judgedBy(nil), .enteredBy(nil),
    ])

  private static let user = EntitySample<Stored.User>(
    17,
    [
      .username("7"), .forename("7"), .surname("7"), .title("7"), .email("7"), .active(true), .dsAdviserId(7),
      .passcodeHash("7"),
    ],
    withoutValues: [
      .username(nil), .forename(nil), .surname(nil), .title(nil), .email(nil), .dsAdviserId(nil), .passcodeHash(nil),
    ])

  private static let staff = EntitySample<Stored.Staff>(
    18,
    [
      .username("7"), .forename("7"), .surname("7"), .title("7"), .email("7"), .active(true), .dsAdviserId(7),
      .passcodeHash("7"), .firstName("7"), .lastName("7"),
    ],
    withoutValues: [
      .username(nil), .forename(nil), .surname(nil), .title(nil), .email(nil), .dsAdviserId(nil), .passcodeHash(nil),
      .firstName(nil), .lastName(nil),
    ])

  private static let student = EntitySample<Stored.Student>(
    19,
    [
      .username("7"), .forename("7"), .surname("7"), .title("7"), .email("7"), .active(true), .dsAdviserId(7),
      .passcodeHash("7"), .studentNumber("7"), .year("7"), .extraReadingSeconds(7), .extraStationSeconds(7),
      .access("7"), .consent("7"),
    ],
    withoutValues: [
      .username(nil), .forename(nil), .surname(nil), .title(nil), .email(nil), .dsAdviserId(nil), .passcodeHash(nil),
      .studentNumber(nil), .year(nil), .access(nil), .consent(nil),
    ])

  private static let studentGroup = EntitySample<Stored.StudentGroup>(
    20,
    [.name("7")],
    withoutValues: [])

  private static let studentMajor = EntitySample<Stored.StudentMajor>(
    21,
    [.name("7")],
    withoutValues: [])

  private static let studentForGroup = EntitySample<Stored.StudentForGroup>(
    22,
    [
      .student(7), .group(7),
    ],
    withoutValues: [])

  private static let studentForMajor = EntitySample<Stored.StudentForMajor>(
    23,
    [
      .student(7), .major(7),
    ],
    withoutValues: [])

  private static let comment = EntitySample<Stored.Comment>(
    "24",
    [
      .text("7"), .date("7"), .writer(7), .recipient(7), .group(7),
    ],
    withoutValues: [
      .date(nil), .writer(nil), .recipient(nil), .group(nil),
    ])

  private static let commentGroup = EntitySample<Stored.CommentGroup>(
    25,
    [.name("7")],
    withoutValues: [])

  private static let commentMetaCircuit = EntitySample<Stored.CommentMetaCircuit>(
    "26",
    [
      .text("7"), .time(Instant(milliseconds: 7)), .session("7"), .concern(true), .circuit(7), .author(7),
      .timetable(7),
    ],
    withoutValues: [
      .time(nil), .session(nil), .author(nil), .timetable(nil),
    ])

  private static let commentMetaStation = EntitySample<Stored.CommentMetaStation>(
    "27",
    [
      .text("7"), .time(Instant(milliseconds: 7)), .session("7"), .concern(true), .station(7), .author(7),
      .timetable(7),
    ],
    withoutValues: [
      .time(nil), .session(nil), .author(nil), .timetable(nil),
    ])

  private static let commentMetaStationCandidate = EntitySample<Stored.CommentMetaStationCandidate>(
    "28",
    [
      .text("7"), .time(Instant(milliseconds: 7)), .concern(true), .visibleToCandidate(true), .attendanceLog("7"),
      .author(7),
    ],
    withoutValues: [
      .time(nil), .author(nil),
    ])

  private static let jot = EntitySample<Stored.Jot>(
    "29",
    [
      .text("7"), .time(Instant(milliseconds: 7)), .phase("7"), .attendanceLog("7"), .author(7),
    ],
    withoutValues: [
      .time(nil), .phase(nil), .author(nil),
    ])

  private static let config = EntitySample<Stored.Config>(
    30,
    [
      .universityCode("7"), .configURL("7"), .timeZone("7"), .examName("7"), .settings(#"{}"#), .retentionDays(7),
    ],
    withoutValues: [
      .universityCode(nil), .configURL(nil), .timeZone(nil), .examName(nil), .settings(nil), .retentionDays(nil),
    ])

  private static let scenarioMetadata = EntitySample<Stored.ScenarioMetadata>(
    31,
    [
      .assessorInstructions("7"), .candidateInstructions("7"), .typeForm(7),
    ],
    withoutValues: [
      .assessorInstructions(nil), .candidateInstructions(nil),
    ])

  private static let discipline = EntitySample<Stored.Discipline>(
    32,
    [.name("7")],
    withoutValues: [])

  private static let disciplineForClinicGroup = EntitySample<Stored.DisciplineForClinicGroup>(
    33,
    [
      .clinicGroup(7), .discipline(7),
    ],
    withoutValues: [])

  private static let circuitStationDuration = EntitySample<Stored.CircuitStationDuration>(
    34,
    [
      .duration(7), .durationType("7"), .manualStart(7), .order(7), .seconds(7), .clinicGroup(7),
    ],
    withoutValues: [])

  private static let syncInformation = EntitySample<Stored.SyncInformation>(
    "35",
    [
      .lastSync(Instant(milliseconds: 7)), .deviceUUID("7"), .deviceName("7"), .appUUID("7"), .appVersion("7"),
      .iOSVersion("7"), .staff(7),
    ],
    withoutValues: [
      .lastSync(nil), .deviceUUID(nil), .deviceName(nil), .appUUID(nil), .appVersion(nil), .iOSVersion(nil),
      .staff(nil),
    ])

  private static let staffSignIn = EntitySample<Stored.StaffSignIn>(
    "36",
    [
      .time(Instant(milliseconds: 7)), .appUUID("7"), .staff(7), .timetable(7),
    ],
    withoutValues: [
      .time(nil), .appUUID(nil), .staff(nil),
    ])

  private static let assistanceRequested = EntitySample<Stored.AssistanceRequested>(
    "37",
    [
      .dsid(7), .assistanceRequired(true), .timeRequested("7"), .status("7"), .timeResponded(Instant(milliseconds: 7)),
      .timeResolved(Instant(milliseconds: 7)), .text("7"), .station(7), .circuit(7), .staff(7), .responder(7),
    ],
    withoutValues: [
      .dsid(nil), .timeRequested(nil), .timeResponded(nil), .timeResolved(nil), .text(nil), .circuit(nil), .staff(nil),
      .responder(nil),
    ])

  private static let stationIncident = EntitySample<Stored.StationIncident>(
    "38",
    [
      .kind("7"), .time(Instant(milliseconds: 7)), .secondsLost(7), .text("7"), .timetable(7), .staff(7),
    ],
    withoutValues: [
      .kind(nil), .time(nil), .secondsLost(nil), .text(nil), .staff(nil),
    ])

  private static let slotTable = EntitySample<Stored.SlotTable>(
    "39",
    [
      .date(#"2026-12-07"#), .startTime(#"09:00"#), .places(#"[]"#), .circuit(7),
    ],
    withoutValues: [
      .date(nil), .startTime(nil), .places(nil),
    ])

  private static let rerunEntry = EntitySample<Stored.RerunEntry>(
    "40",
    [
      .place(7), .status("7"), .time(Instant(milliseconds: 7)), .reason("7"), .attendanceLog("7"), .staff(7),
    ],
    withoutValues: [
      .time(nil), .reason(nil), .staff(nil),
    ])

  private static let hallMessage = EntitySample<Stored.HallMessage>(
    "41",
    [
      .text("7"), .time(Instant(milliseconds: 7)), .withdrawnAt(Instant(milliseconds: 7)), .circuit(7), .station(7),
      .staff(7),
    ],
    withoutValues: [
      .time(nil), .withdrawnAt(nil), .circuit(nil), .station(nil), .staff(nil),
    ])

  private static let examRuling = EntitySample<Stored.ExamRuling>(
    "42",
    [
      .kind("7"), .time(Instant(milliseconds: 7)), .circuit("7"), .session("7"), .station("7"), .candidate("7"),
      .item("7"), .sheet("7"), .subject("7"), .choice("7"), .policy(#"{}"#), .score(MarkValue(scaled: 7)),
      .grade(MarkValue(scaled: 7)), .reason("7"), .staff(7), .secondStaff(7),
    ],
    withoutValues: [
      .time(nil), .circuit(nil), .session(nil), .station(nil), .candidate(nil), .item(nil), .sheet(nil), .subject(nil),
      .choice(nil), .policy(nil), .score(nil), .grade(nil), .staff(nil), .secondStaff(nil),
    ])

  private static let examLock = EntitySample<Stored.ExamLock>(
    "43",
    [
      .lockedAt(Instant(milliseconds: 7)), .circuit("7"), .session("7"), .amendment(7), .content(#"{}"#), .hash("7"),
      .reason("7"), .reopenedAt(Instant(milliseconds: 7)), .reopenReason("7"), .staff(7), .secondStaff(7),
      .reopenedBy(7), .secondReopenedBy(7),
    ],
    withoutValues: [
      .lockedAt(nil), .circuit(nil), .session(nil), .content(nil), .hash(nil), .reason(nil), .reopenedAt(nil),
      .reopenReason(nil), .staff(nil), .secondStaff(nil), .reopenedBy(nil), .secondReopenedBy(nil),
    ])

  private static let circuitRun = EntitySample<Stored.CircuitRun>(
    "44",
    [
      .date(#"2026-12-07"#), .startTime(#"09:00"#), .number(7), .rerun(true), .host("7"), .circuit(7),
    ],
    withoutValues: [
      .date(nil), .startTime(nil), .host(nil),
    ])

  private static let clockEvent = EntitySample<Stored.ClockEvent>(
    "45",
    [
      .kind("7"), .at(7), .seconds(7), .index(7), .rounds(7), .passage(7), .target("7"), .reason("7"),
      .plan(#"{"durations":[],"phases":[],"rounds":1}"#), .run("7"), .staff(7),
    ],
    withoutValues: [
      .kind(nil), .at(nil), .seconds(nil), .index(nil), .rounds(nil), .passage(nil), .target(nil), .reason(nil),
      .plan(nil), .staff(nil),
    ])

  private static let device = EntitySample<Stored.Device>(
    "46",
    [
      .name("7"), .machine("7"), .file("7"), .created(Instant(milliseconds: 7)), .continues("7"),
      .clockSet(Instant(milliseconds: 7)), .clockMoved(7),
    ],
    withoutValues: [
      .machine(nil), .file(nil), .created(nil), .continues(nil), .clockSet(nil), .clockMoved(nil),
    ])

  private static let sitting = EntitySample<Stored.Sitting>(
    "47",
    [
      .process(7), .processStart("7"), .tty("7"), .host("7"), .sshKey("7"), .version("7"), .openSheet("7"),
      .began(Instant(milliseconds: 7)), .ended(Instant(milliseconds: 7)), .device("7"), .staff(7), .timetable(7),
    ],
    withoutValues: [
      .process(nil), .processStart(nil), .tty(nil), .host(nil), .sshKey(nil), .version(nil), .openSheet(nil),
      .began(nil), .ended(nil), .staff(nil), .timetable(nil),
    ])

  private static let passcodeAttempt = EntitySample<Stored.PasscodeAttempt>(
    "48",
    [
      .at(Instant(milliseconds: 7)), .succeeded(true), .tty("7"), .host("7"), .sshKey("7"), .device("7"), .staff(7),
    ],
    withoutValues: [
      .at(nil), .tty(nil), .host(nil), .sshKey(nil), .staff(nil),
    ])
}

import CircuitModel
import ExamStore

/// An exam as a person wrote it: values only, every reference by the writer's own codes, each with its line.
public struct ExamPlan: Sendable {
  /// The exam's name.
  public var name: String
  /// IANA name of the time zone in which dates and start times are meant.
  public var timeZone: String
  /// The circuits, in the order written.
  public var circuits: [Circuit]
  /// The sessions, one per circuit, date and start time.
  public var sessions: [Session]
  /// The candidates, in the order of the file.
  public var candidates: [Candidate]
  /// The staff, in the order of the file.
  public var staff: [StaffMember]
  /// The mark sheet templates, by code.
  public var sheets: [MarkSheet]
  /// Whether the exam's folder has a folder of mark sheets. One that is empty says that there are none; one that is
  /// missing says nothing.
  var hasSheetsFolder = true
  /// Groups of ready-made comments; those of no group have an empty name.
  public var phrases: [PhraseGroup]
  /// What holds at every station.
  public var rules = StationRules()
  /// How marks become results; nil: nothing is decided.
  public var results: ResultsBlock?
  /// For how many days after a candidate's last session what tells of the candidate is kept; nil: nobody said.
  public var retentionDays: Int?
  /// The settings of the exam where this is one of the folders that are loaded together; nil: its own.
  var shared: SharedSettings?
  /// Where the exam itself is written.
  public var place: Place

  /// What folders that are loaded together say of the exam.
  struct SharedSettings: Sendable {
    var phrases: [PhraseGroup]
    var staff: [StaffMember]
    /// As it is stored.
    var results: String?
    var retentionDays: Int?
  }

  /// A circuit: a ring of stations and the cycle of phases that runs over it.
  public struct Circuit: Sendable {
    /// Natural key.
    public var code: String
    /// Shown name.
    public var name: String
    /// One cycle, in order; repeated until every round has had its rotation.
    public var phases: [Phase]
    /// Nil for the default alerts (amber 120 s, red 30 s, in rotations only).
    public var warnings: [Warning]?
    /// In ring order.
    public var stations: [Station]
    /// Names of disciplines.
    public var disciplines: [String]
    /// Where it is written.
    public var place: Place
  }

  /// A phase of the cycle.
  public struct Phase: Sendable {
    /// `rotation`, `reading`, `feedback`, `changeover` or `break`.
    public var type: String
    /// Its length in seconds, at least 1.
    public var seconds: Int
    /// Whether it waits for a start by hand.
    public var manualStart: Bool
    /// Where it is written.
    public var place: Place
  }

  /// An alert that is raised and spoken when so much of a phase is left.
  public struct Warning: Sendable, Hashable {
    /// The phase type it belongs to.
    public var phaseType: String
    /// Seconds left, from 0.
    public var secondsLeft: Int
    /// `none`, `amber` or `red`.
    public var level: String
    /// What is announced; may be empty.
    public var text: String
  }

  /// A station of a circuit.
  public struct Station: Sendable {
    /// Natural key within the circuit.
    public var code: String
    /// Shown name.
    public var name: String
    /// Codes of its mark sheets, in order.
    public var sheets: [Reference]
    /// `all`: each sheet is filled for every candidate; `one`: the assessor picks one.
    public var forms: String
    /// Nobody is marked here.
    public var isRest: Bool
    /// Candidates sign out here.
    public var requiresStudentSignout: Bool
    /// Real patients take part.
    public var acceptsPatients: Bool
    /// Simulated patients take part.
    public var acceptsSimulatedPatient: Bool
    /// How far two assessors may differ before the lead is asked, in percent of the maximum; nil for 10.
    public var doubleMarkingMargin: Double?
    /// Username of the teaching lead.
    public var lead: Reference?
    /// Why nothing counts here; nil: it is examined.
    public var withdrawn: String?
    /// Where it is written.
    public var place: Place
  }

  /// A code as it was written, and where.
  public struct Reference: Sendable, Hashable {
    /// The code, username or number.
    public var code: String
    /// Where it is written.
    public var place: Place
  }

  /// One circuit's session: all its station sessions of one date and start time.
  public struct Session: Sendable {
    /// Shown name, such as `Morning`; may be empty.
    public var name: String
    /// `2026-12-07`.
    public var date: String
    /// `09:00`.
    public var start: String
    /// `12:30`, if it is written.
    public var end: String?
    /// The circuit's code.
    public var circuit: Reference
    /// Station code to usernames; the first is the first assessor of the station.
    public var assessors: [Post]
    /// Cover planned beforehand.
    public var cover: [Post]
    /// One per slot from slot 1; nil for an empty slot.
    public var slots: [Reference?]
    /// The group whose candidates fill the slots in the order of the file; nil if the slots are written out.
    public var group: Reference?
    /// Where it is written.
    public var place: Place
  }

  /// Who stands at a station in a session.
  public struct Post: Sendable {
    /// The station's code.
    public var station: Reference
    /// Usernames in order.
    public var staff: [Reference]
  }

  /// A candidate.
  public struct Candidate: Sendable {
    /// Natural key.
    public var number: String
    /// Family name.
    public var surname: String
    /// Given names; may be empty.
    public var forename: String
    /// Title; may be empty.
    public var title: String
    /// Address; may be empty.
    public var email: String
    /// Year of study; may be empty.
    public var year: String
    /// Groups to which the candidate belongs.
    public var groups: [String]
    /// Programmes of study.
    public var majors: [String]
    /// Seconds added to each reading phase.
    public var extraReadingSeconds: Int
    /// Seconds added at each station.
    public var extraStationSeconds: Int
    /// What else the candidate needs, in words; may be empty.
    public var access: String
    /// What the candidate agreed to, and when, in words; may be empty.
    public var consent = ""
    /// Where it is written.
    public var place: Place
  }

  /// A member of staff.
  public struct StaffMember: Sendable {
    /// Natural key.
    public var username: String
    /// Family name.
    public var surname: String
    /// Given names; may be empty.
    public var forename: String
    /// Title; may be empty.
    public var title: String
    /// Address; may be empty.
    public var email: String
    /// `assessor`, `invigilator`, `lead`, `office`, `auditor` or `display`.
    public var role: String
    /// As it was written in the file; only its hash is ever stored.
    public var passcode: String?
    /// Where it is written.
    public var place: Place
  }

  /// Ready-made comments under one heading.
  public struct PhraseGroup: Sendable {
    /// The heading.
    public var name: String
    /// The texts.
    public var texts: [String]
  }
}

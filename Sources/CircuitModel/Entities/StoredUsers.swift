// Generated from the catalogue by script/generate; edit the catalogue, not this file.
import ExamStore

extension Stored {
  /// User and the entities that inherit from it.
  package protocol UserFamily: StoredEntity where Key == Int {}

  /// What staff and candidates have in common.
  package enum User: UserFamily, DeletableEntity {
    package typealias Key = Int
    package static let entityName = "User"
    package enum Field: String, StoredField {
      case username, forename, surname, title, email, active, dsAdviserId, passcodeHash
    }
  }
}

extension FieldChange where Entity: Stored.UserFamily {
  package static func username(_ value: String?) -> Self { Self("username", value) }
  package static func forename(_ value: String?) -> Self { Self("forename", value) }
  package static func surname(_ value: String?) -> Self { Self("surname", value) }
  package static func title(_ value: String?) -> Self { Self("title", value) }
  package static func email(_ value: String?) -> Self { Self("email", value) }
  package static func active(_ value: Bool) -> Self { Self("active", value) }
  /// The dsid of the adviser among staff; not a relationship.
  package static func dsAdviserId(_ value: Int?) -> Self { Self("dsAdviserId", value) }
  /// scrypt, with its parameters and salt in the string; no value: no passcode.
  package static func passcodeHash(_ value: String?) -> Self { Self("passcodeHash", value) }
}

extension Stored {
  /// An assessor or another member of staff.
  package enum Staff: UserFamily, DeletableEntity {
    package typealias Key = Int
    package static let entityName = "Staff"
    package enum Field: String, StoredField {
      case username, forename, surname, title, email, active, dsAdviserId, passcodeHash, firstName, lastName
    }
  }
}

extension FieldChange where Entity == Stored.Staff {
  /// Duplicates forename, which is what is shown; kept for bundles that carry it.
  package static func firstName(_ value: String?) -> Self { Self("firstName", value) }
  /// Duplicates surname, which is what is shown; kept for bundles that carry it.
  package static func lastName(_ value: String?) -> Self { Self("lastName", value) }
}

extension Stored {
  /// A candidate.
  package enum Student: UserFamily, DeletableEntity {
    package typealias Key = Int
    package static let entityName = "Student"
    package enum Field: String, StoredField {
      case username, forename, surname, title, email, active, dsAdviserId, passcodeHash, studentNumber, year
      case extraReadingSeconds, extraStationSeconds, access, consent
    }
  }
}

extension FieldChange where Entity == Stored.Student {
  package static func studentNumber(_ value: String?) -> Self { Self("studentNumber", value) }
  package static func year(_ value: String?) -> Self { Self("year", value) }
  /// An adjustment: reading time beyond everybody's, in seconds.
  package static func extraReadingSeconds(_ value: Int) -> Self { Self("extraReadingSeconds", value) }
  /// An adjustment: time at a station beyond everybody's, in seconds.
  package static func extraStationSeconds(_ value: Int) -> Self { Self("extraStationSeconds", value) }
  /// Any other adjustment, in words for the assessor.
  package static func access(_ value: String?) -> Self { Self("access", value) }
  /// What the candidate agreed to, and when, in words; no value: not recorded.
  package static func consent(_ value: String?) -> Self { Self("consent", value) }
}

extension Stored {
  /// A group of candidates, such as a cohort.
  package enum StudentGroup: StoredEntity, DeletableEntity {
    package typealias Key = Int
    package static let entityName = "StudentGroup"
    package enum Field: String, StoredField {
      case name
    }
  }
}

extension FieldChange where Entity == Stored.StudentGroup {
  package static func name(_ value: String) -> Self { Self("name", value) }
}

extension Stored {
  /// A programme of study.
  package enum StudentMajor: StoredEntity, DeletableEntity {
    package typealias Key = Int
    package static let entityName = "StudentMajor"
    package enum Field: String, StoredField {
      case name
    }
  }
}

extension FieldChange where Entity == Stored.StudentMajor {
  package static func name(_ value: String) -> Self { Self("name", value) }
}

extension Stored {
  /// Places a candidate in a group.
  package enum StudentForGroup: StoredEntity, DeletableEntity {
    package typealias Key = Int
    package static let entityName = "StudentForGroup"
    package enum Field: String, StoredField {
      case student, group
    }
  }
}

extension FieldChange where Entity == Stored.StudentForGroup {
  package static func student(_ value: Stored.Student.Key) -> Self { Self("student", value) }
  package static func group(_ value: Stored.StudentGroup.Key) -> Self { Self("group", value) }
}

extension Stored {
  /// Places a candidate in a programme of study.
  package enum StudentForMajor: StoredEntity, DeletableEntity {
    package typealias Key = Int
    package static let entityName = "StudentForMajor"
    package enum Field: String, StoredField {
      case student, major
    }
  }
}

extension FieldChange where Entity == Stored.StudentForMajor {
  package static func student(_ value: Stored.Student.Key) -> Self { Self("student", value) }
  package static func major(_ value: Stored.StudentMajor.Key) -> Self { Self("major", value) }
}

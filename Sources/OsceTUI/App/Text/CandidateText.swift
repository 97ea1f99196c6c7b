import Characters
import ExamStore

/// What is checked of a candidate who is typed to be added, at a station and at the desk.
enum CandidateText {
  /// - Throws: `StoreError` for a number with a character that cannot be seen.
  static func check(number: String) throws {
    if UnsafeCharacter.first(in: number) != nil {
      throw StoreError("a candidate number holds no character that cannot be seen")
    }
  }

  /// - Throws: `StoreError` if the number is somebody else's than the names that were typed after it say.
  static func check(_ number: String, of name: String, named typed: some Collection<String>) throws {
    let known = Set(name.lowercased().split(separator: " "))
    guard typed.allSatisfy({ known.contains($0.lowercased()[...]) }) else {
      throw StoreError("number \(number) \(name) is not \(typed.joined(separator: " ")); the number alone adds them")
    }
  }
}

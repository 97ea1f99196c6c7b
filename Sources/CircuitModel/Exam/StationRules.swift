import ExamStore
import Foundation

/// What an exam asks of every station beside its sheets: members of `Config.settings`.
public struct StationRules: Equatable, Sendable {
  /// Whether candidates' names are shown beside their numbers.
  public var showsNames: Bool
  /// How many of the last digits of the candidate's number are typed at the identity step: 0 or 2.
  public var identityDigits: Int
  /// After how many minutes without a key a terminal locks itself outside a run; 0: never.
  public var idleLockMinutes: Int

  /// - Parameters: see the properties; without them what holds where an exam says nothing.
  public init(showsNames: Bool = true, identityDigits: Int = 0, idleLockMinutes: Int = 0) {
    self.showsNames = showsNames
    self.identityDigits = identityDigits
    self.idleLockMinutes = idleLockMinutes
  }

  /// Reads `{"showNames":false,"identityDigits":2,"idleLockMinutes":10}`; what is absent or makes no sense is as it
  /// would be unwritten.
  init(json: String?) {
    struct Shape: Decodable {
      var showNames: Bool?
      var identityDigits: Int?
      var idleLockMinutes: Int?
    }
    self.init()
    guard let json, let shape = try? JSONDecoder().decode(Shape.self, from: Data(json.utf8)) else { return }
    showsNames = shape.showNames ?? true
    identityDigits = shape.identityDigits == 2 ? 2 : 0
    idleLockMinutes = max(0, shape.idleLockMinutes ?? 0)
  }

  /// Whether what was typed at the identity step is what the exam asks for: the last digits of the candidate's number.
  /// A number with fewer digits is typed whole.
  public func accepts(typed: String, number: String) -> Bool {
    let digits = number.filter { $0.isASCII && $0.isNumber }.suffix(identityDigits)
    return typed == String(digits)
  }
}

import ExamStore

/// The choices of a policy as a person reads them: no key, no JSON.
enum PolicyPhrases {
  /// `minimum stations` for `minimumStations`.
  ///
  /// A name that begins with a capital or a digit, as a station's code does, stays as it is.
  static func phrase(_ key: String) -> String {
    guard key.first?.isLowercase == true else { return key }
    return key.reduce(into: "") { text, letter in
      if letter.isUppercase { text += " " }
      text += letter.lowercased()
    }
  }

  /// Whose choice something is: `default`, `exam.yaml`, `mark sheets`, or who ruled and when.
  static func decision(
    _ source: PolicyInForce.Source, _ origin: PolicyInForce.Origin, file: String = "exam.yaml"
  ) -> String {
    switch source {
    case .standard: "default"
    case .file: file
    case .sheet: "mark sheets"
    case .option: "option of this print"
    case .screen: [origin.by ?? "nobody known", origin.at?.localMoment].compactMap { $0 }.joined(separator: ", ")
    }
  }

  /// A choice with its value and whose it is: `minimum stations: none (default)`.
  static func line(
    _ key: String, _ value: JSONDocument, _ source: PolicyInForce.Source, _ origin: PolicyInForce.Origin, file: String
  ) -> String {
    "\(phrase(key)): \(self.value(value, isChoice: true)) (\(decision(source, origin, file: file)))"
  }

  /// `effect: fail, allowed: 0` for an object; `none` where nothing is chosen.
  /// - Parameter isChoice: whether a text is one of a list of names, such as `borderlineRegression`.
  static func value(_ value: JSONDocument, isChoice: Bool = false) -> String {
    switch value {
    case .null: return "none"
    case .bool(let isOn): return isOn ? "yes" : "no"
    case .text(let text): return isChoice ? phrase(text) : text
    case .array(let values): return values.isEmpty ? "none" : values.map { self.value($0) }.joined(separator: "; ")
    case .object(let members):
      return members.isEmpty ? "none" : members.map { "\(phrase($0.0)): \(self.value($0.1))" }.joined(separator: ", ")
    default: return value.text
    }
  }
}

extension PolicyInForce {
  /// Every choice with its value and whose it is: `minimum stations: none (default)`.
  var lines: [String] {
    choices.map { PolicyPhrases.line($0.key, $0.value, $0.decided.source, $0.decided.origin, file: fileName) }
      + sheetChoices.map(\.text)
  }

  /// What the options decide: `k 2, blanks left out`.
  public var optionText: String {
    choices.filter { $0.decided.source == .option }.map {
      "\(PolicyPhrases.phrase($0.key)) \(PolicyPhrases.value($0.value, isChoice: true))"
    }.joined(separator: ", ")
  }
}

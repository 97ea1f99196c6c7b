import Characters

/// What an attribute may hold within its type: declared with the attribute and asked of every value that comes in, by
/// a file, from another terminal or from a rule of this program, and of every value that is stored, by `doctor`.
public enum Bounds: Sendable, Equatable {
  /// Nothing beyond the type: flags and bytes.
  case anything
  /// A whole number; an instant in milliseconds.
  case whole(ClosedRange<Int64>)
  /// A number.
  case number(ClosedRange<Double>)
  /// A text of at most so many bytes of UTF-8 without a zero character.
  case text(TextForm, longest: Int)
  /// A JSON document of at most so many bytes.
  case json(JSONShape, longest: Int)
}

/// How a text is written.
public enum TextForm: Sendable, Equatable {
  /// In any way.
  case free
  /// A day of the calendar, YYYY-MM-DD.
  case day
  /// A time of day, HH:MM.
  case timeOfDay
  /// One of these words in a file; what another terminal sends may come from a newer program, which knows more.
  case word([String])
}

extension Bounds {
  /// 1900-01-01T00:00:00.000Z to 9999-12-31T23:59:59.999Z, in milliseconds since 1970.
  public static let instants: ClosedRange<Int64> = -2_208_988_800_000...253_402_300_799_999
  /// The whole numbers that every reader of JSON keeps exactly.
  public static let exactWhole: ClosedRange<Int64> = -9_007_199_254_740_991...9_007_199_254_740_991
  /// The numbers of which six decimal places are kept.
  public static let numbers: ClosedRange<Double> = -1_000_000_000...1_000_000_000
  /// The most bytes of a text.
  public static let longestText = 64 << 10
  /// The most bytes of a JSON document that is written by hand.
  public static let longestDocument = 256 << 10
  /// The most bytes of a JSON document that the program makes: a start's plan, a template's version.
  public static let longestMade = 4 << 20

  /// What holds for every attribute of a type unless it declares more.
  public static func usual(of type: AttributeType) -> Bounds {
    switch type {
    case .integer16: .whole(Int64(Int16.min)...Int64(Int16.max))
    case .integer32: .whole(Int64(Int32.min)...Int64(Int32.max))
    case .integer64: .whole(exactWhole)
    case .double: .number(numbers)
    case .date: .whole(instants)
    case .string, .transformable: .text(.free, longest: longestText)
    case .json: .json(.any, longest: longestDocument)
    case .boolean, .data: .anything
    }
  }

  /// The bounds for what comes from other terminals, or is stored.
  package var inAnyVersion: Bounds {
    if case .text(.word, let longest) = self { .text(.free, longest: longest) } else { self }
  }

  /// Says what is wrong with a whole number, as in `is 75; it must be 0 to 59`; nil: nothing is.
  public func fault(whole number: Int64) -> String? {
    switch self {
    case .whole(let range) where range == Self.instants && !range.contains(number):
      "is \(number) milliseconds since 1970; it must lie in the years 1900 to 9999"
    case .whole(let range) where !range.contains(number):
      "is \(number); it must be \(range.lowerBound) to \(range.upperBound)"
    default: nil
    }
  }

  /// Says what is wrong with a number; nil: nothing is.
  public func fault(number: Double) -> String? {
    guard case .number(let range) = self, !range.contains(number) else { return nil }
    return "is \(number); it must be \(range.lowerBound) to \(range.upperBound)"
  }

  /// Says what is wrong with a text, or with the text of a JSON document; nil: nothing is.
  public func fault(text: String) -> String? {
    switch self {
    case .text(_, let longest) where text.utf8.count > longest, .json(_, let longest) where text.utf8.count > longest:
      return "has \(text.utf8.count) bytes; it must have at most \(longest)"
    case .text(let form, _):
      if text.utf8.contains(0) { return "holds a zero character, which cannot be stored" }
      // So a text begins that is sealed: no other may be taken for one.
      return text.utf8.first == 1 ? "begins with the character U+0001, which no text may" : form.fault(text)
    case .json(let shape, _):
      do { return shape.fault(try JSONReader.read(text)) } catch { return "is not JSON: \(error.reason)" }
    default: return nil
    }
  }
}

extension TextForm {
  func fault(_ text: String) -> String? {
    switch self {
    case .free: nil
    case .day where !TextForm.isDay(text): "\(quoted(text)) is not a date; write it as 2026-12-07"
    case .timeOfDay where !TextForm.isTimeOfDay(text): "\(quoted(text)) is not a time of day; write it as 09:00"
    case .word(let words) where !words.contains(text):
      "must be one of \(words.joined(separator: ", ")), not \(quoted(text))"
    case .day, .timeOfDay, .word: nil
    }
  }

  /// Whether a text is a day of the calendar from 1970 on.
  package static func isDay(_ text: String) -> Bool {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 3, let year = digits(parts[0], 4), let month = digits(parts[1], 2),
      let day = digits(parts[2], 2), year >= 1970, 1...12 ~= month
    else { return false }
    let isLeap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0
    let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    return 1...lengths[month - 1] ~= day
  }

  /// Whether a text is a time of day from 00:00 to 23:59.
  package static func isTimeOfDay(_ text: String) -> Bool {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, let hour = digits(parts[0], 2), let minute = digits(parts[1], 2) else { return false }
    return hour < 24 && minute < 60
  }

  private static func digits(_ text: Substring, _ count: Int) -> Int? {
    text.utf8.count == count && text.utf8.allSatisfy { 0x30...0x39 ~= $0 } ? Int(text) : nil
  }
}

private func quoted(_ text: String) -> String { "'" + VisibleText.of(text, limit: 80) + "'" }

extension Bounds {
  /// The bounds in words for the data model page; nil: they are those of the type.
  public func text(besides type: AttributeType) -> String? {
    self == Bounds.usual(of: type) ? nil : text
  }

  private var text: String {
    switch self {
    case .anything: "anything"
    case .whole(let range): "\(range.lowerBound) to \(range.upperBound)"
    case .number(let range): "\(range.lowerBound) to \(range.upperBound)"
    case .text(.free, let longest): "at most \(longest) bytes"
    case .text(.day, _): "YYYY-MM-DD"
    case .text(.timeOfDay, _): "HH:MM"
    case .text(.word(let words), _): words.joined(separator: ", ")
    case .json(let shape, _): shape.text
    }
  }
}

import CircuitModel
import Console
import ExamStore
import Reports

/// Prints a list as it is read: one line each for people, or one JSON document `{name: […]}`.
struct ListPrinter {
  private let name: String
  private let isJSON: Bool
  private let fold = LineFold(Output.standard)
  private var isFirst = true
  private var bytes: [UInt8] = []

  init(name: String, isJSON: Bool) {
    self.name = name
    self.isJSON = isJSON
  }

  /// Prints an entry; only the form that is wanted is worked out.
  mutating func add(_ json: @autoclosure () -> JSONDocument, line: @autoclosure () -> String) throws {
    if isJSON {
      bytes += (isFirst ? "{\"\(name)\":[\n" : ",\n").utf8
      json().write(to: &bytes)
    } else {
      for line in fold.lines(PlainText.cell(line())) { bytes += (line + "\n").utf8 }
    }
    isFirst = false
    if bytes.count > 1 << 16 { try flush() }
  }

  /// Ends the document, or prints the closing line.
  mutating func finish(closing: String? = nil) throws {
    if isJSON {
      bytes += (isFirst ? "{\"\(name)\":[]}\n" : "\n]}\n").utf8
    } else if let closing {
      bytes += (closing + "\n").utf8
    }
    try flush()
  }

  private mutating func flush() throws {
    try Output.standard.data(bytes)
    bytes.removeAll(keepingCapacity: true)
  }
}

import Console
import Reports

extension Output {
  /// Writes a JSON document and a line feed.
  func json(_ document: JSONDocument) throws { try self.document(Array(document.text.utf8)) }
}

import Journal

/// The `heads` column of a row: which operations stand on which of its fields.
///
/// Text of the form `operation:field,field;operation:field`. One operation, most often the row's creation, stands on
/// many fields, so fields are grouped under it.
package struct HeadsColumn: Equatable {
  package private(set) var operations: [String: [OperationID]] = [:]

  package init() {}

  init(_ heads: [String: [OperationID]]) { operations = heads.filter { !$0.value.isEmpty } }

  package init(text: String) {
    operations.reserveCapacity(12)
    for group in text.utf8.split(separator: UInt8(ascii: ";")) {
      guard let colon = group.firstIndex(of: UInt8(ascii: ":")),
        let id = OperationID(String(Substring(group[..<colon])))
      else { continue }
      // Most fields have one operation: they share one array.
      let alone = [id]
      for field in group[group.index(after: colon)...].split(separator: UInt8(ascii: ",")) {
        let name = String(Substring(field))
        operations[name] = operations[name].map { $0 + alone } ?? alone
      }
    }
  }

  /// Whether a row's column is what `text` gives for these heads of its fields.
  static func isText(_ text: String, of fields: [String: FieldState]) -> Bool {
    var pairs: [(operation: OperationID, field: String)] = []
    pairs.reserveCapacity(fields.count)
    for (field, state) in fields { for head in state.heads { pairs.append((head.op, field)) } }
    return text.utf8.elementsEqual(bytes(of: pairs))
  }

  var text: String {
    let pairs = operations.flatMap { field, ids in ids.map { (operation: $0, field: field) } }
    return String(decoding: HeadsColumn.bytes(of: pairs), as: UTF8.self)
  }

  /// The text of operations, each with a field on which it stands.
  private static func bytes(of pairs: [(operation: OperationID, field: String)]) -> [UInt8] {
    let sorted = pairs.sorted { $0.operation != $1.operation ? $0.operation < $1.operation : $0.field < $1.field }
    var bytes: [UInt8] = []
    var last: OperationID?
    for (operation, field) in sorted {
      if operation == last {
        bytes.append(UInt8(ascii: ","))
      } else {
        if last != nil { bytes.append(UInt8(ascii: ";")) }
        bytes.append(contentsOf: operation.description.utf8)
        bytes.append(UInt8(ascii: ":"))
        last = operation
      }
      bytes.append(contentsOf: field.utf8)
    }
    return bytes
  }

  /// The operations that stand on a field: none if it was never set, more than one after concurrent edits.
  package subscript(field: String) -> [OperationID] {
    get { operations[field] ?? [] }
    set { operations[field] = newValue.isEmpty ? nil : newValue }
  }
}

import Journal

/// An object of a document that came over the wire, read member by member. What is missing or of another type is
/// malformed, and the fault says where; members that nobody asks for are passed over.
package struct WireObject {
  private let node: CanonicalJSON.Node
  private let pointer: String

  /// - Parameter pointer: where in the document the object is.
  package init(_ node: CanonicalJSON.Node, at pointer: String = "") throws(WireFault) {
    guard case .object = node else { throw WireFault(.malformed, at: pointer) }
    self.node = node
    self.pointer = pointer
  }

  /// Reads a document that is one object.
  package init(document: [UInt8], limits: CanonicalJSON.Limits = CanonicalJSON.Limits()) throws(WireFault) {
    try self.init(WireJSON.decode(document, limits: limits))
  }

  /// Where a member is, or would be.
  package func place(_ name: String) -> String { pointer + "/" + name }

  private func fault(_ name: String) -> WireFault { WireFault(.malformed, at: place(name)) }

  /// A member as it is; nil where there is none, or it is null.
  package func node(ifAny name: String) -> CanonicalJSON.Node? {
    let member = node[name]
    return member == .null ? nil : member
  }

  package func node(_ name: String) throws(WireFault) -> CanonicalJSON.Node {
    guard let member = node[name] else { throw fault(name) }
    return member
  }

  package func text(_ name: String) throws(WireFault) -> String {
    guard let text = node[name]?.text else { throw fault(name) }
    return text
  }

  package func text(ifAny name: String) throws(WireFault) -> String? {
    node(ifAny: name) == nil ? nil : try text(name)
  }

  package func integer(_ name: String) throws(WireFault) -> Int64 {
    guard let integer = node[name]?.integer else { throw fault(name) }
    return integer
  }

  /// An integer that counts or numbers something: 0 or more.
  package func natural(_ name: String) throws(WireFault) -> Int64 {
    let integer = try integer(name)
    guard integer >= 0 else { throw fault(name) }
    return integer
  }

  package func integer(ifAny name: String) throws(WireFault) -> Int64? {
    node(ifAny: name) == nil ? nil : try integer(name)
  }

  package func flag(_ name: String) throws(WireFault) -> Bool {
    guard case .bool(let flag) = node[name] else { throw fault(name) }
    return flag
  }

  package func flag(_ name: String, otherwise: Bool) throws(WireFault) -> Bool {
    guard let member = node(ifAny: name) else { return otherwise }
    guard case .bool(let flag) = member else { throw fault(name) }
    return flag
  }

  package func uuid(_ name: String) throws(WireFault) -> UUIDBytes {
    guard let id = UUIDBytes(try text(name)) else { throw fault(name) }
    return id
  }

  package func uuid(ifAny name: String) throws(WireFault) -> UUIDBytes? {
    node(ifAny: name) == nil ? nil : try uuid(name)
  }

  package func hash(_ name: String) throws(WireFault) -> [UInt8] {
    guard let hash = Hexadecimal.hash(try text(name)) else { throw fault(name) }
    return hash
  }

  package func object(_ name: String) throws(WireFault) -> WireObject {
    try WireObject(node(name), at: place(name))
  }

  package func object(ifAny name: String) throws(WireFault) -> WireObject? {
    node(ifAny: name) == nil ? nil : try object(name)
  }

  package func array(_ name: String) throws(WireFault) -> [CanonicalJSON.Node] {
    guard case .array(let nodes) = node[name] else { throw fault(name) }
    return nodes
  }

  package func texts(_ name: String) throws(WireFault) -> [String] {
    var texts: [String] = []
    for (index, node) in try array(name).enumerated() {
      guard let text = node.text else { throw WireFault(.malformed, at: place(name) + "/\(index)") }
      texts.append(text)
    }
    return texts
  }

  /// Each element of an array as an object.
  func objects(_ name: String) throws(WireFault) -> [WireObject] {
    var objects: [WireObject] = []
    for (index, node) in try array(name).enumerated() {
      objects.append(try WireObject(node, at: place(name) + "/\(index)"))
    }
    return objects
  }
}

/// Writes one object, member by member, some of which are documents of their own that are not re-encoded.
package struct WireWriter {
  package private(set) var bytes: [UInt8] = [UInt8(ascii: "{")]

  package init() {}

  /// The whole object.
  package var document: [UInt8] { bytes + [UInt8(ascii: "}")] }

  private mutating func begin(_ name: String) {
    if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
    CanonicalJSON.write(name, to: &bytes)
    bytes.append(UInt8(ascii: ":"))
  }

  package mutating func add(_ name: String, _ node: CanonicalJSON.Node) {
    begin(name)
    CanonicalJSON.write(node, to: &bytes)
  }

  package mutating func add(_ name: String, _ text: String?) { add(name, text.map { .text($0) } ?? .null) }
  package mutating func add(_ name: String, _ integer: Int64?) { add(name, integer.map { .integer($0) } ?? .null) }
  package mutating func add(_ name: String, _ flag: Bool) { add(name, .bool(flag)) }
  package mutating func add(_ name: String, _ id: UUIDBytes?) { add(name, id?.description) }
  package mutating func add(_ name: String, hash: [UInt8]) { add(name, Hexadecimal.text(hash)) }
  package mutating func add(_ name: String, texts: [String]) { add(name, .array(texts.map { .text($0) })) }

  /// Adds a document that is written already.
  package mutating func add(_ name: String, document: [UInt8]) {
    begin(name)
    bytes.append(contentsOf: document)
  }

  /// Adds an array whose elements write themselves.
  package mutating func add<Element>(
    _ name: String, each elements: some Sequence<Element>, _ write: (Element, inout [UInt8]) -> Void
  ) {
    begin(name)
    bytes.append(UInt8(ascii: "["))
    var isFirst = true
    for element in elements {
      if !isFirst { bytes.append(UInt8(ascii: ",")) }
      isFirst = false
      write(element, &bytes)
    }
    bytes.append(UInt8(ascii: "]"))
  }
}

import Characters

/// Why a document that came from elsewhere is not taken, and where in it that shows.
///
/// It says nothing of what an operation would do: that is for `Admission`, once the operation is kept.
public struct WireFault: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong.
  public enum Kind: Hashable, Sendable {
    /// It is no JSON, or a member is missing, twice there, or of another type.
    case malformed
    /// It is larger than allowed: so many bytes are.
    case tooLarge(limit: Int)
    /// The operation is of a schema that this program does not know.
    case schema(Int64)
    /// The operation is not what its author sealed.
    case damaged(Damage)
  }

  /// The first of an operation's parts that is not what its author sealed, in the order in which they are looked at.
  public enum Damage: String, CaseIterable, Sendable {
    /// The header is not the canonical bytes of one, or a hash or the salt is not written as one.
    case form
    /// The body is not the one whose hash is given.
    case bodyHash = "body_hash"
    /// Header and body's hash are not what was hashed.
    case hash
  }

  /// What is wrong.
  public let kind: Kind
  /// Where, as a JSON pointer (RFC 6901); empty for the whole document.
  public let pointer: String
  /// The operation, where its header could be read.
  public let id: OperationID?

  /// Names what is wrong and where.
  public init(_ kind: Kind, at pointer: String = "", of id: OperationID? = nil) {
    self.kind = kind
    self.pointer = pointer
    self.id = id
  }

  /// The word for it in an answer, as in `"why":"body_hash"`; nil where the operation is not damaged.
  public var why: String? { if case .damaged(let damage) = kind { damage.rawValue } else { nil } }

  /// Whether the operation is of a schema that this program does not know.
  public var isSchema: Bool { if case .schema = kind { true } else { false } }

  /// This fault in a document of which the one read is a part.
  /// - Parameter pointer: where the part is, such as `/ops/3`.
  public func below(_ pointer: String) -> WireFault { WireFault(kind, at: pointer + self.pointer, of: id) }

  /// One line.
  public var description: String {
    let place = pointer.isEmpty ? "" : " at \(VisibleText.of(pointer, limit: 200))"
    let name = id.map { "operation \($0)" } ?? "the operation"
    return switch kind {
    case .malformed: "not the JSON that is expected\(place)"
    case .tooLarge(let limit): "larger than \(limit) bytes\(place)"
    case .schema(let schema): "\(name) is of schema \(schema), which a newer program wrote\(place)"
    case .damaged(.form): "\(name) is not in the form of one\(place)"
    case .damaged(.bodyHash): "\(name): its content was changed"
    case .damaged(.hash): "\(name): its header was changed"
    }
  }
}

/// Writes a JSON pointer.
struct WirePointer {
  private(set) var text = ""

  mutating func go(to key: String) {
    text += "/"
    for character in key.unicodeScalars {
      switch character {
      case "~": text += "~0"
      case "/": text += "~1"
      default: text.unicodeScalars.append(character)
      }
    }
  }
}

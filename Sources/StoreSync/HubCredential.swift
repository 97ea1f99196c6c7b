import ExamStore
import Glibc
import Journal
import Sync

/// What opens a hub to a store: its address, its key and the tokens of the store's devices. It lies beside the store,
/// never in it: copies and backups of the store carry none.
public struct HubCredential: Equatable, Sendable {
  /// Where the hub answers.
  public var url: String
  /// SHA-256 of the hub's public key, 32 bytes; nil where the address is of this machine and not encrypted.
  public var pin: [UInt8]?
  /// The tokens, by device: after a fork the former one's stays.
  public var tokens: [UUIDBytes: String]

  /// A credential.
  public init(url: String, pin: [UInt8]?, tokens: [UUIDBytes: String]) {
    self.url = url
    self.pin = pin
    self.tokens = tokens
  }

  /// Reads a store's; nil where it has none.
  /// - Throws: `StoreError` if the file is none of this program's, or others can read it.
  public static func read(of location: StoreLocation) throws -> HubCredential? {
    let path = location.hubCredentialPath
    var status = stat()
    guard lstat(path, &status) == 0 else {
      if errno == ENOENT { return nil }
      throw StoreError("cannot read \(path): \(String(cString: strerror(errno)))")
    }
    guard status.st_mode & S_IFMT == S_IFREG else { throw StoreError("\(path) is not a plain file; remove it") }
    guard status.st_uid == geteuid(), status.st_mode & 0o077 == 0 else {
      throw StoreError("\(path) holds a token that others can read; put it right with: chmod 600 \(path.shellWord)")
    }
    guard let text = readSmallFile(path, limit: 65_536), let credential = try? decode(Array(text.utf8)) else {
      throw StoreError("\(path) cannot be read; enrol the store again")
    }
    return credential
  }

  /// Writes a store's, whole or not at all.
  /// - Throws: `StoreError` if the disk refuses.
  public func write(of location: StoreLocation) throws {
    let file = try AtomicFile(location.hubCredentialPath, isOfStore: true)
    try file.write(encoded)
    try file.finish()
  }

  private var encoded: [UInt8] {
    let tokens = tokens.sorted { $0.key < $1.key }.map { CanonicalJSON.Member($0.key.description, .text($0.value)) }
    return CanonicalJSON.encode(
      .object([
        CanonicalJSON.Member("pin", pin.map { .text(Base64URL.encode($0)) } ?? .null),
        CanonicalJSON.Member("tokens", .object(tokens)), CanonicalJSON.Member("url", .text(url)),
      ])) + [UInt8(ascii: "\n")]
  }

  private static func decode(_ bytes: [UInt8]) throws -> HubCredential {
    let object = try WireObject(document: bytes)
    guard case .object(let members) = try object.node("tokens") else { throw WireFault(.malformed) }
    var tokens: [UUIDBytes: String] = [:]
    for member in members {
      guard let device = UUIDBytes(member.key), let token = member.value.text else { throw WireFault(.malformed) }
      tokens[device] = token
    }
    let pin = try object.text(ifAny: "pin")
    guard let bytes = pin.map({ Base64URL.decode($0) }) else {
      return HubCredential(url: try object.text("url"), pin: nil, tokens: tokens)
    }
    guard let bytes, bytes.count == 32 else { throw WireFault(.malformed) }
    return HubCredential(url: try object.text("url"), pin: bytes, tokens: tokens)
  }
}

import Crypto
import Foundation
import SwiftASN1
import X509

/// The hub's key and certificate. Terminals know the key by its hash, the pin; nobody else signs for it.
public struct ServerKey: Sendable {
  /// The certificate, in PEM.
  public let certificate: String
  /// The private key, in PEM.
  public let key: String
  /// SHA-256 of the public key as a certificate holds it: 32 bytes.
  public let pin: [UInt8]

  private static let (keyFile, certificateFile) = ("hub-key.pem", "hub-certificate.pem")
  /// Terminals look at the key, never at the date.
  private static let life: TimeInterval = 30 * 365 * 86_400

  /// That a folder has no key.
  public struct Missing: Error, CustomStringConvertible {
    let folder: String

    /// One line.
    public var description: String { "no \(ServerKey.keyFile) in \(folder): copy it from the hub" }
  }

  /// That the file of a key holds none.
  public struct Unreadable: Error, CustomStringConvertible {
    let path: String

    /// One line.
    public var description: String {
      "\(path) holds no key: put it back from a copy; a hub without it makes another, to which each terminal has to enrol "
        + "again with --same-exam"
    }
  }

  /// Whether a folder has a key.
  public static func exists(in folder: String) -> Bool {
    FileManager.default.fileExists(atPath: folder + "/" + keyFile)
  }

  /// Reads the key of a folder.
  /// - Parameter makesKey: whether one is made where there is none, as at a hub's first start.
  /// - Throws: `Missing`, `Unreadable`, or what is wrong with the files.
  public init(folder: String, makesKey: Bool = true) throws {
    let (keyPath, certificatePath) = (folder + "/" + Self.keyFile, folder + "/" + Self.certificateFile)
    if !Self.exists(in: folder) {
      if !makesKey { throw Missing(folder: folder) }
      let made = P256.Signing.PrivateKey()
      try Self.save(made.pemRepresentation, to: keyPath)
    }
    let text = try String(contentsOfFile: keyPath, encoding: .utf8)
    guard let key = try? P256.Signing.PrivateKey(pemRepresentation: text) else { throw Unreadable(path: keyPath) }
    if !FileManager.default.fileExists(atPath: certificatePath) {
      try Self.save(try Self.certificate(of: key), to: certificatePath)
    }
    self.key = key.pemRepresentation
    certificate = try String(contentsOfFile: certificatePath, encoding: .utf8)
    pin = Array(SHA256.hash(data: key.publicKey.derRepresentation))
  }

  private static func save(_ text: String, to path: String) throws {
    guard
      FileManager.default.createFile(
        atPath: path, contents: Data(text.utf8), attributes: [.posixPermissions: 0o600])
    else { throw CocoaError(.fileWriteUnknown) }
  }

  private static func certificate(of key: P256.Signing.PrivateKey) throws -> String {
    let name = try DistinguishedName { CommonName("osce-hub") }
    let certificate = try Certificate(
      version: .v3, serialNumber: .init(), publicKey: .init(key.publicKey),
      notValidBefore: Date(timeIntervalSinceNow: -86_400), notValidAfter: Date(timeIntervalSinceNow: life),
      issuer: name, subject: name, signatureAlgorithm: .ecdsaWithSHA256,
      extensions: try Certificate.Extensions {
        Critical(BasicConstraints.isCertificateAuthority(maxPathLength: nil))
        SubjectAlternativeNames([.dnsName("osce-hub")])
      },
      issuerPrivateKey: .init(key))
    return try certificate.serializeAsPEM().pemString
  }
}

import Crypto
import CryptoExtras
import ExamStore
import Foundation

/// Passcodes are kept only as scrypt hashes, with their parameters in the string:
/// `scrypt$N$r$p$salt$hash`, salt and hash in base64.
public enum Passcode {
  /// The cost of new hashes: about 50 ms and 16 MB (N = 2^14, r = 8, p = 1).
  private static let rounds = 16_384
  private static let blockSize = 8
  private static let parallelism = 1

  /// The string to keep for a passcode.
  public static func hash(_ passcode: String) throws -> String { try hash(passcode, rounds: rounds) }

  /// - Parameter rounds: the cost; a power of two from 2 on.
  static func hash(_ passcode: String, rounds: Int) throws -> String {
    var salt = [UInt8](repeating: 0, count: 16)
    var generator = SystemRandomNumberGenerator()
    for index in salt.indices { salt[index] = UInt8.random(in: .min ... .max, using: &generator) }
    let key = try derive(passcode, salt: salt, rounds: rounds, blockSize: blockSize, parallelism: parallelism)
    return
      "scrypt$\(rounds)$\(blockSize)$\(parallelism)$\(Data(salt).base64EncodedString())$\(key.base64EncodedString())"
  }

  /// Whether a passcode is the one that a kept string was made from. A string of another shape fits none.
  public static func verify(_ passcode: String, against kept: String) -> Bool {
    let parts = kept.split(separator: "$", omittingEmptySubsequences: false)
    guard parts.count == 6, parts[0] == "scrypt", let rounds = Int(parts[1]), let blockSize = Int(parts[2]),
      let parallelism = Int(parts[3]), let salt = Data(base64Encoded: String(parts[4])),
      let hash = Data(base64Encoded: String(parts[5])), hash.count == 32,
      // Parameters come from a file: they must not be able to eat the machine.
      (2...1_048_576).contains(rounds), (1...32).contains(blockSize), (1...16).contains(parallelism),
      let key = try? derive(
        passcode, salt: [UInt8](salt), rounds: rounds, blockSize: blockSize, parallelism: parallelism)
    else { return false }
    // Compared in constant time.
    return zip(key, hash).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }

  private static func derive(
    _ passcode: String, salt: [UInt8], rounds: Int, blockSize: Int, parallelism: Int
  ) throws -> Data {
    let key = try KDF.Scrypt.deriveKey(
      from: Data(passcode.utf8), salt: Data(salt), outputByteCount: 32, rounds: rounds, blockSize: blockSize,
      parallelism: parallelism)
    return key.withUnsafeBytes { Data($0) }
  }
}

import Crypto
import CryptoExtras
import ExamStore
import Foundation

/// Passcodes are kept only as scrypt hashes, with their parameters in the string:
/// `scrypt$N$r$p$salt$hash`, salt and hash in base64.
///
/// A kept string is untrusted: a file may have brought it. What it asks of the machine is bounded before it is looked at.
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
    let cost = Cost(rounds: rounds, blockSize: blockSize, parallelism: parallelism)
    let key = try cost.derive(passcode, salt: salt)
    return
      "scrypt$\(rounds)$\(blockSize)$\(parallelism)$\(Data(salt).base64EncodedString())$\(key.base64EncodedString())"
  }

  /// Whether a passcode is the one that a kept string was made from. A string that is not usable fits none.
  public static func verify(_ passcode: String, against kept: String) -> Bool {
    guard let kept = Kept(kept), let key = try? kept.cost.derive(passcode, salt: kept.salt) else { return false }
    // Compared in constant time.
    return zip(key, kept.hash).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }

  /// Whether a kept string can fit any passcode: of the right shape, and at most 64 MB and about a second to look at.
  public static func isUsable(_ kept: String) -> Bool { Kept(kept) != nil }

  /// What a hash costs.
  private struct Cost {
    let rounds: Int
    let blockSize: Int
    let parallelism: Int

    /// Most memory, in bytes: four times that of new hashes.
    private static let memory = 64 << 20
    /// Most work: sixteen times that of new hashes.
    private static let work = 16 * Passcode.rounds * Passcode.blockSize * Passcode.parallelism

    var isBearable: Bool {
      guard (2...(1 << 20)).contains(rounds), rounds & (rounds - 1) == 0, (1...32).contains(blockSize),
        (1...16).contains(parallelism)
      else { return false }
      return 128 * rounds * blockSize <= Self.memory && rounds * blockSize * parallelism <= Self.work
    }

    func derive(_ passcode: String, salt: [UInt8]) throws -> Data {
      let key = try KDF.Scrypt.deriveKey(
        from: Data(passcode.utf8), salt: Data(salt), outputByteCount: 32, rounds: rounds, blockSize: blockSize,
        parallelism: parallelism)
      return key.withUnsafeBytes { Data($0) }
    }
  }

  /// A kept string, taken apart.
  private struct Kept {
    let cost: Cost
    let salt: [UInt8]
    let hash: Data

    init?(_ text: String) {
      guard text.utf8.count <= 256 else { return nil }
      let parts = text.split(separator: "$", omittingEmptySubsequences: false)
      guard parts.count == 6, parts[0] == "scrypt", let rounds = Int(parts[1]), let blockSize = Int(parts[2]),
        let parallelism = Int(parts[3]), let salt = Data(base64Encoded: String(parts[4])),
        let hash = Data(base64Encoded: String(parts[5])), hash.count == 32, (8...64).contains(salt.count)
      else { return nil }
      cost = Cost(rounds: rounds, blockSize: blockSize, parallelism: parallelism)
      (self.salt, self.hash) = ([UInt8](salt), hash)
      if !cost.isBearable { return nil }
    }
  }
}

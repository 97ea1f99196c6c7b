import Crypto
import ExamStore
import Foundation
import Glibc

/// What is known of the terminal that somebody sits at.
public struct TerminalInfo: Equatable, Sendable {
  /// The process id of the program.
  public var process: Int32
  /// When the process was started, as `ProcessStart` says it; nil: not known.
  public var processStart: String?
  /// The terminal's device; nil: none.
  public var tty: String?
  /// Where the person sits, as far as ssh tells; nil: at the machine itself, or not known.
  public var host: String?
  /// The fingerprint of the key by which ssh let the person in, as `ssh-keygen -l` and sshd's log write it; nil: not known.
  public var sshKey: String?
  /// The version of the program.
  public var version: String

  /// - Parameters: see the properties.
  public init(
    process: Int32, processStart: String? = nil, tty: String? = nil, host: String? = nil,
    sshKey: String? = nil, version: String = ProgramVersion.text
  ) {
    self.process = process
    self.processStart = processStart
    self.tty = tty
    self.host = host
    self.sshKey = sshKey
    self.version = version
  }

  /// This process and its terminal.
  public static var here: TerminalInfo {
    TerminalInfo(
      process: getpid(), processStart: ProcessStart.text(of: getpid()), tty: ttyname(0).map { String(cString: $0) },
      host: host(sshConnection: getenv("SSH_CONNECTION").map { String(cString: $0) }),
      sshKey: getenv("SSH_USER_AUTH").flatMap { fingerprint(authInfoAt: String(cString: $0)) })
  }

  /// A terminal's device as people say it: `pts/3` for `/dev/pts/3`.
  static func shortName(of tty: String) -> String { tty.hasPrefix("/dev/") ? String(tty.dropFirst(5)) : tty }

  /// The fingerprint of the key in the file that sshd names in `SSH_USER_AUTH` where it has `ExposeAuthInfo yes`.
  ///
  /// The file is sshd's, but its name comes from the environment: nothing but a plain, small file of this account is read.
  static func fingerprint(authInfoAt path: String) -> String? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      status.st_uid == geteuid() || status.st_uid == 0
    else { return nil }
    var bytes = [UInt8](repeating: 0, count: authInfoLimit)
    let count = read(descriptor, &bytes, bytes.count)
    return count > 0 ? fingerprint(authInfo: String(decoding: bytes[..<count], as: UTF8.self)) : nil
  }

  /// Most bytes of sshd's file: a certificate of 4096 bits has about a tenth.
  private static let authInfoLimit = 16_384

  /// The fingerprint of the first key in what sshd tells: lines such as `publickey ssh-ed25519 AAAA…`.
  static func fingerprint(authInfo: String) -> String? {
    for line in authInfo.split(separator: "\n") {
      let words = line.split(separator: " ")
      guard words.count >= 3, words[0] == "publickey", let key = Data(base64Encoded: String(words[2])), !key.isEmpty
      else { continue }
      let digest = Data(SHA256.hash(data: key)).base64EncodedString()
      return "SHA256:" + digest.prefix { $0 != "=" }
    }
    return nil
  }

  /// The client's address in `SSH_CONNECTION`: its first word, if that can be an address.
  static func host(sshConnection: String?) -> String? {
    guard let word = sshConnection?.split(separator: " ", maxSplits: 1).first, word.utf8.count <= 64 else { return nil }
    let isAddress = word.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "."), UInt8(ascii: ":"), UInt8(ascii: "%"),
        UInt8(ascii: "-"):
        true
      default: false
      }
    }
    return isAddress ? String(word) : nil
  }
}

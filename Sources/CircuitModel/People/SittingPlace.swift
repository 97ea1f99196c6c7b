import ExamStore
import Glibc

/// What is known of the terminal that somebody sits at.
public struct SittingPlace: Equatable, Sendable {
  /// The process id of the program.
  public var process: Int32
  /// When the process was started, as `ProcessStart` says it; nil: not known.
  public var processStart: String?
  /// The terminal's device; nil: none.
  public var tty: String?
  /// Where the person sits, as far as ssh tells; nil: at the machine itself, or not known.
  public var host: String?
  /// The version of the program.
  public var version: String

  /// - Parameters: see the properties.
  public init(
    process: Int32, processStart: String? = nil, tty: String? = nil, host: String? = nil,
    version: String = ProgramVersion.text
  ) {
    self.process = process
    self.processStart = processStart
    self.tty = tty
    self.host = host
    self.version = version
  }

  /// This process and its terminal.
  public static var here: SittingPlace {
    SittingPlace(
      process: getpid(), processStart: ProcessStart.text(of: getpid()), tty: ttyname(0).map { String(cString: $0) },
      host: host(sshConnection: getenv("SSH_CONNECTION").map { String(cString: $0) }))
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

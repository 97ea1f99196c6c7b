import Foundation
import GRDB
import SystemTesting
import Testing

@testable import CircuitModel
@testable import ExamStore
@testable import Reports

@Suite("Who came in over ssh") struct SSHPlaceTests {
  /// A public key, and what `ssh-keygen -l` says of it.
  private static let key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOxdxsquUPbLv+9yf0bUt8hoN2dC9z2EzgdPo6FPwsI4"
  private static let fingerprint = "SHA256:osNDo9w8Bh//fLxXXb3wMixsRgRSnGSTtReepmAdy4Y"

  @Test("the key's fingerprint is what ssh-keygen says; what is no key has none")
  func fingerprint() {
    #expect(TerminalInfo.fingerprint(authInfo: "publickey \(Self.key)\n") == Self.fingerprint)
    #expect(
      TerminalInfo.fingerprint(authInfo: "keyboard-interactive\npublickey \(Self.key)\n") == Self.fingerprint)
    for text in [
      "", "publickey", "publickey ssh-ed25519", "publickey ssh-ed25519 ?\u{1B}[31m", "password\n", "publickey x \n",
    ] {
      #expect(TerminalInfo.fingerprint(authInfo: text) == nil)
    }
  }

  @Test("only a plain, small file of this account is read, and no wait is possible")
  func file() throws {
    let folder = try ScratchFolder.make()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let text = "publickey \(Self.key)\n"
    try text.write(toFile: folder + "/info", atomically: true, encoding: .utf8)
    #expect(TerminalInfo.fingerprint(authInfoAt: folder + "/info") == Self.fingerprint)
    try FileManager.default.createSymbolicLink(atPath: folder + "/link", withDestinationPath: folder + "/info")
    #expect(mkfifo(folder + "/queue", 0o600) == 0)
    try (String(repeating: "x", count: 20_000) + "\n" + text).write(
      toFile: folder + "/large", atomically: true, encoding: .utf8)
    for name in ["link", "queue", "large", "none", ""] {
      #expect(TerminalInfo.fingerprint(authInfoAt: folder + "/" + name) == nil, "\(name)")
    }
    if geteuid() == 0 {
      #expect(chown(folder + "/info", 65_534, 65_534) == 0)
      #expect(TerminalInfo.fingerprint(authInfoAt: folder + "/info") == nil)
    }
  }

  @Test("address and key stand in the sitting, in the journal and beside the sign-in")
  func recorded() throws {
    let exam = try MarkedExam()
    let member = try exam.store.read { try StaffMember.find(username: "adavies", in: $0) }
    let device = exam.store.device
    let place = TerminalInfo(process: 1, tty: "/dev/pts/1", host: "192.0.2.7", sshKey: "SHA256:abc")
    _ = try exam.store.write(.program) {
      try SignIn.begin(member, timetable: 1, device: device, from: place, in: $0)
    }
    let row = try #require(try exam.rows(.signins).first)
    #expect(row["host"] == .text("192.0.2.7") && row["ssh_key"] == .text("SHA256:abc"))
    var text = ""
    try exam.store.read { db in try JournalReport.forEach(in: db) { text += $0.json.text } }
    #expect(text.contains(#""name":"sshKey","old":null,"new":"SHA256:abc""#))
  }
}

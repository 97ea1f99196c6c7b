import Glibc
import Rig

/// A real sshd for one connection at a time, with throw-away keys: the client starts it and talks to it over pipes, so
/// that no port is needed.
struct LoopbackServer {
  private let scratch: ScratchFolder
  private let madeRunFolder: Bool

  /// - Throws: `RigError` if OpenSSH is not there.
  init(in scratch: ScratchFolder) throws {
    self.scratch = scratch
    guard access("/usr/sbin/sshd", X_OK) == 0, access("/usr/bin/ssh", X_OK) == 0 else {
      throw RigError("OpenSSH is not there: apt-get install openssh-server openssh-client")
    }
    // sshd of root wants its folder; an installed service has made it.
    madeRunFolder = geteuid() == 0 && mkdir("/run/sshd", 0o755) == 0
    for name in ["host_key", "key"] {
      let made = try Child(onPipe: "/usr/bin/ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", scratch.file(name)])
      guard made.wait() == 0 else { throw RigError("ssh-keygen failed") }
    }
    try Files.copy(scratch.file("key.pub"), to: scratch.file("authorized_keys"))
  }

  /// Opens a terminal of a program over ssh.
  func open(_ words: [String]) throws -> TerminalSession {
    let command = "/usr/bin/env -i PATH=/usr/bin:/bin LANG=C.UTF-8 TERM=xterm-256color HOME=/nonexistent "
    let lines = [
      "HostKey \(scratch.file("host_key"))", "AuthorizedKeysFile \(scratch.file("authorized_keys"))", "StrictModes no",
      "UsePAM no", "PermitRootLogin prohibit-password", "PasswordAuthentication no", "PermitUserRC no",
      "ForceCommand " + command + words.joined(separator: " "),
    ]
    try Files.write(Array((lines.joined(separator: "\n") + "\n").utf8), to: scratch.file("sshd_config"))
    let options = [
      "IdentitiesOnly=yes", "IdentityAgent=none", "BatchMode=yes", "EscapeChar=none", "StrictHostKeyChecking=no",
      "UserKnownHostsFile=/dev/null", "LogLevel=ERROR",
      "ProxyCommand=/usr/sbin/sshd -i -f \(scratch.file("sshd_config"))",
    ]
    return try TerminalSession(
      "/usr/bin/ssh", ["-F", "none", "-tt", "-i", scratch.file("key")] + options.flatMap { ["-o", $0] } + ["osce-rig"])
  }

  /// Stops what serves a client.
  /// - Returns: the processes.
  func stop(below client: Int32) throws -> [Int32] {
    let servers = ProcessFacts.descendants(of: client).filter { ProcessFacts.command(of: $0) == "sshd" }
    guard !servers.isEmpty else { throw RigError("sshd is not found below process \(client)") }
    for process in servers { kill(process, SIGSTOP) }
    return servers
  }

  /// Takes away what the machine did not have before.
  func remove() { if madeRunFolder { rmdir("/run/sshd") } }
}

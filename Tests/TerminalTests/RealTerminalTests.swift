import Glibc
import SystemTesting
import Testing

@testable import Terminal

@Suite(
  "In a real terminal", .serialized, .ahead,
  .enabled(if: PseudoTerminal.probe != nil, "the program TerminalProbe is not built"))
struct RealTerminalTests {
  private func start(
    _ arguments: String..., width: UInt16 = 80, height: UInt16 = 24, type: String = "xterm-256color"
  ) throws -> (terminal: PseudoTerminal, modes: [UInt32]) {
    let probe = try #require(PseudoTerminal.probe)
    let terminal = PseudoTerminal([probe] + arguments, width: width, height: height, type: type)
    // The modes of a fresh terminal are the same for all.
    let modes = PseudoTerminal(["/bin/true"]).modes
    return (terminal, modes)
  }

  private func exitCode(_ status: Int32?) -> Int32? { status.flatMap { $0 & 0x7F == 0 ? ($0 >> 8) & 0xFF : nil } }
  private func endSignal(_ status: Int32?) -> Int32? { status.map { $0 & 0x7F } }

  /// The alternate screen left, the cursor shown, paste brackets off, the modes as before.
  private func expectRestored(_ terminal: PseudoTerminal, _ modes: [UInt32]) {
    #expect(terminal.modes == modes)
    #expect(terminal.text.contains("\u{1B}[?1049h"))
    let end = terminal.text.components(after: "\u{1B}[?1049h")
    #expect(end.contains("\u{1B}[?1049l"))
    #expect(end.contains("\u{1B}[?2004l"))
  }

  @Test("keys work and the terminal is as before after leaving")
  func leaving() throws {
    let (terminal, modes) = try start()
    #expect(terminal.wait { terminal.text.contains("count 0") })
    #expect(terminal.modes != modes)
    #expect(terminal.text.contains("漢字"))
    #expect(terminal.text.contains("\u{1B}[?1000;1002;1003;1005;1006;1015l"))
    terminal.type("ab\u{3}\u{1A}\u{11}\u{16}\u{1B}[A")
    #expect(terminal.wait { terminal.notesText.contains("key up") })
    #expect(terminal.notesText.contains("key ctrl-c\nkey ctrl-z\nkey ctrl-q\nkey ctrl-v\n"))
    terminal.type("q")
    #expect(exitCode(terminal.end()) == 0)
    expectRestored(terminal, modes)
  }

  @Test("a terminal without a second screen is left blank, after a crash too", arguments: ["q", "A"])
  func noSecondScreen(_ key: String) throws {
    let (terminal, modes) = try start(type: "vt100")
    #expect(terminal.wait { terminal.text.contains("count 0") })
    terminal.clearOutput()
    terminal.type(key)
    _ = terminal.end()
    #expect(terminal.text.contains("\u{1B}[H\u{1B}[J"))
    #expect(!terminal.text.components(after: "\u{1B}[H\u{1B}[J").contains("PROBE"))
    #expect(terminal.modes == modes)
  }

  @Test("SIGTERM and SIGINT restore the terminal", arguments: [SIGTERM, SIGINT])
  func terminated(_ signal: Int32) throws {
    let (terminal, modes) = try start()
    #expect(terminal.wait { terminal.text.contains("count 0") })
    kill(terminal.process, signal)
    #expect(exitCode(terminal.end()) == 128 + signal)
    expectRestored(terminal, modes)
  }

  @Test("an abort, a trap and a bare exit restore the terminal", arguments: ["A", "T", "E"])
  func crash(_ key: String) throws {
    let (terminal, modes) = try start()
    #expect(terminal.wait { terminal.text.contains("count 0") })
    terminal.type(key)
    let status = terminal.end()
    switch key {
    case "A": #expect(endSignal(status) == SIGABRT)
    case "T": #expect([SIGILL, SIGTRAP].contains(endSignal(status)))
    default: #expect(exitCode(status) == 3)
    }
    expectRestored(terminal, modes)
  }

  @Test("a crash signal from outside ends the program and restores the terminal", arguments: [SIGSEGV, SIGQUIT])
  func killed(_ signal: Int32) throws {
    let (terminal, modes) = try start()
    #expect(terminal.wait { terminal.text.contains("count 0") })
    kill(terminal.process, signal)
    #expect(endSignal(terminal.end()) == signal)
    expectRestored(terminal, modes)
  }

  @Test("a closed terminal ends the program, which has less than a second to do so", arguments: ["", "flood"])
  func hangup(_ mode: String) throws {
    let (terminal, _) = try start(mode)
    #expect(terminal.wait { terminal.text.contains("count 0") })
    terminal.hangUp()
    let status = terminal.end(reading: false)
    #expect(exitCode(status) == EventLoop.hangupCode)
    #expect(EventLoop.hangupGrace < 1_000)
    #expect(terminal.notesText.split(separator: "\n").filter { $0 == "hangup" }.count == 1)
  }

  @Test("a terminal that takes no output loses no key, and shows the newest state when it reads again")
  func stalledReader() throws {
    let (terminal, modes) = try start("flood", width: 200, height: 60)
    #expect(terminal.wait { terminal.text.contains("count 0") })
    let typed = (0..<500).map { _ in "+" }.joined() + "z"
    for start in stride(from: 0, to: 501, by: 50) {
      terminal.type(String(typed.dropFirst(start).prefix(50)))
      #expect(
        terminal.wait(reading: false) {
          terminal.notesText.split(separator: "\n").filter { $0.hasPrefix("key") }.count >= min(501, start + 50)
        })
    }
    terminal.clearOutput()
    // Only the digits that changed are sent, so the newest count is looked for in a whole repaint.
    terminal.type("\u{C}")
    #expect(terminal.wait { terminal.text.contains("count 500") })
    terminal.type("q")
    #expect(exitCode(terminal.end()) == 0)
    expectRestoredModes(terminal, modes)
  }

  private func expectRestoredModes(_ terminal: PseudoTerminal, _ modes: [UInt32]) {
    #expect(terminal.modes == modes)
  }

  @Test("one changed digit costs about twenty bytes")
  func smallFrames() throws {
    let (terminal, _) = try start()
    #expect(terminal.wait { terminal.text.contains("count 0") })
    terminal.settle()
    terminal.clearOutput()
    terminal.type("+")
    #expect(terminal.wait { terminal.notesText.contains("key +") && terminal.text.contains("1") })
    terminal.settle()
    #expect(terminal.output.count <= 20, "\(terminal.text.debugDescription)")
    terminal.type("q")
    _ = terminal.end()
  }

  @Test("any size from 1x1 to 300x100 is safe, and the screen is whole afterwards")
  func sizes() throws {
    let (terminal, modes) = try start("flood")
    for (width, height) in [(1, 1), (300, 100), (2, 50), (300, 1), (1, 100), (79, 23), (80, 24)] as [(UInt16, UInt16)] {
      terminal.resize(width: width, height: height)
      #expect(terminal.wait { terminal.notesText.contains("size \(width)x\(height) ") })
    }
    terminal.clearOutput()
    terminal.type("\u{C}")
    #expect(terminal.wait { terminal.text.contains("count 0") })
    terminal.type("q")
    #expect(exitCode(terminal.end()) == 0)
    expectRestoredModes(terminal, modes)
  }

  @Test("SIGTSTP is ignored where nobody could continue the program")
  func noJobControl() throws {
    let (terminal, _) = try start()
    #expect(terminal.wait { terminal.text.contains("count 0") })
    kill(terminal.process, SIGTSTP)
    terminal.type("xq")
    #expect(exitCode(terminal.end()) == 0)
    #expect(!terminal.notesText.contains("suspending"))
  }

  @Test("under a shell a stop lets the shell have the terminal and fg takes it again", arguments: [SIGTSTP, SIGSTOP])
  func jobControl(_ signal: Int32) throws {
    let probe = try #require(PseudoTerminal.probe)
    let terminal = PseudoTerminal(["/bin/bash", "--norc", "--noprofile", "-i"])
    terminal.type("\(probe)\r")
    #expect(terminal.wait { terminal.text.contains("count 0") })
    let raw = terminal.modes
    let size = try #require(terminal.notesText.split(separator: "\n").first { $0.hasPrefix("size") })
    let number = try #require(size.split(separator: " ").last.flatMap { pid_t($0) })
    terminal.clearOutput()
    kill(number, signal)
    #expect(terminal.wait { terminal.text.contains("Stopped") })
    // SIGSTOP leaves no time to give anything back.
    #expect(terminal.text.contains("\u{1B}[?1049l") == (signal == SIGTSTP))
    #expect(terminal.notesText.contains("suspending") == (signal == SIGTSTP))
    terminal.clearOutput()
    terminal.type("fg\r")
    #expect(terminal.wait { terminal.notesText.contains("resumed") && terminal.text.contains("count 0") })
    #expect(terminal.text.contains("\u{1B}[?1049h"))
    #expect(terminal.modes == raw)
    terminal.type("q")
    #expect(terminal.wait { terminal.notesText.contains("key q") })
    terminal.type("exit\r")
    #expect(terminal.end() != nil)
  }

  @Test("a program that was continued in the background of a shell can be ended there, and leaves the terminal alone")
  func background() throws {
    let probe = try #require(PseudoTerminal.probe)
    let terminal = PseudoTerminal(["/bin/bash", "--norc", "--noprofile", "-i"])
    terminal.type("\(probe)\r")
    #expect(terminal.wait { terminal.text.contains("count 0") })
    let size = try #require(terminal.notesText.split(separator: "\n").first { $0.hasPrefix("size") })
    let number = try #require(size.split(separator: " ").last.flatMap { pid_t($0) })
    kill(number, SIGTSTP)
    #expect(terminal.wait { terminal.text.contains("Stopped") })
    terminal.clearOutput()
    terminal.type("bg\r")
    #expect(terminal.wait { terminal.text.contains("&") })
    terminal.settle()
    let modes = terminal.modes
    kill(number, SIGTERM)
    // As `kill` of a shell does for a job that is stopped.
    kill(number, SIGCONT)
    #expect(terminal.wait { terminal.notesText.contains("terminated \(SIGTERM)") && kill(number, 0) != 0 })
    #expect(!terminal.notesText.contains("resumed") && !terminal.text.contains("\u{1B}[?1049h"))
    #expect(terminal.modes == modes)
    terminal.type("exit\r")
    #expect(terminal.end() != nil)
  }

  @Test("a locale that is not UTF-8 is sent ASCII only")
  func asciiLocale() throws {
    let terminal = PseudoTerminal([try #require(PseudoTerminal.probe)], locale: "C")
    #expect(terminal.wait { terminal.text.contains("PROBE ? ??") })
    terminal.type("q")
    #expect(exitCode(terminal.end()) == 0)
    #expect(terminal.output.allSatisfy { $0 < 0x80 })
  }

  @Test("a UTF-8 locale that is not installed is sent UTF-8", arguments: ["fr_QX.UTF-8", "qx_QX.utf8", "UTF-8"])
  func missingLocale(name: String) throws {
    let terminal = PseudoTerminal([try #require(PseudoTerminal.probe)], locale: name)
    #expect(terminal.wait { terminal.text.contains("PROBE é 漢字") })
    terminal.type("q")
    #expect(exitCode(terminal.end()) == 0)
  }

  @Test("the terminal that the shell shares is left in blocking mode")
  func blocking() throws {
    let (terminal, _) = try start()
    #expect(terminal.wait { terminal.text.contains("count 0") })
    #expect(!terminal.sharedDescriptorIsNonBlocking)
    terminal.type("q")
    _ = terminal.end()
  }

  @Test("no terminal, no type and an unusable type are told in one line")
  func refusals() throws {
    let (dumb, modes) = try start(type: "dumb")
    #expect(exitCode(dumb.end()) == 1)
    #expect(dumb.text.contains("the terminal type dumb cannot be used here"))
    #expect(dumb.modes == modes)
    let (unknown, _) = try start(type: "no-such-terminal")
    #expect(exitCode(unknown.end()) == 1)
    #expect(unknown.text.contains("no-such-terminal cannot be used"))
    let (missing, _) = try start(type: "")
    #expect(exitCode(missing.end()) == 1)
    #expect(missing.text.contains("TERM is not set"))
  }

  @Test(
    "the terminals of the field are drawn on",
    arguments: ["xterm", "linux", "vt100", "screen", "tmux-256color", "rxvt"])
  func types(_ type: String) throws {
    let (terminal, modes) = try start(type: type)
    #expect(terminal.wait { terminal.text.contains("PROBE") })
    terminal.type("q")
    #expect(exitCode(terminal.end()) == 0)
    #expect(terminal.modes == modes)
  }
}

extension String {
  fileprivate func components(after mark: String) -> Substring {
    var rest = self[...]
    while !rest.isEmpty {
      if rest.hasPrefix(mark) { return rest.dropFirst(mark.count) }
      rest = rest.dropFirst()
    }
    return rest
  }
}

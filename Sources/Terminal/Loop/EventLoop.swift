import CNcurses.System
import Glibc

/// The one thread that reads the terminal, draws on it and waits: for keys, signals, other threads and deadlines.
///
/// Every key is handed to the program in order; the screen is drawn once after the input that was there together. A
/// terminal that does not take its output costs frames, never keys, and never holds the loop up.
@MainActor
public final class EventLoop {
  /// Milliseconds that a program has after `.hangup` before the loop ends without being asked.
  public nonisolated static let hangupGrace: Int64 = 700
  /// Exit code after a hang-up that the program did not answer with one of its own.
  public nonisolated static let hangupCode: Int32 = 129
  private static let readLimit = 65_536
  /// Signals that end a program.
  private static let endings: Set<Int32> = [SIGTERM, SIGINT, SIGHUP]

  private let screen: any Screen
  private let waker: Waker
  private let signals: ProcessSignals
  private let timer: Int32
  private var decoder = KeyDecoder()
  private var buffer = [UInt8](repeating: 0, count: 4_096)
  private var exitCode: Int32?
  private var hungUpAt: Int64?
  private var needsDrawing = true
  /// A deadline that was served and is asked for again would spin; it waits this long.
  private var servedDeadline: Int64?
  /// The deadline that the program asked for before the loop waited.
  private var askedDeadline: Int64?
  private static let overduePause: Int64 = 10
  /// The instant for which the screen keeps a frame back.
  private var preparedFor: Int64?
  /// How long before its instant a frame is made: processes of one machine take turns.
  private let lead = 10 + Int64(getpid()) * 37 % 180

  /// A loop for a screen. `waker` is what other threads use.
  public init(screen: any Screen, waker: Waker) throws(TerminalError) {
    self.screen = screen
    self.waker = waker
    timer = osce_timer_descriptor()
    if timer < 0 { throw .system("no timer", code: errno) }
    signals = try ProcessSignals()
  }

  /// Runs a program until it asks to exit or the terminal is gone, then gives the terminal back.
  /// - Returns: the exit code.
  public func run(_ program: inout some TerminalProgram) -> Int32 {
    defer {
      screen.close()
      signals.close()
      close(timer)
    }
    deliver(.resized(screen.size), to: &program)
    while true {
      if let exitCode { return exitCode }
      if let hungUpAt, MonotonicClock.now >= hungUpAt + Self.hangupGrace { return Self.hangupCode }
      if needsDrawing && hungUpAt == nil && !screen.isStalled {
        screen.draw(program.view(screen.size))
        needsDrawing = false
        preparedFor = nil
      }
      prepare(&program)
      wait(for: &program)
    }
  }

  /// Makes the frame of the next instant that is drawn ahead once that is near.
  private func prepare(_ program: inout some TerminalProgram) {
    guard preparedFor == nil, let due = program.prerenderDue, hungUpAt == nil, !screen.isStalled else { return }
    let left = due - MonotonicClock.now
    // Too late to be of use, or too early.
    guard left > 1, left <= lead else { return }
    screen.prepare(program.prerender(screen.size))
    preparedFor = due
  }

  private func deliver(_ event: TerminalEvent, to program: inout some TerminalProgram) {
    if exitCode != nil { return }
    let effects = program.update(event)
    if effects != [.unchanged] { needsDrawing = true }
    for effect in effects {
      switch effect {
      case .unchanged: break
      case .exit(let code): exitCode = code
      case .repaint: screen.repaint()
      case .bell: screen.ring()
      }
    }
  }

  private func wait(for program: inout some TerminalProgram) {
    let wanted = nextDeadline(program)
    osce_timer_set(timer, wanted ?? -1)
    var polled = [
      pollfd(fd: signals.descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: waker.descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: timer, events: Int16(POLLIN), revents: 0),
    ]
    if hungUpAt == nil {
      polled.append(pollfd(fd: screen.input, events: Int16(POLLIN), revents: 0))
      if screen.isStalled { polled.append(pollfd(fd: screen.output, events: Int16(POLLOUT), revents: 0)) }
    }
    if poll(&polled, nfds_t(polled.count), -1) < 0 { return }
    if polled[0].revents != 0 { handle(signals.take(), &program) }
    if polled[1].revents != 0 {
      waker.clear()
      deliver(.woken, to: &program)
    }
    if polled.count > 4, polled[4].revents != 0 { screen.drain() }
    if polled.count > 3, polled[3].revents != 0 { readKeys(&program, hungUp: polled[3].revents & Int16(POLLIN) == 0) }
    serveDeadlines(&program)
  }

  // MARK: input

  private func readKeys(_ program: inout some TerminalProgram, hungUp: Bool) {
    var total = 0
    while total < Self.readLimit && hungUpAt == nil && exitCode == nil {
      let count = read(screen.input, &buffer, buffer.count)
      if count > 0 {
        total += count
        deliver(decoder.feed(buffer[..<count], at: MonotonicClock.now), to: &program)
        if count < buffer.count && !hungUp { return }
      } else if count < 0 && errno == EINTR {
        continue
      } else if count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK) {
        if hungUp { hangUp(&program) }
        return
      } else {
        return hangUp(&program)
      }
    }
  }

  private func deliver(_ input: [InputEvent], to program: inout some TerminalProgram) {
    for event in input {
      switch event {
      case .key(let key): deliver(.key(key), to: &program)
      case .paste(let text): deliver(.paste(text), to: &program)
      case .unreadable: deliver(.unreadable, to: &program)
      }
    }
  }

  private func hangUp(_ program: inout some TerminalProgram) {
    if hungUpAt != nil { return }
    hungUpAt = MonotonicClock.now
    deliver(.hangup, to: &program)
  }

  // MARK: deadlines

  private func nextDeadline(_ program: some TerminalProgram) -> Int64? {
    if let hungUpAt { return hungUpAt + Self.hangupGrace }
    var asked = program.deadline
    askedDeadline = asked
    if let preparedFor {
      asked = min(asked ?? .max, preparedFor)
    } else if let due = program.prerenderDue, due - lead > MonotonicClock.now {
      asked = min(asked ?? .max, due - lead)
    }
    if let deadline = asked, deadline == servedDeadline { asked = MonotonicClock.now + Self.overduePause }
    return [asked, decoder.deadline].compactMap { $0 }.min()
  }

  private func serveDeadlines(_ program: inout some TerminalProgram) {
    if hungUpAt != nil { return }
    let now = MonotonicClock.now
    if let due = preparedFor, now >= due, !needsDrawing {
      screen.release()
      preparedFor = nil
      deliver(.prerenderShown(now), to: &program)
    }
    if let deadline = decoder.deadline, now >= deadline { deliver(decoder.expire(at: now), to: &program) }
    // A program that works its deadline out from the time asks for the next one as soon as this one has come.
    if let deadline = askedDeadline ?? program.deadline, now >= deadline {
      askedDeadline = nil
      servedDeadline = deadline
      deliver(.deadline(now), to: &program)
    }
  }

  // MARK: signals

  private func handle(_ numbers: [Int32], _ program: inout some TerminalProgram) {
    for signal in numbers {
      switch signal {
      case SIGWINCH:
        if hungUpAt == nil, screen.refreshSize() { deliver(.resized(screen.size), to: &program) }
      case SIGHUP:
        hangUp(&program)
      case SIGTERM, SIGINT:
        deliver(.terminated(signal), to: &program)
      case SIGTSTP:
        if hungUpAt == nil && ProcessSignals.hasJobControl { stop(&program) }
      case SIGCONT:
        // After a stop that could not be caught the shell has had the terminal, and in the background it has it still.
        if hungUpAt != nil { continue }
        if screen.isInForeground || !ProcessSignals.hasJobControl { resume(&program) } else { stop(&program) }
      default:
        break
      }
    }
  }

  private func stop(_ program: inout some TerminalProgram) {
    deliver(.suspending, to: &program)
    if exitCode != nil { return }
    screen.suspend()
    var came: [Int32] = []
    repeat {
      osce_stop_here()
      if !screen.isInForeground { signals.wait(100) }
      came += signals.take().filter { $0 != SIGCONT && $0 != SIGTSTP }
      // Continued in the background it stops again; taking the terminal there would stop it too, for signals as well.
    } while !screen.isInForeground && Self.endings.isDisjoint(with: came)
    if screen.isInForeground { resume(&program) }
    handle(came, &program)
  }

  private func resume(_ program: inout some TerminalProgram) {
    screen.resume()
    if screen.refreshSize() { deliver(.resized(screen.size), to: &program) }
    deliver(.resumed, to: &program)
  }
}

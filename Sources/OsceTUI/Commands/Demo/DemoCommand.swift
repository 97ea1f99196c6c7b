import ArgumentParser
import CircuitModel
import Console
import Dispatch
import ExamFiles
import ExamStore
import Glibc
import Reports

/// `osce demo`: an example exam to try out, gone when it is left. One that was broken off can go on.
struct DemoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "demo", abstract: "Try an example exam, its clock running; deleted on exit.")

  /// The roles of an exam.
  enum Role: String, ExpressibleByArgument, CaseIterable {
    case mark, wall, desk, lead
  }

  @Argument(
    help: "The role: mark (an assessor), desk (the invigilator), wall (the public clock) or lead (the exam lead).")
  var role: Role?

  @Option(name: .long, help: "An exam folder to use instead of the built-in example.")
  var exam: String?

  @OptionGroup var clock: QuietClockOption

  func run() throws {
    let interrupted = DemoFolder.interrupted()
    if role != nil, let interrupted {
      if DemoCommand.isWanted(interrupted.offer) {
        _ = try demonstrate(in: interrupted.folder, offering: nil, DemoExam.reopen)
        return
      }
      interrupted.folder.release()
    }
    if try demonstrate(in: DemoFolder.make(), offering: interrupted?.offer, build), let interrupted {
      _ = try demonstrate(in: interrupted.folder, offering: nil, DemoExam.reopen)
    }
  }

  /// Builds the exam, which takes seconds on a slow machine, before there is a screen.
  private func build(in folder: String) throws -> ExamStore {
    let line = ProgressLine()
    defer { line.end() }
    line.say("preparing the exam")
    return try DemoExam.build(from: exam, in: folder)
  }

  /// Asks whether the demonstration that was broken off is to go on: where a role was named there is no list of roles
  /// that offers it.
  private static func isWanted(_ offer: InterruptedDemo) -> Bool {
    guard Output.standard.isTerminal, isatty(STDIN_FILENO) == 1 else { return false }
    Output.standard.text("\(offer.text)? [Y/n] ")
    guard let answer = readLine() else { return false }
    return !answer.lowercased().hasPrefix("n")
  }

  /// Lets a demonstration be used until it is left, and throws it away.
  /// - Returns: whether the one that was broken off before is to go on instead.
  private func demonstrate(
    in folder: DemoFolder, offering interrupted: InterruptedDemo?, _ open: (String) throws -> ExamStore
  ) throws -> Bool {
    let store: ExamStore
    do { store = try open(folder.path) } catch {
      // What was broken off and cannot be opened now may be opened by another version.
      if folder.isBuilt { folder.release() } else { folder.remove() }
      throw error
    }
    folder.noteBuilt()
    let invigilator = DispatchSource.makeTimerSource(queue: .global())
    invigilator.schedule(deadline: .now() + 2, repeating: 2)
    // A call that cannot be answered now is answered at the next look.
    invigilator.setEventHandler { _ = try? StandInInvigilator.attend(store) }
    invigilator.resume()
    defer {
      invigilator.cancel()
      store.close()
      folder.remove()
    }
    guard let code = try MainActor.assumeIsolated({ try sit(at: store, offering: interrupted) }) else {
      return true
    }
    throw ExitCode(code)
  }

  /// Lets the person choose role after role until the demonstration is left.
  /// - Returns: the exit code; nil if the demonstration that was broken off before was chosen.
  @MainActor private func sit(at store: ExamStore, offering interrupted: InterruptedDemo?) throws -> Int32? {
    switch role {
    case .mark:
      return try AssessorTerminal.run(store, .signIn, hasQuietClock: clock.isQuiet, isDemonstration: true)
    case .wall: return try WallTerminal.run(store, circuits(of: store))
    case .desk: return try DeskTerminal.run(store, .init(circuits: circuits(of: store)), as: nil, isDemonstration: true)
    case .lead: return try LeadTerminal.run(store, as: nil, isDemonstration: true)
    case nil: break
    }
    while true {
      var taken: RolesScreen.Destination?
      let code = try AssessorTerminal.run(
        store, .roles(offering: interrupted) { taken = $0 }, hasQuietClock: clock.isQuiet, isDemonstration: true)
      switch taken {
      case .wall: _ = try WallTerminal.run(store, circuits(of: store))
      case .earlier: return nil
      case nil: return code
      }
    }
  }

  private func circuits(of store: ExamStore) throws -> [Circuit] {
    try store.read { try Circuit.all(at: store.clock.now, $0) }
  }
}

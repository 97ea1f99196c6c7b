/// What the invigilator can ask of the desk.
enum DeskCommand: Equatable, Sendable {
  // The clock.
  case start, pause, resume, addTime, takeTime, extend, skip, restart, jump, rounds, stop, undo
  // The exam's time.
  case whichTime
  // What the clock's keys act on.
  case nextCircuit, allCircuits, chooseSession
  // Pages.
  case page(Int)
  // What stands on the pages.
  case attendance, incident, incidentTime, tell, tellAll, add, resolve, settled, withdraw, swap, queue, beginRerun
}

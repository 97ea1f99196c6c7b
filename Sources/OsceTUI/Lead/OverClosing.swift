import Terminal

/// A screen over Closing, which goes on reading and examining under it: a ruling waits for what it finds.
@MainActor
protocol OverClosing: TableScreen {
  var closing: ClosingScreen { get }
}

extension OverClosing {
  var deadline: Int64? { closing.deadline }
  var isReading: Bool { closing.isReading }
  var refusesWaiting: SafeText? { closing.refusesWaiting }
  func passTime(_ now: Int64) -> Bool { closing.passTime(now) }
}

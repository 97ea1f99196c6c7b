import CircuitModel

extension WithdrawnStation {
  /// That it was withdrawn, and why, wherever a plan or an account comes to it: `RX Prescribing withdrawn: chart misprinted`.
  public var text: String { "\(title) withdrawn" + (reason.map { ": \($0)" } ?? "") }
}

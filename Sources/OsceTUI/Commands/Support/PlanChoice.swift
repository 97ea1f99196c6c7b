import ArgumentParser
import CircuitModel
import Reports

/// Which stations of the plan a command is about.
struct PlanChoice: ParsableArguments {
  @Option(name: .long, help: "Only this circuit, by number, code or name.")
  var circuit: String?
  @Option(name: .long, help: "Only this station, by its code.")
  var station: String?
  @Option(name: .long, help: "Only where this assessor is planned, by username.")
  var assessor: String?

  @Option(name: .long, help: "Only this candidate, by number.")
  var candidate: String?

  var filter: PlanFilter {
    PlanFilter(circuit: circuit, station: station, candidate: candidate, assessor: assessor)
  }
}

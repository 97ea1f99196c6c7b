import ArgumentParser
import CircuitModel

/// Which circuits are meant.
enum CircuitChoice: Equatable, ExpressibleByArgument {
  case all
  /// By number, code or name.
  case named(String)

  init(argument: String) { self = argument == "all" ? .all : .named(argument) }
}

/// A session and the circuit that it is of.
struct PlacedSession {
  let circuit: Circuit
  let session: Session

  var name: String { "\(circuit.name), \(session.name)" }
}

/// Why a command does nothing: one line.
struct HubFailure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

/// Why a command does nothing: one line.
package struct CommandFailure: Error, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}

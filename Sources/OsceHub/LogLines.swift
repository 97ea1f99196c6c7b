import Console
import Foundation
import Logging

/// What the server and its libraries log, on standard output: whatever a stranger put into a request, each line is one
/// line and commands no terminal.
struct LogLines: LogHandler {
  let label: String
  var metadata: Logger.Metadata = [:]
  var metadataProvider: Logger.MetadataProvider?
  var logLevel = Logger.Level.info

  init(label: String) { self.label = label }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    var facts = metadata.merging(metadataProvider?.get() ?? [:]) { $1 }.merging(event.metadata ?? [:]) { $1 }
    if let error = event.error { facts["error"] = "\(error)" }
    let text = facts.sorted { $0.key < $1.key }.map { " \($0)=\($1)" }.joined()
    let time = Date.now.formatted(Date.ISO8601FormatStyle(timeZone: .current))
    Output.standard.line("\(time) \(event.level) \(label):\(text) [\(event.source)] \(event.message)")
  }
}

import CircuitModel
import ExamStore
import Reports
import Terminal

/// What a station is told of its call for help.
enum HelpNote {
  /// What stands in the heading while a call is open, the longest wording first.
  static func headings(_ call: HelpCall?) -> [SafeText] {
    switch call?.status {
    case .requested?: [" HELP requested", " HELP"]
    case .responding?: [SafeText(" HELP: \(call?.responder ?? "somebody") on the way"), " HELP on the way", " HELP"]
    case .resolved?, nil: [""]
    }
  }

  /// A line for what has become of a call since it was looked at last; nil where the station did it itself.
  static func news(_ call: HelpCall?, before: HelpCall?) -> SafeText? {
    guard let call, let before, call.key == before.key, call.status != before.status else { return nil }
    let who = call.responder ?? "somebody"
    switch call.status {
    case .requested: return nil
    case .responding: return SafeText("help is on the way: \(who)\(call.text(between: " (", ")"))")
    // Who answered need not be who closed it.
    case .resolved: return SafeText("the help call is resolved; \(who) answered it\(call.text(between: " (", ")"))")
    }
  }
}

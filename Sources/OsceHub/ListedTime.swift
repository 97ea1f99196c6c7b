import Foundation

/// Times as lists have them, in UTC: a hub's terminals may be anywhere.
enum ListedTime {
  /// - Parameter milliseconds: since 1970-01-01T00:00:00Z.
  static func text(_ milliseconds: Int64) -> String {
    Date(timeIntervalSince1970: Double(milliseconds) / 1000).formatted(.iso8601)
  }
}

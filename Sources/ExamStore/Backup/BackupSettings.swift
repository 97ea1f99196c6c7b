import Foundation

/// The timed backup as it is configured.
public struct BackupSettings: Equatable, Sendable {
  /// The file that is written, on another disk if there is one.
  public var path: String
  /// How often, in minutes, 1 or more.
  public var minutes: Int

  /// How often a backup is made where nothing else is said.
  public static let usualMinutes = 5

  /// - Parameters: see the properties; minutes below 1 count as 1.
  public init(path: String, minutes: Int = BackupSettings.usualMinutes) {
    self.path = path
    self.minutes = max(1, minutes)
  }

  /// Reads `{"backup":{"path":…,"minutes":5}}`; nil where there is no backup in it.
  public init?(json: String?) {
    struct Shape: Decodable {
      struct Backup: Decodable {
        var path: String
        var minutes: Int?
      }
      var backup: Backup?
    }
    guard let json, let shape = try? JSONDecoder().decode(Shape.self, from: Data(json.utf8)),
      let backup = shape.backup, !backup.path.isEmpty
    else { return nil }
    self.init(path: backup.path, minutes: backup.minutes ?? BackupSettings.usualMinutes)
  }

  /// What `OSCE_BACKUP` and `OSCE_BACKUP_MINUTES` say, which stands before the exam's own settings.
  public static func chosen(_ settings: BackupSettings?, environment: [String: String]) -> BackupSettings? {
    guard let path = environment["OSCE_BACKUP"], !path.isEmpty else { return settings }
    let minutes = environment["OSCE_BACKUP_MINUTES"].flatMap { Int($0) }
    return BackupSettings(path: path, minutes: minutes ?? settings?.minutes ?? usualMinutes)
  }
}

import Foundation

/// Where the timed backup goes, as the person at the machine has set it.
public struct BackupChoice: Equatable, Sendable {
  /// The file that is written, on another disk if there is one.
  public let path: String
  /// How often, in minutes; nil: as the exam wishes, or the usual.
  public let minutes: Int?

  /// The file that is written in its place while the store is not sound.
  var unsoundPath: String { path + ".not-sound" }

  /// How often a backup can be made, in minutes.
  public static let possibleMinutes = 1...1440
  /// How often it is made where nobody says.
  public static let usualMinutes = 5

  /// - Parameters: see the properties; minutes beyond `possibleMinutes` count as its bounds.
  public init(path: String, minutes: Int? = nil) {
    self.path = path
    self.minutes = minutes.map { min(max($0, Self.possibleMinutes.lowerBound), Self.possibleMinutes.upperBound) }
  }

  /// What `OSCE_BACKUP` and `OSCE_BACKUP_MINUTES` say; what they leave out is as in the configuration file.
  /// - Throws: `StoreError` where they say what the file may not say either: a path that is each terminal's own, or no
  ///   number of minutes.
  public static func chosen(
    _ path: String?, minutes: Int? = nil, environment: [String: String]
  ) throws -> BackupChoice? {
    func said(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
    let named = said("OSCE_BACKUP")
    if let named, !named.hasPrefix("/") {
      throw StoreError(
        "OSCE_BACKUP must be a path from the root, such as /mnt/second/exam-backup.sqlite; got \"\(named)\"")
    }
    let often = said("OSCE_BACKUP_MINUTES")
    if let often, !(Int(often).map { possibleMinutes.contains($0) } ?? false) {
      throw StoreError(
        "OSCE_BACKUP_MINUTES must be \(possibleMinutes.lowerBound) to \(possibleMinutes.upperBound); got \"\(often)\"")
    }
    return (named ?? path).map { BackupChoice(path: $0, minutes: often.flatMap { Int($0) } ?? minutes) }
  }

  /// How often it is made, in minutes.
  /// - Parameter wished: what the exam says.
  public func minutes(wished: Int?) -> Int { minutes ?? wished ?? Self.usualMinutes }
}

/// What an exam's settings say of the timed backup: `{"backup":{"path":…,"minutes":5}}`.
public struct BackupWish: Equatable, Sendable {
  /// How often, in minutes; nil where nothing usable is said.
  public let minutes: Int?
  /// A path. It is never used: an exam may come from anywhere, and must not choose which file is written.
  public let ignoredPath: String?

  /// What is said of a path.
  public static func ignored(_ path: String) -> String {
    "the exam's settings name \(path) for backups, which is ignored: set it on this machine with OSCE_BACKUP, or "
      + "backup in config.yaml"
  }

  /// Reads `Config.settings`.
  public init(json: String?) {
    struct Shape: Decodable {
      struct Backup: Decodable {
        var path: String?
        var minutes: Int?
      }
      var backup: Backup?
    }
    let shape = json.flatMap { try? JSONDecoder().decode(Shape.self, from: Data($0.utf8)) }
    minutes = shape?.backup?.minutes.flatMap { BackupChoice.possibleMinutes.contains($0) ? $0 : nil }
    ignoredPath = shape?.backup?.path.flatMap { $0.isEmpty ? nil : $0 }
  }
}

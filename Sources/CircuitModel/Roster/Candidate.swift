/// A candidate as shown on a roster and a sheet.
public struct Candidate: Equatable, Sendable {
  /// The key in `Student`.
  public let id: Int
  /// The candidate number.
  public let number: String
  /// What names nobody else: the number, with the key where several candidates have it or it is missing.
  public let label: String
  /// Title, forename and surname.
  public let name: String
  /// The surname; the whole name where none is stored.
  public let surname: String
  /// Seconds of reading beyond everybody's.
  public let extraReadingSeconds: Int
  /// Seconds at a station beyond everybody's.
  public let extraStationSeconds: Int
  /// Any other adjustment, in words.
  public let access: String?
}

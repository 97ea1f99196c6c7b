import ExamStore

/// The program's version: what `--version` prints, and what every sitting records.
public enum ProgramVersion {
  /// As in `0.1.0`.
  public static let text = "0.1.0"
}

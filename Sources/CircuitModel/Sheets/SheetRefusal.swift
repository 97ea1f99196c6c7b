import ExamStore

/// Why a section is not copied, a fact of it is not recorded, or a sheet cannot be made or read.
public enum SheetRefusal: RuleRefusal {
  /// The section cannot be copied.
  case notCopied
  /// The section is there as often as it may be.
  case mostCopies(Int)
  /// The section asks for no quadrant and tooth.
  case noTooth
  /// The section asks for no difficulty.
  case noDifficulty
  /// There is no such quadrant.
  case quadrant(Int)
  /// Something is marked on a sheet that was to be given up for another template.
  case marked
  /// The roster entry is not in the store.
  case unknownEntry(String)
  /// The template is not in the store.
  case unknownTemplate(Int)
  /// The version of a template is not in the store.
  case unknownVersion(String)
  /// A stored version cannot be read.
  case unreadableVersion
  /// A number cannot be a mark.
  case noMark(Double)
}

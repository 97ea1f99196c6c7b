/// Everything that can be said of an exam folder or a bundle before it is imported.
public enum ExamCheck {
  /// Errors, which an import would refuse, and warnings about the plan, which it would not.
  public static func problems(of path: String) -> [Problem] {
    guard isFolder(path) else { return BundleReader.read(path).problems }
    return ExamFolder.read(path).problems
  }
}

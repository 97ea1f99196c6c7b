/// The year 3 exam of the fixtures, carried in the program as an example.
public enum Year3Exam {
  /// The files of its folder, by path. Made when asked for: only the demo reads them.
  public static var files: [String: String] {
    [
      "exam.yaml": PackageResources.exam_yaml,
      "candidates.csv": PackageResources.candidates_csv,
      "staff.csv": PackageResources.staff_csv,
      "sheets/ABDO.yaml": PackageResources.ABDO_yaml,
      "sheets/CHEST.yaml": PackageResources.CHEST_yaml,
      "sheets/CONSENT.yaml": PackageResources.CONSENT_yaml,
      "sheets/DENTAL.yaml": PackageResources.DENTAL_yaml,
      "sheets/NEWS.yaml": PackageResources.NEWS_yaml,
      "sheets/RESUS.yaml": PackageResources.RESUS_yaml,
      "sheets/RX.yaml": PackageResources.RX_yaml,
    ].mapValues { String(decoding: $0, as: UTF8.self) }
  }
}

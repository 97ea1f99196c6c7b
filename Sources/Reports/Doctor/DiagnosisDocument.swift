import CircuitModel
import ExamStore

extension Diagnosis {
  /// `{"verdict":"sound|unsound","checks":[{"name","result":"ok|warning|failed","detail","problems"}],
  /// "chains":[{"device","own","operations","hash"}]}`.
  public var json: JSONDocument {
    .object([
      ("verdict", .text(isSound ? "sound" : "unsound")),
      (
        "checks",
        .array(
          checks.map {
            .object([
              ("name", .text($0.name)), ("result", .text($0.result.rawValue)), ("detail", .text($0.detail)),
              ("problems", .array($0.problems.map { .text($0) })),
            ])
          })
      ),
      (
        "chains",
        .array(
          chainEnds.map {
            .object([
              ("device", .text($0.device.description)), ("own", .bool($0.isOwn)),
              ("operations", .integer($0.operations)),
              ("hash", .text($0.hash.description)),
            ])
          })
      ),
    ])
  }
}

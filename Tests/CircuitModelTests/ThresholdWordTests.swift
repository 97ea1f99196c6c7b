import Testing

@testable import CircuitModel
@testable import ExamStore
@testable import Reports

@Suite("Words for thresholds")
struct ThresholdWordTests {
  private func word(_ value: Double?, _ threshold: Double?, _ lower: Double?) -> ThresholdWord? {
    ThresholdWord.of(
      value.flatMap { MarkValue($0) }, threshold: threshold.flatMap { MarkValue($0) },
      lowerThreshold: lower.flatMap { MarkValue($0) })
  }

  @Test(
    "at the threshold satisfactory, under the lower one below, between them borderline",
    arguments: [
      (3, 3, 2, .satisfactory), (2.5, 3, 2, .borderline), (2, 3, 2, .borderline), (1, 3, 2, .below),
      (2, 3, nil, .below), (3, 3, nil, .satisfactory), (2, nil, 2, .satisfactory), (1, nil, 2, .below),
      (nil, 3, 2, nil), (3, nil, nil, nil),
    ] as [(Double?, Double?, Double?, ThresholdWord?)])
  func words(_ value: Double?, _ threshold: Double?, _ lower: Double?, _ expected: ThresholdWord?) {
    #expect(word(value, threshold, lower) == expected)
  }

  @Test("the global rating never has a word")
  func globalRating() throws {
    let rows = [
      SmallExam.row("TypeForm", "1", ["name": .text("Sheet"), "props": .text(#"{"globalRating":2}"#)]),
      SmallExam.row(
        "TypeQuestion", "2",
        ["text": .text("Global"), "questionType": .text("rating"), "threshold": .integer(3_000_000)]),
      SmallExam.row(
        "TypeQuestion", "1",
        ["text": .text("Hands"), "questionType": .text("binary"), "threshold": .integer(1_000_000)]),
    ]
    let exam = try MarkedExam(rows)
    let key = try exam.open(1).key
    try exam.mark(key, item: 0, level: 1)
    try exam.mark(key, item: 1, level: 4)
    let sheet = try exam.sheet(key)
    #expect(ThresholdWord.of(sheet.items[0], in: sheet.template) == .satisfactory)
    #expect(ThresholdWord.of(sheet.items[1], in: sheet.template) == nil)
  }
}

import Testing

@testable import Standards

/// Statistical Reference Datasets of the National Institute of Standards and Technology
/// (https://www.itl.nist.gov/div898/strd/), with their certified values.
@Suite("Reference data with certified figures") struct ReferenceDataTests {
  private static let x = [
    0.2, 337.4, 118.2, 884.6, 10.1, 226.5, 666.3, 996.3, 448.6, 777.0, 558.2, 0.4, 0.6, 775.5, 666.9, 338.0, 447.5,
    11.6, 556.0, 228.1, 995.8, 887.6, 120.2, 0.3, 0.3, 556.8, 339.1, 887.2, 999.0, 779.0, 11.1, 118.3, 229.2, 669.1,
    448.9, 0.5,
  ]
  private static let y = [
    0.1, 338.8, 118.1, 888.0, 9.2, 228.1, 668.5, 998.5, 449.1, 778.9, 559.2, 0.3, 0.1, 778.1, 668.8, 339.3, 448.9,
    10.8, 557.7, 228.3, 998.0, 888.8, 119.6, 0.3, 0.6, 557.6, 339.3, 888.0, 998.5, 778.9, 10.2, 117.6, 228.9, 668.4,
    449.2, 0.2,
  ]

  @Test("the straight line of Norris") func norris() {
    let line = BorderlineRegression(grades: Self.x, scores: Self.y, borderline: 0)
    #expect(near(line.slope, 1.00211681802045) && near(line.intercept, -0.262323073774029))
    #expect(near(line.residualSd, 0.884796396144373) && near(line.r2, 0.999993745883712))
    // At 0 the line's standard error is that of the intercept.
    #expect(near(line.cut, -0.262323073774029) && near(line.seCut, 0.232818234301152))
  }

  /// Simon & Lesage's groups: nine means that alternate, and in each group values that alternate about its mean.
  private func groups(_ replicates: Int, from base: Double) -> BetweenGroups {
    let means = [4, 3, 5, 3, 5, 3, 5, 3, 5]
    return BetweenGroups(
      means.enumerated().flatMap { group, tenths in
        (0..<replicates).map { place in
          let offset = place == 0 ? 0 : place % 2 == 1 ? -1 : 1
          return (String(group), base + Double(tenths + offset) / 10)
        }
      })
  }

  @Test("the variance between groups of SmLs01 to SmLs03", arguments: [(21, 0.21), (201, 2.01), (2001, 20.01)])
  func lower(replicates: Int, between: Double) {
    let found = groups(replicates, from: 1)
    #expect(near(found.msBetween, between) && near(found.msWithin, 0.01) && near(found.f, Double(replicates)))
  }

  @Test("the same a million higher, as near as seven digits of such numbers can be: SmLs04", arguments: [21, 201])
  func average(replicates: Int) {
    let found = groups(replicates, from: 1_000_000)
    #expect(near(found.f, Double(replicates), 1e-7) && near(found.msWithin, 0.01, 1e-7))
  }
}

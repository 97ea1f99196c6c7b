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

  @Test("the same a million higher, of which doubles keep ten digits: SmLs04 to SmLs06", arguments: [21, 201, 2001])
  func average(replicates: Int) throws {
    let found = groups(replicates, from: 1_000_000)
    #expect(isWithin(found.f, Double(replicates)) && isWithin(found.msWithin, 0.01))
    #expect(isWithin(found.msBetween, Double(replicates) / 100))
  }

  @Test("the resistance of silicon, five instruments: SiRstv") func resistance() {
    let found = BetweenGroups(
      [
        [196.3052, 196.1240, 196.1890, 196.2569, 196.3403], [196.3042, 196.3825, 196.1669, 196.3257, 196.0422],
        [196.1303, 196.2005, 196.2889, 196.0343, 196.1811], [196.2795, 196.1748, 196.1494, 196.1485, 195.9885],
        [196.2119, 196.1051, 196.1850, 196.0052, 196.2090],
      ].enumerated().flatMap { group, values in values.map { (String(group), $0) } })
    #expect(isWithin(found.msBetween, 1.27865654000000E-02) && isWithin(found.msWithin, 1.08318280000000E-02))
    #expect(isWithin(found.f, 1.18046237440255E+00) && isWithin(found.eta2, 1.90999039051129E-01))
  }

  @Test("the atomic weight of silver, two instruments, which differ in the seventh digit: AtmWtAg") func weight() {
    let found = BetweenGroups(
      [
        [
          107.8681568, 107.8681465, 107.8681572, 107.8681785, 107.8681446, 107.8681903, 107.8681526, 107.8681494,
          107.8681616, 107.8681587, 107.8681519, 107.8681486, 107.8681419, 107.8681569, 107.8681508, 107.8681672,
          107.8681385, 107.8681518, 107.8681662, 107.8681424, 107.8681360, 107.8681333, 107.8681610, 107.8681477,
        ],
        [
          107.8681079, 107.8681344, 107.8681513, 107.8681197, 107.8681604, 107.8681385, 107.8681642, 107.8681365,
          107.8681151, 107.8681082, 107.8681517, 107.8681448, 107.8681198, 107.8681482, 107.8681334, 107.8681609,
          107.8681101, 107.8681512, 107.8681469, 107.8681360, 107.8681254, 107.8681261, 107.8681450, 107.8681368,
        ],
      ].enumerated().flatMap { group, values in values.map { (String(group), $0) } })
    #expect(isWithin(found.msBetween, 3.63834187500000E-09) && isWithin(found.msWithin, 2.28155932971014E-10))
    #expect(isWithin(found.f, 1.59467335677930E+01) && isWithin(found.eta2, 2.57426544538321E-01))
  }

  /// Whether a figure is a certified one to nine digits, however small that is.
  private func isWithin(_ figure: Double?, _ certified: Double) -> Bool {
    figure.map { abs($0 - certified) <= 1e-9 * abs(certified) } ?? false
  }
}

/// What is to be known beside a figure. The raw values are stable codes; the order is that in which they are listed.
public enum Note: String, CaseIterable, Comparable, Sendable {
  case noScores, oneScore
  case fewPairs, flatGrades, flatScores, negativeSlope, flatSlope
  case cutOutsideScale, cutOutsideScores, borderlineOutsideGrades
  case noBorderlineGroup, noContrast
  case smallSample, lowR2, largeBetween, lowAlpha
  case oneGroup, noReplication, noAssessor, groupOfOne, noWithin
  case assessorNestedInCircuit, assessorIsCircuit
  case fewStations, fewCandidates, flatTotals, negativeAlpha, alphaRises
  case fixedCut, noCut, noRmse, noSem, noPrediction
  case noStations, severalStationSets, prorated
  case severalVersions, severalForms
  case oneAssessor = "oneMarker"
  case secondAttempt, criticalUnable
  case oneCategory, mixedScales
  case provisional

  private static let places = Dictionary(uniqueKeysWithValues: allCases.enumerated().map { ($1, $0) })

  /// In the order in which notes are listed.
  public static func < (one: Note, other: Note) -> Bool { places[one]! < places[other]! }

  /// What makes a station's cut one that a board has to look at before it counts.
  public static let grave: Set<Note> = [
    .fewPairs, .flatGrades, .flatScores, .negativeSlope, .flatSlope, .cutOutsideScale, .noCut,
  ]
}

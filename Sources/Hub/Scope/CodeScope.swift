/// What of an exam a code gives, besides what its role gives.
public struct CodeScope: Equatable, Sendable {
  /// The keys of circuits; none: every one.
  public var circuits: [Int64] = []
  /// The keys of stations, for a device that stays at them.
  public var stations: [Int64] = []
  /// The seat whose sheets the device is given at those stations; nil: none.
  public var seat: String?
  /// Whether a display is given the candidates.
  public var showsNames = false
  /// Whether it is given everything, as one store for a whole hall needs it.
  public var isWhole = false

  /// What the role gives.
  public init() {}

  /// Everything.
  public static let whole: CodeScope = {
    var scope = CodeScope()
    scope.isWhole = true
    return scope
  }()
}

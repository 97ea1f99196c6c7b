/// A number in the shortest form that reads back as the same one: `50`, `0.1`, `1.5e-09`.
enum ShortestNumber {
  static func text(_ number: Double) -> String {
    if let whole = Int64(exactly: number), abs(number) < 1e15 { return String(whole) }
    return number.isFinite ? "\(number)" : "null"
  }
}

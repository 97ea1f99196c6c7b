/// A number in the shortest form that reads back as the same one: `50`, `0.1`, `1.5e-09`.
package enum ShortestNumber {
  static func append(_ number: Double, to bytes: inout [UInt8]) {
    if let whole = Int64(exactly: number), abs(number) < 1e15 {
      bytes.append(number: whole)
    } else {
      bytes.append(text: text(number))
    }
  }

  /// The number as text; `null` for one that is not finite.
  package static func text(_ number: Double) -> String {
    if let whole = Int64(exactly: number), abs(number) < 1e15 { return String(whole) }
    return number.isFinite ? "\(number)" : "null"
  }
}

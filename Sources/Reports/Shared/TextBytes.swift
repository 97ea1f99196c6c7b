import CircuitModel

/// Text as bytes, without a `String` on the way: an export has millions of cells.
extension [UInt8] {
  /// Appends a text as UTF-8.
  mutating func append(text: String) {
    if text.utf8.withContiguousStorageIfAvailable({ append(contentsOf: $0) }) == nil { append(contentsOf: text.utf8) }
  }

  /// Appends a whole number in digits.
  mutating func append(number: Int64) {
    if number < 0 { append(UInt8(ascii: "-")) }
    append(digits: number.magnitude, atLeast: 1)
  }

  /// Appends a mark as `MarkValue.description` has it.
  mutating func append(mark: MarkValue) {
    if let whole = mark.whole { append(number: whole) } else { append(text: mark.description) }
  }

  private mutating func append(digits: UInt64, atLeast width: Int) {
    var rest = digits
    var count = 0
    while rest > 0 {
      count += 1
      rest /= 10
    }
    for _ in 0..<Swift.max(0, width - count) { append(UInt8(ascii: "0")) }
    if count == 0 { return }
    let first = self.count
    rest = digits
    for _ in 0..<count {
      append(UInt8(ascii: "0") + UInt8(rest % 10))
      rest /= 10
    }
    self[first...].reverse()
  }
}

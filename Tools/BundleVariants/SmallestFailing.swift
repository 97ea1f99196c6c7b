/// The least groups of variants that are wrong, each with what is wrong with it: all are tried at once, and where that
/// is wrong they are tried by halves.
/// - Parameter faults: what is wrong with some of them together.
package func smallestFailing<Variant>(
  among variants: [Variant], faults: ([Variant]) async throws -> [String]
) async rethrows -> [(variants: [Variant], faults: [String])] {
  let found = try await faults(variants)
  if found.isEmpty || variants.count == 1 { return found.isEmpty ? [] : [(variants, found)] }
  let half = variants.count / 2
  var parts: [(variants: [Variant], faults: [String])] = []
  for part in [variants[..<half], variants[half...]] {
    parts += try await smallestFailing(among: Array(part), faults: faults)
  }
  return parts.isEmpty ? [(variants, found)] : parts
}

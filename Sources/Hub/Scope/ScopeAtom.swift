import ExamStore
import Journal
import Sync

/// The words for parts of an exam that a device can be given.
enum ScopeAtom {
  static let all = "all"
  static let exam = "exam"
  static let closing = "closing"

  /// A key within a word: as it is where it is plain, else its digest, so that no key can say more than one word.
  static func key(_ text: String) -> String {
    let isPlain =
      !text.isEmpty && text.utf8.count <= 64
      && text.utf8.allSatisfy {
        UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0
          || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
      }
    return isPlain ? text : "sha256-" + Hexadecimal.text(StreamDigest.of(Array(text.utf8)))
  }

  /// What a device of a role is given without a person's session, within the circuits and stations that its code names.
  static func base(of role: DeviceRole, _ choice: CodeScope) -> Set<String> {
    if choice.isWhole { return [all] }
    func circuits(_ kinds: [String]) -> [String] {
      kinds.flatMap { kind in
        choice.circuits.isEmpty ? [kind + ":*"] : choice.circuits.map { "\(kind):\($0)" }
      }
    }
    switch role {
    case .office, .auditor: return [all]
    case .lead:
      return choice.circuits.isEmpty ? [all] : Set([exam, closing] + circuits(["circuit", "roster", "sheets"]))
    case .desk: return Set([exam] + circuits(["circuit", "roster"]))
    case .display: return Set([exam] + circuits(choice.showsNames ? ["circuit", "roster"] : ["circuit"]))
    case .station:
      return Set(
        [exam] + circuits(["circuit"])
          + choice.stations.flatMap { station in
            ["post:\(station)"] + (choice.seat.map { ["post:\(station)/\(key($0))"] } ?? [])
          })
    }
  }
}

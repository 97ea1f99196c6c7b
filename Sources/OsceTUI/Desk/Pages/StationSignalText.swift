import CircuitModel
import Reports

extension StationSignal {
  /// Whether the station is at work, in few words.
  var text: String {
    switch self {
    case .none: ""
    case .outOfOrder: "OUT OF ORDER"
    case .excused: "excused"
    case .ruledOut: "ruled out"
    case .unattended: "no sign-in"
    case .notSeen: "NOT SEEN"
    case .silent(let time): "! silent \(AgeText.text(time))"
    case .marked(let time): AgeText.text(time)
    case .signed(let signed, let seats): signed == seats ? "signed" : "\(signed) of \(seats) signed"
    }
  }

  /// What is the matter, where someone has to go there.
  var chase: String? {
    switch self {
    case .unattended(isUnderWay: true): "no one signed in"
    case .notSeen(let number): "\(number) not seen"
    case .silent(let time): "silent \(AgeText.text(time))"
    case .unattended, .none, .outOfOrder, .excused, .ruledOut, .marked, .signed: nil
    }
  }
}

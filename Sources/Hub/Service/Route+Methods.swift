import Sync

/// How a hub is asked at each of its addresses.
extension Route {
  /// What it can be asked by.
  var methods: [WireRequest.Method] {
    switch self {
    case .health, .ready, .metrics, .time, .hello, .wait, .snapshot, .devices: [.get]
    case .enrol, .device, .sync: [.post]
    case .session: [.post, .delete]
    }
  }

  /// Whether only a device with a right token is answered well, where it shows one.
  var isOfDevice: Bool {
    switch self {
    case .health, .ready, .metrics, .time, .enrol: false
    case .hello, .device, .session, .sync, .wait, .snapshot, .devices: true
    }
  }

  /// The methods as `Allow` names them.
  var allowed: String {
    (methods + (methods.contains(.get) ? [.head] : [])).map(\.rawValue).joined(separator: ", ")
  }

  /// Whether the version of the protocol matters: hello says which there are, and the others are for machines that
  /// watch the hub.
  var isOfProtocol: Bool {
    switch self {
    case .health, .ready, .metrics, .time, .hello: false
    case .enrol, .device, .session, .sync, .wait, .snapshot, .devices: true
    }
  }
}

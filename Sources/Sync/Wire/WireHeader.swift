/// The headers that the protocol has of its own.
public enum WireHeader: String, Sendable {
  /// The request's own name; an answer says it again.
  case request = "Osce-Request"
  /// The session of a person on the device.
  case session = "Osce-Session"
  /// The protocol's version.
  case version = "Osce-Proto"
  /// What the device says of itself, as `DeviceNote` reads it.
  case note = "Osce-Waiting"
}

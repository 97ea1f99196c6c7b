/// Which hosts are this machine itself: only there nothing need be encrypted.
public enum Loopback {
  /// Whether a host is one, by its address or as `localhost`. A name that only looks like an address is none; an address
  /// of IPv4 may be written as one of IPv6.
  public static func contains(_ host: String) -> Bool {
    let host = host.lowercased()
    if ["localhost", "::1", "[::1]"].contains(host) { return true }
    let parts = host.trimmingPrefix("::ffff:").split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
  }
}

/// The addresses of a hub, by their paths.
public enum Route: String, CaseIterable, Sendable {
  case health = "/v1/healthz"
  case ready = "/v1/readyz"
  case metrics = "/v1/metrics"
  case time = "/v1/time"
  case hello = "/v1/hello"
  case enrol = "/v1/enrol"
  case device = "/v1/device"
  case session = "/v1/session"
  case sync = "/v1/sync"
  case wait = "/v1/wait"
  case snapshot = "/v1/snapshot"
  case devices = "/v1/devices"
}

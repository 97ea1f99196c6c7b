import CRig
import Glibc
import Rig

/// A process that is killed, and started again.
public class RigProcess {
  private let launch: () throws -> Child
  private var child: Child?
  private var began: Int64 = 0

  init(_ launch: @escaping () throws -> Child) { self.launch = launch }

  /// Starts it, or again.
  public func start() throws {
    child = try launch()
    began = rig_now()
  }

  /// How long ago it was started, in seconds.
  public var age: Double { Double(rig_now() - began) / 1e9 }

  /// Kills it.
  public func kill() {
    child?.signal(SIGKILL)
    child?.wait()
    child = nil
  }

  /// Whether it runs.
  public var isRunning: Bool { child?.isRunning ?? false }

  /// Its number; 0 where it does not run.
  public var process: Int32 { child?.process ?? 0 }
}

import Glibc
import Rig

/// System calls of a running program that fail for a while, by strace.
final class InjectedErrors {
  private let tracer: Child

  /// - Parameters:
  ///   - error: the error's name, as `EIO`.
  ///   - calls: the calls that fail.
  /// - Throws: `RigError` if strace does not take hold of the program.
  init(_ error: String, of calls: [String], in process: Int32) throws {
    let names = calls.joined(separator: ",")
    tracer = try Child(
      onPipe: "/usr/bin/strace",
      [
        "-f", "-qq", "-o", "/dev/null", "-p", String(process), "-e", "trace=\(names)", "-e",
        "inject=\(names):error=\(error)",
      ])
    let deadline = now() + 5_000_000_000
    while !InjectedErrors.isTraced(process) {
      guard now() < deadline, tracer.isRunning else {
        throw RigError("strace cannot take hold of process \(process); it needs root, or kernel.yama.ptrace_scope=0")
      }
      usleep(1000)
    }
  }

  /// Lets the calls work again.
  func lift() {
    tracer.signal(SIGINT)
    tracer.wait()
  }

  private static func isTraced(_ process: Int32) -> Bool {
    let threads = Files.names(in: "/proc/\(process)/task")
    return threads.allSatisfy { thread in
      let status = (try? Files.text("/proc/\(process)/task/\(thread)/status")) ?? ""
      return !status.contains("TracerPid:\t0\n")
    }
  }
}

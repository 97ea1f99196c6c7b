import CFuzz
import FuzzTargets
import Glibc

/// `osce-fuzz TARGET [libFuzzer's options] [folders of inputs]`: tries a reader with inputs that libFuzzer makes up.
@main
enum OsceFuzz {
  private nonisolated(unsafe) static var target = FuzzTarget.text

  static func main() {
    var arguments = CommandLine.arguments
    guard arguments.count > 1, let chosen = FuzzTarget(rawValue: arguments[1]) else {
      let names = FuzzTarget.allCases.map(\.rawValue).joined(separator: " ")
      say("usage: osce-fuzz TARGET [options of libFuzzer] [folders]; targets: \(names)")
      exit(64)
    }
    target = chosen
    arguments.remove(at: 1)
    var pointers = arguments.map { strdup($0) } + [nil]
    let code = fuzz_run(Int32(arguments.count), &pointers) { bytes, count in
      let input = [UInt8](UnsafeBufferPointer(start: bytes, count: count))
      // A promise that is broken is to stop the run as a trap does, with the input kept.
      do { try OsceFuzz.target.read(input) } catch { fatalError("\(error)") }
      return 0
    }
    if code < 0 {
      say("osce-fuzz was built without libFuzzer: script/fuzz builds it with it")
      exit(1)
    }
    exit(code)
  }

  private static func say(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    _ = write(2, bytes, bytes.count)
  }
}

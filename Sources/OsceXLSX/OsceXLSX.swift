import Glibc
import RowStream

/// `osce-xlsx`: reads tables on standard input, as `osce export --format xlsx` writes them, and writes a workbook to
/// standard output, which must be a file.
@main
enum OsceXLSX {
  static func main() {
    guard isatty(STDIN_FILENO) == 0 else {
      fail("osce-xlsx is run by osce: osce export marks --format xlsx --out FILE")
    }
    do throws(WorkbookFailure) {
      let workbook = try Workbook(path: "/proc/self/fd/1")
      var reader = TableReader()
      try reader.read(STDIN_FILENO, into: workbook)
      try workbook.close()
      for note in workbook.notes { print(note, to: STDERR_FILENO) }
    } catch { fail(error.reason) }
  }

  private static func fail(_ reason: String) -> Never {
    print(reason, to: STDERR_FILENO)
    exit(1)
  }

  private static func print(_ line: String, to descriptor: Int32) {
    let bytes = Array((line + "\n").utf8)
    _ = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
  }
}

/// Why there is no workbook: one line for a person.
struct WorkbookFailure: Error {
  let reason: String
}

import Console
import Logging
import Testing

@testable import OsceHub

@Suite("What a hub logs") struct LogLinesTests {
  @Test("is one line that commands no terminal, whatever a device calls itself or an error quotes") func safe() {
    let capture = Output.Capture()
    Output.$capture.withValue(capture) {
      var logger = Logger(label: "osce-hub") { LogLines(label: $0) }
      logger[metadataKey: "device"] = "\u{1B}]52;c;b3NjZQ==\u{07}"
      logger.info(
        "GET /v1/wait?cursor=\u{9B}2J\r\nosce-hub: all is well", metadata: ["request": "\u{202E}x"], source: "Server")
      logger.debug("is not said")
    }
    let lines = capture.text(of: 1).split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count == 2 && lines[1].isEmpty)
    #expect(lines[0].contains("info osce-hub: device=") && lines[0].contains("[Server] GET /v1/wait?cursor="))
    #expect(
      lines[0].unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F ~= $0.value) && $0.value != 0x202E })
  }
}

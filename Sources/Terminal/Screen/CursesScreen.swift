import CNcurses.Curses
import CNcurses.System
import Glibc

/// The terminal, drawn on with curses. The only file that knows curses.
///
/// Curses works out what to send and writes it to a file in memory; the bytes go to the terminal from there, without
/// waiting. Curses itself would spin on a terminal that takes no more.
@MainActor
public final class CursesScreen: Screen {
  /// Milliseconds that a stalled terminal is given to take the last bytes before it is left as it is.
  private static let farewell: Int64 = 150
  /// No clicks, which an earlier program may have asked for and not given up; pastes between brackets.
  private static let inputModes: [UInt8] = Array("\u{1B}[?1000;1002;1003;1005;1006;1015l\u{1B}[?2004h".utf8)
  private static let pasteOff: [UInt8] = Array("\u{1B}[?2004l".utf8)

  private let device: TerminalDevice
  private let memory: Int32
  private let file: UnsafeMutablePointer<FILE>
  private let curses: OpaquePointer
  private var pairs: ColorPairs
  private let reset: [UInt8]
  /// What is sent last. A terminal without a second screen is cleared: no name stays on it for the next to read.
  private let leaving: [UInt8]
  private var shown: Canvas?
  private var pending: [UInt8] = []
  private var sent = 0
  /// What `prepare` keeps back.
  private var held: [UInt8] = []
  private var preface: [UInt8] = CursesScreen.inputModes
  private var cursorShown: Bool?
  private var suspended = false
  private var closed = false
  private var cells: [OsceCell] = []
  private var scratch: [cchar_t] = []

  /// Columns and rows, as last read.
  public private(set) var size: Size
  /// Number of colours of the terminal, 0 for none.
  public var colours: Int { pairs.colours }
  /// The terminal.
  public var input: Int32 { device.descriptor }
  /// The terminal.
  public var output: Int32 { device.descriptor }
  /// Whether the terminal is this process's and not that of the shell which it runs in the background of.
  public var isInForeground: Bool { device.isInForeground }
  /// True while bytes of the last frame wait for the terminal.
  public var isStalled: Bool { sent < pending.count }

  /// Takes the terminal of standard input. `type` is the value of `TERM`.
  /// - Throws: `TerminalError` if there is no usable terminal; it is then left as it was.
  public init(type: String?) throws(TerminalError) {
    guard let type, !type.isEmpty else {
      throw isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 ? .noType : .notATerminal
    }
    let device = try TerminalDevice()
    let memory = osce_memory_file()
    guard memory >= 0, let file = fdopen(memory, "a") else {
      let code = errno
      if memory >= 0 { Glibc.close(memory) }
      device.close()
      throw .system("no file in memory", code: code)
    }
    // A type without a way to place the cursor, such as dumb, cannot show a screen.
    guard type != "dumb", type != "unknown", let curses = osce_newterm(type, file) else {
      fclose(file)
      device.close()
      throw .unusableType(type)
    }
    self.device = device
    self.memory = memory
    self.file = file
    self.curses = curses
    pairs = ColorPairs()
    leaving = Self.pasteOff + (Self.capability("rmcup").isEmpty ? Self.capability("clear") : [])
    reset = leaving + ["sgr0", "cnorm", "rmcup"].flatMap(Self.capability)
    size = device.size
    osce_resize(Int32(size.height), Int32(size.width))
    makeRoom()
    device.enterRawMode(reset: reset)
  }

  private static func capability(_ name: String) -> [UInt8] {
    guard let value = osce_capability(name) else { return [] }
    let bytes = Array(UnsafeBufferPointer(start: value, count: strlen(value))).map { UInt8(bitPattern: $0) }
    // Padding, `$<5>`, is for curses; it is not sent.
    guard let padding = bytes.firstIndex(of: UInt8(ascii: "$")) else { return bytes }
    return Array(bytes[..<padding])
  }

  private func makeRoom() {
    cells = Array(repeating: OsceCell(), count: size.width)
    scratch = Array(repeating: cchar_t(), count: size.width)
  }

  // MARK: frames

  /// Shows a canvas: rows that differ from the last one are given to curses.
  public func draw(_ canvas: Canvas) {
    if suspended || closed { return }
    let bytes = render(canvas)
    pending = preface + held + bytes
    preface.removeAll()
    held.removeAll()
    sent = 0
    drain()
  }

  /// Works out the bytes of a canvas, after which curses takes them for shown.
  public func prepare(_ canvas: Canvas) {
    if suspended || closed { return }
    held += render(canvas)
  }

  /// Sends what was worked out before.
  public func release() {
    if suspended || closed || held.isEmpty { return }
    pending = Array(pending[sent...]) + preface + held
    preface.removeAll()
    held.removeAll()
    sent = 0
    drain()
  }

  private func render(_ canvas: Canvas) -> [UInt8] {
    let old = shown?.size == canvas.size ? shown : nil
    for y in 0..<min(canvas.size.height, size.height) where old.map({ $0.row(y) != canvas.row(y) }) ?? true {
      write(canvas.row(y), row: y)
    }
    shown = canvas
    place(canvas.cursor)
    osce_update()
    return takeBytes()
  }

  private func write(_ row: ArraySlice<Cell>, row y: Int) {
    var count = 0
    for (x, cell) in row.prefix(size.width).enumerated() where !cell.isContinuation {
      // A wide character that the right edge would cut.
      let fits = x + Int(cell.glyph.width) <= size.width
      let marks = cell.glyph.marks
      cells[count] = OsceCell(
        scalar: fits ? cell.glyph.scalar : 0x20, marks: (marks[0], marks[1], marks[2], marks[3]),
        attributes: pairs.attributes(cell.style), pair: pairs.pair(cell.style))
      count += 1
    }
    osce_write_row(Int32(y), cells, Int32(count), &scratch)
  }

  private func place(_ cursor: Point?) {
    let visible = cursor.map { Rect(size).contains($0) } ?? false
    if visible != cursorShown {
      osce_cursor(visible ? 1 : 0)
      cursorShown = visible
    }
    let point = visible ? cursor ?? Point(x: 0, y: 0) : Point(x: 0, y: 0)
    osce_move(Int32(point.y), Int32(point.x))
  }

  /// What curses wrote since the last call.
  private func takeBytes() -> [UInt8] {
    fflush(file)
    let length = Int(lseek(memory, 0, SEEK_END))
    guard length > 0 else { return [] }
    let bytes = [UInt8](unsafeUninitializedCapacity: length) { space, count in
      count = max(0, pread(memory, space.baseAddress, length, 0))
    }
    ftruncate(memory, 0)
    return bytes
  }

  /// Goes on sending the last frame.
  public func drain() {
    sent += device.send(pending[sent...])
  }

  /// Reads the terminal's size again and fits curses to it.
  public func refreshSize() -> Bool {
    let now = device.size
    if now == size { return false }
    size = now
    osce_resize(Int32(now.height), Int32(now.width))
    makeRoom()
    repaint()
    return true
  }

  /// The next frame paints every cell.
  public func repaint() {
    shown = nil
    osce_repaint_all()
  }

  /// Rings the bell with the next frame.
  public func ring() {
    preface.append(7)
  }

  // MARK: giving the terminal back

  private func giveBack() {
    osce_leave()
    let last = Array(pending[sent...]) + takeBytes() + leaving
    if device.isInForeground { device.send(last, within: Self.farewell) }
    pending.removeAll()
    held.removeAll()
    sent = 0
    device.leaveRawMode()
  }

  /// Gives the terminal to the shell for a while.
  public func suspend() {
    if suspended || closed { return }
    suspended = true
    giveBack()
  }

  /// Takes the terminal back and paints it again.
  public func resume() {
    if closed { return }
    // Stopped without warning: leave first, so that the next update enters the screen again.
    if !suspended { osce_leave() }
    suspended = false
    preface = takeBytes() + Self.inputModes
    cursorShown = nil
    device.enterRawMode(reset: reset)
    repaint()
  }

  /// Gives the terminal back for good.
  public func close() {
    if closed { return }
    if !suspended { giveBack() }
    closed = true
    osce_delete_screen(curses)
    fclose(file)
    device.close()
  }
}

/// What a person did at the keyboard.
public enum InputEvent: Equatable, Sendable {
  /// A key was pressed.
  case key(KeyEvent)
  /// Text was pasted: text, never commands. Line breaks are LF.
  case paste(String)
  /// What came is no UTF-8, as a letter of a terminal that sends another character set.
  case unreadable
}

/// Turns the bytes of a terminal into keys, whatever way they are cut into reads.
///
/// Understands xterm, linux, vt100, screen, tmux and rxvt. A sequence that is broken or unknown is swallowed whole: its
/// letters and digits must never arrive as keys, for a digit is a mark.
public struct KeyDecoder: Sendable {
  /// Milliseconds after which an escape byte that stands alone is the Esc key.
  public static let escapeDelay: Int64 = 25
  /// Milliseconds after which the rest of an unfinished sequence is no longer awaited.
  public static let sequenceDelay: Int64 = 1_000
  /// Milliseconds after which a paste that nothing ends is taken as it is, unless more of it came meanwhile than a person
  /// can type.
  public static let pasteDelay: Int64 = 2_000
  /// Most bytes kept of one paste; the rest is dropped.
  public static let pasteLimit = 65_536
  private static let sequenceLimit = 64
  /// More bytes than keys that are typed, or held down, give in `pasteDelay`.
  private static let livelyPaste = 80
  /// So many bytes of one read are no keys of a person.
  private static let pastedRead = 16
  /// Milliseconds in which the rest of a paste that was cut short by its delay may come.
  private static let lateRest: Int64 = 60_000

  private enum State: Equatable {
    case ground
    /// After ESC, and after ESC ESC.
    case escape(alt: Bool)
    case singleShift(alt: Bool)
    case control(alt: Bool)
    /// After `ESC [ [`, the console's function keys.
    case consoleFunction
    /// A damaged control sequence, until its final byte.
    case damaged
    /// After `ESC [ M`: so many bytes of a mouse click are to come.
    case mouse(left: Int)
    /// After `ESC ]`, `ESC P` or `ESC _`: an answer, or Esc and a key.
    case introducer
    /// A terminal's answer (OSC, DCS, …) until ST or BEL.
    case answer(escape: Bool)
    case character
    case paste
  }

  private var state = State.ground
  private var collected: [UInt8] = []
  private var pasted: [UInt8] = []
  /// Bytes of the paste since its delay began.
  private var recent = 0
  /// When a delay last ended a paste.
  private var pasteCut: Int64?
  private var markerLength = 0
  private var expected = 0
  private var since: Int64 = 0
  /// Where a delay last cut a sequence in two, and when: its tail may come yet.
  private var cut: (after: Cut, at: Int64)?
  private enum Cut {
    /// After an escape and what was taken for a key.
    case escape([UInt8])
    case parameters
    case answer
    /// Within a mouse click, of which so many bytes are to come.
    case mouse(left: Int)
  }

  /// A decoder that has seen nothing.
  public init() {}

  /// The time at which `expire(at:)` is to be called, nil if nothing is pending.
  public var deadline: Int64? {
    switch state {
    case .ground: nil
    case .escape: since + Self.escapeDelay
    case .introducer where collected.count == 1: since + Self.escapeDelay
    case .paste: since + Self.pasteDelay
    default: since + Self.sequenceDelay
    }
  }

  /// Decodes bytes read at a time in milliseconds.
  public mutating func feed(_ bytes: some Collection<UInt8>, at now: Int64) -> [InputEvent] {
    var events: [InputEvent] = []
    // Had the loop been awake, a lone escape would have been told by now: this one was read late, with its sequence.
    if case .escape = state, bytes.first == 0x5B || bytes.first == 0x4F || Self.beginsAnswer(bytes) == true {
      since = now
    }
    if state == .introducer, Self.beginsAnswer(collected + bytes) == true { since = now }
    // The same of a paste whose rest was read late.
    if state == .paste, now >= since + Self.pasteDelay, Self.isPasted(bytes) { since = now }
    events += expire(at: now)
    if let cut = pasteCut, state == .ground, now - cut <= Self.lateRest, Self.isPasted(bytes) {
      begin(.paste, at: now)
    }
    for byte in withoutLateTail(Array(bytes), at: now) { take(byte, at: now, &events) }
    if state == .paste, recent > Self.livelyPaste { (since, recent) = (now, 0) }
    return events
  }

  /// Whether bytes that were read together belong to a paste rather than to keys.
  private static func isPasted(_ bytes: some Collection<UInt8>) -> Bool {
    bytes.count >= pastedRead || Array(bytes).firstRange(of: pasteEnd) != nil
  }

  /// Tells what a pending byte means now that nothing followed it in time.
  public mutating func expire(at now: Int64) -> [InputEvent] {
    guard let deadline, now >= deadline else { return [] }
    var events: [InputEvent] = []
    switch state {
    case .escape(let alt):
      if alt { emit(.escape, at: now, &events) }
      emit(.escape, at: now, &events)
      cut = (.escape([]), now)
    case .introducer:
      if collected.count == 1 { cut = (.escape(collected), now) }
      emitIntroducer(at: now, &events)
    case .paste:
      endPaste(&events)
      pasteCut = now
    case .control, .singleShift, .damaged:
      cut = (.parameters, now)
    case .answer:
      cut = (.answer, now)
    case .mouse(let left):
      cut = (.mouse(left: left), now)
    case .character: events.append(.unreadable)
    case .ground, .consoleFunction:
      break
    }
    reset()
    return events
  }

  /// Bytes without the rest of a sequence that a delay has cut in two. The rest of an answer that was cut at its beginning
  /// makes an answer again.
  private mutating func withoutLateTail(_ bytes: [UInt8], at now: Int64) -> ArraySlice<UInt8> {
    guard let (after, at) = cut else { return bytes[...] }
    cut = nil
    guard state == .ground, now - at <= Self.sequenceDelay else { return bytes[...] }
    if case .escape(let key) = after, Self.beginsAnswer(key + bytes) == true {
      begin(.answer(escape: false), at: now)
      return bytes[...]
    }
    return bytes.dropFirst(Self.lateTail(bytes, after: after))
  }

  /// Length of the tail of a sequence at the start of bytes that arrived together: `[ … final` or `O final` after an
  /// escape, parameters and a final after what was cut later, an answer's up to its end, the rest of a mouse click. A key
  /// pressed by a person comes alone.
  private static func lateTail(_ bytes: [UInt8], after cut: Cut) -> Int {
    guard let first = bytes.first, bytes.count >= 2 else { return 0 }
    switch cut {
    case .answer:
      let ends = [bytes.firstRange(of: [0x07]), bytes.firstRange(of: [0x1B, 0x5C])]
      return ends.compactMap { $0?.upperBound }.min() ?? 0
    case .mouse(let left): return bytes.count >= left && bytes[..<left].allSatisfy { $0 >= 0x20 } ? left : 0
    case .escape(let key) where !key.isEmpty: return 0
    case .escape where first == UInt8(ascii: "O"): return 2
    case .escape where first != UInt8(ascii: "["): return 0
    case .parameters where !(0x20...0x3F).contains(first): return 0
    default: break
    }
    var length = 1
    for byte in bytes.dropFirst() {
      length += 1
      if (0x40...0x7E).contains(byte) { return length }
      if !(0x20...0x3F).contains(byte) || length > sequenceLimit { return 0 }
    }
    return 0
  }

  private mutating func reset() {
    state = .ground
    collected.removeAll(keepingCapacity: true)
  }

  private func emit(_ key: Key, escaped: Bool = false, at now: Int64, _ events: inout [InputEvent]) {
    var key = key
    if escaped { key.modifiers.insert(.alt) }
    events.append(.key(KeyEvent(key, at: now, isEscaped: escaped)))
  }

  private mutating func begin(_ next: State, at now: Int64) {
    state = next
    since = now
    collected.removeAll(keepingCapacity: true)
    if next == .paste {
      pasted.removeAll()
      (markerLength, recent) = (0, 0)
    }
  }

  private mutating func take(_ byte: UInt8, at now: Int64, _ events: inout [InputEvent]) {
    switch state {
    case .ground: ground(byte, at: now, alt: false, &events)
    case .escape(let alt): afterEscape(byte, at: now, alt: alt, &events)
    case .singleShift(let alt): singleShift(byte, at: now, alt: alt, &events)
    case .control(let alt): control(byte, at: now, alt: alt, &events)
    case .consoleFunction:
      if byte == 0x1B { return begin(.escape(alt: false), at: now) }
      if (0x41...0x45).contains(byte) { emit(Key(.function(Int(byte) - 0x40)), at: now, &events) }
      reset()
    case .damaged:
      if byte == 0x1B { return begin(.escape(alt: false), at: now) }
      if (0x40...0x7E).contains(byte) || byte == 0x18 || byte == 0x1A { reset() }
    case .mouse(let left):
      // Button and place are blanks or more: an escape begins what comes after a click that was cut short.
      if byte == 0x1B { return begin(.escape(alt: false), at: now) }
      state = left > 1 ? .mouse(left: left - 1) : .ground
    case .introducer: introducer(byte, at: now, &events)
    case .answer(let escape):
      if byte == 0x07 || (escape && byte == 0x5C) { return reset() }
      state = .answer(escape: byte == 0x1B)
    case .character: character(byte, at: now, &events)
    case .paste: paste(byte, &events)
    }
  }

  private mutating func ground(_ byte: UInt8, at now: Int64, alt: Bool, _ events: inout [InputEvent]) {
    state = .ground
    switch byte {
    case 0x1B: begin(.escape(alt: false), at: now)
    case 0x00: emit(Key(.character(" "), .control), escaped: alt, at: now, &events)
    case 0x08, 0x7F: emit(Key(.backspace), escaped: alt, at: now, &events)
    case 0x09: emit(Key(.tab), escaped: alt, at: now, &events)
    case 0x0A, 0x0D: emit(Key(.enter), escaped: alt, at: now, &events)
    case 0x01...0x1A:
      let letter = Character(Unicode.Scalar(byte + 0x60))
      emit(Key(.character(letter), .control), escaped: alt, at: now, &events)
    case 0x1C...0x1F:
      let sign = Character(Unicode.Scalar(byte + 0x40))
      emit(Key(.character(sign), .control), escaped: alt, at: now, &events)
    case 0x20...0x7E: emit(Key(.character(Character(Unicode.Scalar(byte)))), escaped: alt, at: now, &events)
    case 0x8F: begin(.singleShift(alt: false), at: now)
    case 0x9B: begin(.control(alt: false), at: now)
    case 0x90, 0x98, 0x9D...0x9F: begin(.answer(escape: false), at: now)
    case 0xC2...0xF4:
      begin(.character, at: now)
      collected = [byte]
      expected = byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4
    case 0xA0...0xFF: events.append(.unreadable)
    default: break
    }
  }

  private mutating func character(_ byte: UInt8, at now: Int64, _ events: inout [InputEvent]) {
    guard (0x80...0xBF).contains(byte) else {
      reset()
      // Told of after the key that comes with it, which would take it away again.
      ground(byte, at: now, alt: false, &events)
      return events.append(.unreadable)
    }
    collected.append(byte)
    guard collected.count == expected else { return }
    let bytes = collected
    reset()
    guard let text = String(validating: bytes, as: UTF8.self), let scalar = text.unicodeScalars.first else {
      return events.append(.unreadable)
    }
    if (0x80...0x9F).contains(scalar.value) { return }
    emit(.character(Character(scalar)), at: now, &events)
  }

  private mutating func afterEscape(_ byte: UInt8, at now: Int64, alt: Bool, _ events: inout [InputEvent]) {
    switch byte {
    case 0x5B: begin(.control(alt: alt), at: now)
    case 0x4F: begin(.singleShift(alt: alt), at: now)
    case 0x50, 0x5D, 0x5F:
      if alt { emit(.escape, at: now, &events) }
      begin(.introducer, at: now)
      collected = [byte]
    case 0x1B:
      if alt { emit(.escape, at: now, &events) }
      begin(.escape(alt: true), at: now)
    default:
      if alt { emit(.escape, at: now, &events) }
      if byte < 0x80 {
        ground(byte, at: now, alt: true, &events)
      } else {
        emit(.escape, at: now, &events)
        ground(byte, at: now, alt: false, &events)
      }
    }
  }

  /// Whether bytes after an escape begin an answer, as `] number ;`, a title's `] l` and `] L`, `P number` with a sign and
  /// `_ G` do; nil where there are too few to tell.
  private static func beginsAnswer(_ bytes: some Collection<UInt8>) -> Bool? {
    guard let kind = bytes.first, [0x50, 0x5D, 0x5F].contains(kind) else { return false }
    let number = bytes.dropFirst().prefix { (0x30...0x39).contains($0) }
    guard let sign = bytes.dropFirst(1 + number.count).first else { return number.count > 5 ? false : nil }
    switch kind {
    case 0x50: return [0x21, 0x24, 0x2B, 0x3E].contains(sign) || sign == 0x3B && !number.isEmpty
    case 0x5D: return number.isEmpty ? sign == 0x6C || sign == 0x4C : sign == 0x3B
    default: return sign == 0x47 && number.isEmpty
    }
  }

  private mutating func introducer(_ byte: UInt8, at now: Int64, _ events: inout [InputEvent]) {
    switch Self.beginsAnswer(collected + [byte]) {
    case nil: collected.append(byte)
    case true?: begin(.answer(escape: false), at: now)
    case false?:
      emitIntroducer(at: now, &events)
      take(byte, at: now, &events)
    }
  }

  private mutating func emitIntroducer(at now: Int64, _ events: inout [InputEvent]) {
    let bytes = collected
    reset()
    for (place, byte) in bytes.enumerated() { ground(byte, at: now, alt: place == 0, &events) }
  }

  private mutating func singleShift(_ byte: UInt8, at now: Int64, alt: Bool, _ events: inout [InputEvent]) {
    if byte == 0x1B { return begin(.escape(alt: false), at: now) }
    // Some terminals put a modifier between: ESC O 5 A.
    if (0x30...0x39).contains(byte) || byte == 0x3B {
      collected.append(byte)
      if collected.count > Self.sequenceLimit { begin(.damaged, at: now) }
      return
    }
    let parameters = collected
    reset()
    guard let key = EscapeSequences.singleShift(byte, parameters) else { return }
    emit(key, escaped: alt, at: now, &events)
  }

  private mutating func control(_ byte: UInt8, at now: Int64, alt: Bool, _ events: inout [InputEvent]) {
    switch byte {
    case 0x1B: return begin(.escape(alt: false), at: now)
    case 0x18, 0x1A: return reset()
    case 0x5B where collected.isEmpty: return begin(.consoleFunction, at: now)
    // rxvt ends a shifted key with `$`, which is an intermediate byte everywhere else.
    case 0x24 where !collected.isEmpty && collected.allSatisfy { (0x30...0x39).contains($0) }: break
    case 0x20...0x3F:
      collected.append(byte)
      if collected.count > Self.sequenceLimit { begin(.damaged, at: now) }
      return
    case 0x40...0x7E: break
    default: return begin(.damaged, at: now)
    }
    let parameters = collected
    reset()
    if byte == 0x7E && parameters == [0x32, 0x30, 0x30] {
      return begin(.paste, at: now)
    }
    if byte == 0x4D && parameters.isEmpty { return begin(.mouse(left: 3), at: now) }
    guard let key = EscapeSequences.control(byte, parameters) else { return }
    emit(key, escaped: alt, at: now, &events)
  }

  // MARK: paste

  private static let pasteEnd: [UInt8] = [0x1B, 0x5B, 0x32, 0x30, 0x31, 0x7E]

  private mutating func paste(_ byte: UInt8, _ events: inout [InputEvent]) {
    recent += 1
    if byte == Self.pasteEnd[markerLength] {
      markerLength += 1
      if markerLength == Self.pasteEnd.count {
        markerLength = 0
        endPaste(&events)
        pasteCut = nil
        reset()
      }
      return
    }
    for held in Self.pasteEnd[..<markerLength] { keep(held) }
    markerLength = 0
    if byte == Self.pasteEnd[0] { markerLength = 1 } else { keep(byte) }
  }

  private mutating func keep(_ byte: UInt8) {
    if pasted.count < Self.pasteLimit { pasted.append(byte) }
  }

  private mutating func endPaste(_ events: inout [InputEvent]) {
    var text = ""
    var previous: Unicode.Scalar?
    for scalar in String(decoding: pasted, as: UTF8.self).unicodeScalars {
      if scalar == "\r" {
        text.unicodeScalars.append("\n")
      } else if !(scalar == "\n" && previous == "\r") {
        text.unicodeScalars.append(scalar)
      }
      previous = scalar
    }
    pasted.removeAll()
    events.append(.paste(text))
  }
}

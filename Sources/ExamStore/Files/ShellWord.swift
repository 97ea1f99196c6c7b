extension String {
  /// The text as one word of a command that a person pastes into a shell: as it is, or in quotes where a shell would
  /// take it apart.
  package var shellWord: String {
    let plain = utf8.allSatisfy {
      switch $0 {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
      default: String.plainMarks.contains($0)
      }
    }
    return plain && !isEmpty ? self : "'" + replacing("'", with: #"'\''"#) + "'"
  }

  private static let plainMarks = Set("/._-+:@%,".utf8)
}

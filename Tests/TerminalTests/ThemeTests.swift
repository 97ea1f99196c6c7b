import Testing

@testable import Terminal

@Suite("Themes")
struct ThemeTests {
  @Test("every theme sets what must be seen apart without colour", arguments: Theme.names)
  func withoutColour(_ name: String) throws {
    let theme = try #require(Theme.named(name))
    for role in [Role.amber, .red, .alarm, .focus, .chosen, .error] {
      let bare = theme[role].attributes != theme[.normal].attributes
      #expect(bare, "\(role) in \(name) differs from ordinary text by colour only")
    }
  }

  @Test("NO_COLOR and a terminal without colours give attributes only")
  func noColour() {
    for theme in [
      Theme.fitting(asked: "default", noColor: "1", colours: 256, encoding: .utf8),
      Theme.fitting(asked: "high-contrast", noColor: nil, colours: 0, encoding: .utf8),
    ] {
      #expect(theme.name == "monochrome")
      #expect(Role.allCases.allSatisfy { theme[$0].foreground == .terminal && theme[$0].background == .terminal })
    }
    #expect(Theme.fitting(asked: "high-contrast", noColor: "", colours: 8, encoding: .utf8).name == "high-contrast")
    #expect(Theme.fitting(asked: "no such", noColor: nil, colours: 8, encoding: .utf8).name == "default")
  }

  @Test("signs are ASCII where the locale is not UTF-8")
  func signs() {
    #expect(Theme.fitting(noColor: nil, colours: 8, encoding: .ascii).glyphs == .ascii)
    #expect(Theme.fitting(noColor: nil, colours: 8, encoding: .utf8).glyphs == .unicode)
    // A grid of separators must not look ruled, nor a tick like a folded group.
    #expect(Glyphs.ascii.separator == "." && Glyphs.ascii.vertical == "|")
    #expect(Glyphs.ascii.tick == "v" && Glyphs.ascii.tick != Glyphs.ascii.folded)
  }
}

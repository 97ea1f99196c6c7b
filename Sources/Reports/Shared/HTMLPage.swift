import Characters

/// A self-contained page: nothing of it is fetched, and every text of the exam is escaped where it is put in.
public struct HTMLPage: Sendable {
  private var body = ""
  private let title: String
  /// What stands at the foot of every printed page.
  private var footer: [String] = []

  /// A page with a title.
  public init(title: String) { self.title = title }

  /// Has lines stand at the foot of every printed page, the page's number behind the last.
  mutating func foot(_ lines: [String]) { footer = lines }

  /// Appends a heading: 1 the page's own, 2 a part, 3 a part of that.
  mutating func heading(_ level: Int, _ text: String) {
    body += "<h\(level)>\(HTMLPage.escaped(text))</h\(level)>\n"
  }

  /// Appends a paragraph.
  /// - Parameter style: a class of the page's style; nil: plain.
  mutating func paragraph(_ text: String, style: String? = nil) {
    let attribute = style.map { " class=\"\($0)\"" } ?? ""
    body += "<p\(attribute)>\(HTMLPage.broken(text))</p>\n"
  }

  /// Appends a list; nothing where it is empty.
  mutating func list(_ lines: [String]) {
    if lines.isEmpty { return }
    body += "<ul>\n" + lines.map { "<li>\(HTMLPage.broken($0))</li>\n" }.joined() + "</ul>\n"
  }

  /// Appends a table.
  /// - Parameter texts: how many columns from the left hold texts; the others hold numbers.
  mutating func table(_ columns: [String], _ rows: [[String]], texts: Int = 1) {
    func cells(_ cells: [String], _ tag: String) -> String {
      cells.enumerated().map { index, cell in
        "<\(tag)\(index < texts ? " class=\"t\"" : "")>\(HTMLPage.escaped(cell))</\(tag)>"
      }.joined()
    }
    body += "<table>\n<thead><tr>\(cells(columns, "th"))</tr></thead>\n<tbody>\n"
    body += rows.map { "<tr>\(cells($0, "td"))</tr>\n" }.joined()
    body += "</tbody></table>\n"
  }

  /// Appends markup that holds no text of the exam but escaped.
  mutating func markup(_ markup: String) { body += markup }

  /// The page's bytes, UTF-8.
  public var bytes: [UInt8] { opening + content + HTMLPage.ending }

  /// What comes before the content: pages too long to be held are written piece by piece.
  var opening: [UInt8] {
    Array(
      """
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
      <title>\(HTMLPage.escaped(title))</title>
      <style>
      \(HTMLPage.style)\(footStyle)
      </style>
      </head>
      <body>

      """.utf8)
  }

  private var footStyle: String {
    if footer.isEmpty { return "" }
    let lines = footer.map(HTMLPage.styled).joined(separator: "\\a ")
    let content = "\"\(lines) · page \" counter(page) \" of \" counter(pages)"
    return "\n@page { @bottom-center { content: \(content); font: 7.5pt monospace; white-space: pre-line; } }"
  }

  /// A text within a text of the style, which it cannot end.
  private static func styled(_ text: String) -> String {
    VisibleText.of(text, dropsJoiners: true).unicodeScalars.map { scalar in
      let isPlain = scalar == " " || scalar.isASCII && (Character(scalar).isLetter || Character(scalar).isNumber)
      return isPlain ? String(scalar) : "\\\(String(scalar.value, radix: 16)) "
    }.joined()
  }

  /// What was appended.
  var content: [UInt8] { Array(body.utf8) }

  /// What comes after the content.
  static let ending = Array("</body>\n</html>\n".utf8)

  /// A text as markup whose lines stay lines.
  private static func broken(_ text: String) -> String {
    text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map { escaped(String($0)) }
      .joined(separator: "<br>\n")
  }

  /// A text as markup: characters that mean something there are written as references, those that steer what shows them
  /// are made visible.
  static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in VisibleText.of(text, dropsJoiners: true).unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "'": escaped += "&#39;"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  private static let style = """
    :root { color-scheme: light; }
    body { font: 10.5pt/1.45 system-ui, "Segoe UI", "Liberation Sans", sans-serif; color: #111; max-width: 60rem;
      margin: 2rem auto; padding: 0 1rem; }
    h1 { font-size: 1.7rem; margin: 0 0 .3rem; } h2 { font-size: 1.2rem; margin: 2rem 0 .5rem;
      border-bottom: 1px solid #999; break-after: avoid; } h3 { font-size: 1rem; margin: 1.2rem 0 .3rem; break-after: avoid; }
    table { border-collapse: collapse; margin: .5rem 0 1rem; font-variant-numeric: tabular-nums; font-size: .93em; }
    th, td { padding: .15rem .6rem; text-align: right; border-bottom: 1px solid #ddd; vertical-align: top; }
    th { border-bottom: 1px solid #666; font-weight: 600; } .t { text-align: left; }
    thead { display: table-header-group; } tr, svg, figure { break-inside: avoid; }
    .state { font-weight: 700; letter-spacing: .04em; border: 2px solid #111; display: inline-block; padding: .1rem .6rem; }
    .hash { font-family: monospace; } .note { color: #444; } .station { break-inside: avoid; }
    .pair { display: flex; gap: 1.5rem; align-items: flex-start; } figure { margin: .3rem 0; }
    .box { font-family: monospace; white-space: pre; } .sheet { break-after: page; width: 100%; margin: 0; font-size: 1em; }
    .sheet > * > tr { break-inside: auto; } .sheet > * > tr > td { padding: 0; border: 0; text-align: left; }
    .sheet > thead > tr { break-inside: avoid; } .sheet > thead p { margin: .1rem 0; }
    svg { max-width: 100%; height: auto; } svg text { font: 11px system-ui, sans-serif; fill: #333; }
    .sign { display: flex; gap: 3rem; margin-top: 3rem; break-before: avoid; break-inside: avoid; } .sign div { flex: 1; border-top: 1px solid #111; padding-top: .2rem; }
    .item { display: flex; gap: .6rem; margin: .5rem 0; break-inside: avoid; } .item > b { min-width: 1.6rem; }
    .boxes { display: flex; flex-wrap: wrap; gap: .2rem 1rem; margin-top: .2rem; } .boxes i { display: inline-block;
      width: .8rem; height: .8rem; border: 1.5px solid #111; margin-right: .35rem; vertical-align: -.1rem; }
    .blank { display: flex; margin-top: 1rem; break-inside: avoid; } .blank::after { content: ""; flex: 1;
      border-bottom: 1px solid #111; margin-left: .5rem; }
    @page { size: A4; margin: 16mm 14mm; }
    @media print { body { margin: 0; max-width: none; } h2 { margin-top: 1.2rem; } }
    """
}

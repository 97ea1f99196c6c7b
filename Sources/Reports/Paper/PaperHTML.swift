/// Writes pages as HTML that prints each on paper of its own.
public enum PaperHTML {
  /// What comes before the pages.
  public static func opening(_ title: String) -> [UInt8] { HTMLPage(title: title).opening }

  /// The bytes of a page.
  public static func page(_ page: PaperPage) -> [UInt8] {
    var html = HTMLPage(title: page.title)
    // The head of a table is printed again at the top of each sheet of paper.
    html.markup("<table class=\"sheet\">\n<thead><tr><td>\n")
    html.heading(1, page.title)
    for line in page.head { html.paragraph(line) }
    html.markup("</td></tr></thead>\n<tbody><tr><td>\n")
    for block in page.blocks {
      switch block {
      case .heading(let text): html.heading(2, text)
      case .line(let text): html.paragraph(text)
      case .warning(let text): html.paragraph(text, style: "state")
      case .blank(let text): html.paragraph(text, style: "blank")
      case .item(let number, let text, let boxes):
        let ticks = boxes.map { "<span><i></i>\(HTMLPage.escaped($0))</span>" }.joined()
        html.markup(
          "<div class=\"item\"><b>\(HTMLPage.escaped(number))</b><div>\(HTMLPage.escaped(text))"
            + "<div class=\"boxes\">\(ticks)</div></div></div>\n")
      case .table(let head, let rows): html.table(head, rows, texts: head.count)
      }
    }
    html.markup("</td></tr></tbody></table>\n")
    return html.content
  }

  /// What comes after the pages.
  public static let ending = HTMLPage.ending
}

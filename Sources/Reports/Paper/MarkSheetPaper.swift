import CircuitModel

/// A blank mark sheet on paper.
struct MarkSheetPaper {
  /// The sheet of a candidate, a station and a seat.
  let sheet: PlannedSheet
  /// What is printed.
  let template: SheetTemplate
  /// The names of the sheets of which the assessor fills one; empty where there is nothing to choose.
  let choices: [String]
  /// When the round is planned.
  let time: String?

  /// The page.
  var page: PaperPage {
    let name = (choices.isEmpty ? sheet.nameAmongSeveral : template.name).map { ", \($0)" } ?? ""
    return PaperPage(
      "\(sheet.place.stationTitle)\(name) – candidate \(sheet.entry.number)",
      head + sections + [
        .heading("Comments"), .blank(""), .blank(""), .blank(""),
        .line("* must be answered. Tick one box an item; to correct, strike out, tick another, and sign beside it."),
        .blank("Assessor, name and signature"), .blank("Date and time"),
      ])
  }

  private var head: [PaperBlock] {
    let (place, entry) = (sheet.place, sheet.entry)
    var blocks: [PaperBlock] = [.line("Candidate \(entry.number)  \(entry.candidate)")]
    blocks += [
      .line(
        [place.circuit.name, place.session.name, place.stationTitle, entry.round.map { "round \($0)" }, time]
          .compactMap { $0 }.joined(separator: "  ·  ")),
      .line("Assessor: \(sheet.assessor?.name ?? "")" + (sheet.seat == .lead ? "" : " (second assessor)")),
    ]
    if !choices.isEmpty { blocks.append(.line("One of: \(choices.joined(separator: ", ")). Fill in one alone.")) }
    return blocks
  }

  private var sections: [PaperBlock] {
    var blocks: [PaperBlock] = []
    var number = 0
    for section in template.sections {
      blocks.append(.heading(section.name))
      if section.asksQuadrantAndTooth { blocks.append(.blank("Quadrant and tooth")) }
      for item in section.items {
        number += 1
        blocks += self.blocks(of: item, number)
      }
    }
    return blocks
  }

  private func blocks(of item: ItemTemplate, _ number: Int) -> [PaperBlock] {
    let isGlobal = item.link == template.globalRating
    let mark = (template.requires(item) ? "*" : "") + (isGlobal ? " (global rating)" : "")
    let boxes =
      item.kind.isWritten ? [] : item.levels.map(\.label) + (item.allowsUnable ? ["unable to assess"] : [])
    var blocks: [PaperBlock] = [.item(number: String(number), text: item.text + mark, boxes: boxes)]
    if boxes.isEmpty { blocks.append(.blank("  ")) }
    return blocks
  }
}

extension Level {
  /// What is printed beside its box: its value, and its words where it has some.
  fileprivate var label: String { text.isEmpty ? value.description : "\(value) \(text)" }
}

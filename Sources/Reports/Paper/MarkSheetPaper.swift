import CircuitModel

/// A blank mark sheet on paper: what the screen says, and a place for all that it asks for.
struct MarkSheetPaper {
  /// The sheet of a candidate, a station and a seat.
  let sheet: PlannedSheet
  /// What is printed.
  let template: SheetTemplate
  /// The names of the sheets of which the assessor fills one; empty where there is nothing to choose.
  let choices: [String]
  /// When the round is planned.
  let time: String?
  /// The candidate's adjustments in one line; nil if there are none.
  let adjustments: String?

  /// The page.
  var page: PaperPage {
    let name = (choices.isEmpty ? sheet.nameAmongSeveral : template.name).map { ", \($0)" } ?? ""
    return PaperPage(
      "\(sheet.place.stationTitle)\(name) – candidate \(sheet.entry.number)", head: head,
      notes + instructions + sections + [
        .heading("Comments"), .blank(""), .blank(""), .blank(""),
        .line("* must be answered. Tick one box an item; to correct, strike out, tick another, and sign beside it."),
        .blank("Assessor, name and signature"), .blank("Date and time"),
      ])
  }

  private var head: [String] {
    let (place, entry) = (sheet.place, sheet.entry)
    return [
      "Candidate \(entry.number)  \(entry.candidate)",
      [place.circuit.name, place.session.name, entry.round.map { "round \($0)" }, time]
        .compactMap { $0 }.joined(separator: "  ·  "),
      "Assessor: \(sheet.assessor?.name ?? "")" + (sheet.seat == .lead ? "" : " (second assessor)"),
    ]
  }

  private var notes: [PaperBlock] {
    var blocks: [PaperBlock] = []
    if let adjustments { blocks.append(.warning("Adjustments: \(adjustments)")) }
    if !choices.isEmpty { blocks.append(.line("One of: \(choices.joined(separator: ", ")). Fill in one alone.")) }
    return blocks
  }

  private var instructions: [PaperBlock] {
    [("For the assessor", template.assessorInstructions), ("For the candidate", template.candidateInstructions)]
      .flatMap { heading, text -> [PaperBlock] in
        let lines = (text ?? "").split(whereSeparator: \.isNewline).map { PaperBlock.line(String($0)) }
        return lines.isEmpty ? [] : [.heading(heading)] + lines
      }
  }

  private var sections: [PaperBlock] {
    var blocks: [PaperBlock] = []
    var number = 0
    for section in template.sections {
      blocks.append(.heading(section.name))
      blocks += SectionFact.asked(by: section).map { .blank($0.label(in: section)) }
      if section.isDuplicable {
        let most = section.maximumQuantity > 0 ? ", at most \(section.maximumQuantity) in all" : ""
        blocks.append(.line("Recorded more than once\(most): use another sheet for each copy."))
      }
      for item in section.items {
        number += 1
        blocks += self.blocks(of: item, number, in: section)
      }
    }
    return blocks
  }

  private func blocks(of item: ItemTemplate, _ number: Int, in section: SectionTemplate) -> [PaperBlock] {
    let isGlobal = item.link == template.globalRating
    let mark = (template.requires(item) ? "*" : "") + (isGlobal ? " (global rating)" : "")
    let boxes =
      item.kind.isWritten ? [] : item.levels.map(\.label) + (item.allowsUnable ? ["unable to assess"] : [])
    var blocks: [PaperBlock] = [.item(number: String(number), text: item.text + mark, boxes: boxes)]
    if boxes.isEmpty { blocks.append(.blank("  ")) }
    if item.kind.recordsWork {
      blocks += [
        .blank("   How often"), .blank("   Difficulty, 1 to \(WorkFacts.mostDifficult(in: section))"),
        .blank("   Note"),
      ]
    }
    return blocks
  }
}

extension SectionFact {
  /// What is to be written on its line.
  fileprivate func label(in section: SectionTemplate) -> String {
    switch self {
    case .tooth: "Quadrant and tooth"
    case .quantity: "How often, 1 to \(section.maximumQuantity)"
    case .difficulty: "Difficulty, 1 to \(section.maximumDifficulty)"
    }
  }
}

extension Level {
  /// What is printed beside its box, and of a mark in a dossier: its value, and its words where it has some.
  var label: String { text.isEmpty ? value.description : "\(value) \(text)" }
}

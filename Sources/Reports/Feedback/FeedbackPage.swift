import Characters
import CircuitModel
import ExamStore
import GRDB
import Standards
import Timer

/// What one candidate is told after the exam: nothing of anybody else, and nothing of how a result came about.
public struct FeedbackPage: Sendable {
  /// The candidate's number.
  public let number: String
  let exam: String?
  let state: State
  /// The stations in the order in which the exam has them.
  let stations: [Station]

  /// How far the exam is.
  enum State: Sendable {
    case open, locked, amended
    /// It is locked again after it was opened.
    case lockedAgain
    /// It is locked, and the marks here come to other results than were locked.
    case differing
  }

  /// What is said of one station.
  struct Station: Sendable {
    let name: String
    /// The own score, in percent; nil where scores are not given.
    var score: Double?
    /// The own score of each section, in percent.
    var sections: [(name: String, score: Double)] = []
    /// How everybody did; nil where that is not given.
    var cohort: Cohort?
    /// What was written for the candidate.
    var feedback: [String] = []
    /// The tags achieved.
    var tags: [String] = []

    var isEmpty: Bool { score == nil && sections.isEmpty && feedback.isEmpty && tags.isEmpty }
  }

  /// How everybody did at a station.
  enum Cohort: Sendable {
    case quartiles(Quartiles)
    case tooFew(Int)
  }

  /// The lines that stand above the stations.
  private var header: [String] {
    switch state {
    case .open: ["NOT FINAL: the exam is not locked. For the exam lead only."]
    case .differing: ["\(LockText.notFinal). For the exam lead only."]
    case .locked: []
    case .amended: ["Results were amended: this page replaces the earlier one."]
    case .lockedAgain: ["Results were made again: this page replaces the earlier one."]
    }
  }

  private var title: String { "Feedback for candidate \(number)" }
  private static let nothing = "Nothing was written for you."

  /// The page in Markdown.
  public var markdown: String {
    var lines = ["# \(Markdown.text(title))", ""]
    if let exam { lines += [Markdown.text(exam), ""] }
    for line in header { lines += ["**\(Markdown.text(line))**", ""] }
    if stations.isEmpty { lines += [FeedbackPage.nothing, ""] }
    for station in stations {
      lines += ["## \(Markdown.text(station.name))", ""]
      lines += station.facts.map { "- \(Markdown.text($0))" }
      if !station.facts.isEmpty { lines.append("") }
      for text in station.feedback.flatMap({ $0.split(whereSeparator: \.isNewline) }) {
        lines += [Markdown.text(String(text)), ""]
      }
    }
    return lines.joined(separator: "\n")
  }

  /// The page in HTML.
  public var html: HTMLPage {
    var page = HTMLPage(title: title)
    page.heading(1, title)
    if let exam { page.paragraph(exam, style: "note") }
    for line in header { page.paragraph(line, style: "state") }
    if stations.isEmpty { page.paragraph(FeedbackPage.nothing) }
    for station in stations {
      page.heading(2, station.name)
      page.list(station.facts)
      for text in station.feedback { page.paragraph(text) }
    }
    return page
  }
}

extension FeedbackPage.Station {
  /// Scores and tags, a line each.
  fileprivate var facts: [String] {
    var facts: [String] = []
    if let score { facts.append("Your score: \(Figure.tenths(score)) %") }
    facts += sections.map { "\($0.name): \(Figure.tenths($0.score)) %" }
    switch cohort {
    case .quartiles(let all):
      facts.append(
        "All candidates: median \(Figure.tenths(all.median)) %, quartiles \(Figure.tenths(all.low)) % "
          + "and \(Figure.tenths(all.high)) %"
      )
    case .tooFew(let fewest): facts.append("All candidates: not shown: fewer than \(fewest) candidates")
    case nil: break
    }
    if !tags.isEmpty { facts.append("Achieved: \(tags.joined(separator: ", "))") }
    return facts
  }
}

/// Text as it stands in a page of Markdown.
private enum Markdown {
  /// On one line, with every character that Markdown would take for its own behind a backslash.
  static func text(_ text: String) -> String {
    var escaped = ""
    // Four blanks before it would make it code.
    let text = VisibleText.of(text, dropsJoiners: true).drop(while: \.isWhitespace)
    for scalar in text.unicodeScalars {
      if "\\`*_{}[]<>#|~&!".unicodeScalars.contains(scalar) { escaped += "\\" }
      escaped.unicodeScalars.append(scalar)
    }
    // A sign or a number at the begin of a line would open a list or a heading.
    if let first = escaped.first, "+-=".contains(first) { return "\\" + escaped }
    return escaped.replacing(#/^([0-9]+)([.)])/#) { "\($0.1)\\\($0.2)" }
  }
}

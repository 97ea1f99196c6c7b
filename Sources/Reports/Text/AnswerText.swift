import CircuitModel

extension RecentMarks.Mark {
  /// What the item was set to.
  public var text: String { change.text }
}

extension ItemHistory.Change {
  /// What the item was set to.
  public var text: String { change.text }
}

extension AnswerChange {
  /// In one line: `3 with help; feedback: calmer now; 2 times`.
  public var text: String { parts.flatMap(\.texts).joined(separator: "; ") }
}

extension AnswerChange.Part {
  fileprivate var texts: [String] {
    switch self {
    case .unable: ["unable to assess"]
    case .cleared: ["cleared"]
    case .level(let value, let text): [text.isEmpty ? value.description : "\(value) \(text)"]
    case .fact(let text): [text]
    case .text(let text, let writing): [AnswerChange.Part.name(writing) + (text ?? "cleared")]
    case .work(let facts): facts.texts
    case .tags(let tags): [tags.isEmpty ? "no tags" : "tags: " + tags.joined(separator: ", ")]
    case .completedCase(let isSet): [isSet ? "completed case" : "not completed case"]
    case .recommended(let isSet): [isSet ? "recommended" : "not recommended"]
    }
  }

  private static func name(_ writing: AnswerChange.Writing) -> String {
    switch writing {
    case .answer: ""
    case .work: "what was done: "
    case .feedback: "feedback: "
    }
  }
}

extension WorkFacts {
  /// The facts in words, for one line each.
  fileprivate var texts: [String] {
    var texts: [String] = []
    if let times { texts.append("\(times) times") }
    if let difficulty { texts.append("difficulty \(difficulty)") }
    if !note.isEmpty { texts.append("note: \(note)") }
    return texts
  }
}

extension HeldItem {
  /// The text of the item with the facts of the work that it records, in one line of words.
  public var writtenText: String {
    let texts = work.texts
    if texts.isEmpty { return feedback }
    return ([feedback] + texts).filter { !$0.isEmpty }.joined(separator: "; ")
  }
}

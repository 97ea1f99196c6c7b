/// Reads the `sessions` of `exam.yaml`.
struct SessionReader {
  private static let sessionKeys = ["name", "date", "start", "end", "circuits"]
  private static let runKeys = ["assessors", "coMarkers", "cover", "slots", "group"]

  let file: String
  let problems: ProblemList

  /// One session for each circuit named in each block. A group has no slots yet: the candidates are not known here.
  func read(_ blocks: [YAMLTree]) -> [ExamPlan.Session] {
    blocks.flatMap(sessions)
  }

  private func sessions(_ tree: YAMLTree) -> [ExamPlan.Session] {
    guard let fields = Fields(tree, "session", keys: Self.sessionKeys, file: file, problems: problems) else {
      return []
    }
    let date = fields.needed("date")
    if !date.isEmpty, WrittenTime.date(date) == nil {
      fields.error("date", "\(Visible.quoted(date)) is not a date; write it as 2026-12-07")
    }
    let start = time(fields, "start", fields.needed("start"))
    let end = fields.text("end").map { time(fields, "end", $0) }
    if let end, !Self.isAfter(end, start) { fields.error("end", "the session ends before it starts") }
    if !fields.has("circuits") { fields.error(nil, "'circuits' is missing") }
    return fields.table("circuits").compactMap { entry in
      let place = Place(file: file, line: entry.line)
      guard let run = Fields(entry.value, "session", keys: Self.runKeys, file: file, problems: problems) else {
        return nil
      }
      let leads = posts(run, "assessors")
      for post in leads where post.staff.count > 1 {
        problems.error(
          post.station.place,
          "session: two assessors at station \(Visible.quoted(post.station.code)) at the same time; "
            + "name the second one under 'coMarkers'")
      }
      return ExamPlan.Session(
        name: fields.text("name") ?? "", date: date, start: start, end: end,
        circuit: .init(code: entry.key.trimmed, place: place), assessors: joined(leads, posts(run, "coMarkers")),
        cover: posts(run, "cover"), slots: slots(run), group: group(run), place: place)
    }
  }

  /// Whether one time of day can end what begins at the other: a session may go over midnight, and takes no half day.
  private static func isAfter(_ end: String, _ start: String) -> Bool {
    func minutes(_ time: String) -> Int? {
      let parts = time.split(separator: ":").compactMap { Int($0) }
      return parts.count == 2 ? parts[0] * 60 + parts[1] : nil
    }
    guard let from = minutes(start), let to = minutes(end) else { return true }
    return end > start || to + 1440 - from <= 720
  }

  private func time(_ fields: Fields, _ key: String, _ text: String) -> String {
    if let time = WrittenTime.time(text) { return time }
    if !text.isEmpty { fields.error(key, "\(Visible.quoted(text)) is not a time of day; write it as 09:00") }
    return text
  }

  private func posts(_ fields: Fields, _ key: String) -> [ExamPlan.Post] {
    var seen: Set<String> = []
    return fields.table(key).map { entry in
      let place = Place(file: file, line: entry.line)
      if !seen.insert(entry.key.trimmed).inserted {
        problems.error(place, "session: station \(Visible.quoted(entry.key)) is written twice under '\(key)'")
      }
      let items: [YAMLTree] =
        if case .list(let items) = entry.value.content { items } else { entry.value.isEmpty ? [] : [entry.value] }
      let staff = items.compactMap { item -> ExamPlan.Reference? in
        if case .scalar(let text, _) = item.content, !item.isEmpty {
          return .init(code: text.trimmed, place: Place(file: file, line: item.line))
        }
        problems.error(Place(file: file, line: item.line), "session: a username is needed here, not \(item.kind)")
        return nil
      }
      return ExamPlan.Post(station: .init(code: entry.key.trimmed, place: place), staff: staff)
    }
  }

  private func joined(_ leads: [ExamPlan.Post], _ others: [ExamPlan.Post]) -> [ExamPlan.Post] {
    var posts = leads
    for post in others {
      if let index = posts.firstIndex(where: { $0.station.code == post.station.code }) {
        posts[index].staff += post.staff
      } else {
        problems.error(
          post.station.place,
          "session: station \(Visible.quoted(post.station.code)) has a second assessor but no first: "
            + "name one under 'assessors'")
      }
    }
    return posts
  }

  private func slots(_ fields: Fields) -> [ExamPlan.Reference?] {
    if fields.has("slots"), fields.has("group") { fields.error("group", "write 'slots' or 'group', not both") }
    return fields.list("slots").map { item in
      if item.isEmpty { return nil }
      guard case .scalar(let text, _) = item.content else {
        problems.error(
          Place(file: file, line: item.line), "session: a slot is a candidate number or 'empty', not \(item.kind)")
        return nil
      }
      let number = text.trimmed
      return number.lowercased() == "empty" ? nil : .init(code: number, place: Place(file: file, line: item.line))
    }
  }

  private func group(_ fields: Fields) -> ExamPlan.Reference? {
    fields.text("group").map { .init(code: $0, place: fields.place("group")) }
  }
}

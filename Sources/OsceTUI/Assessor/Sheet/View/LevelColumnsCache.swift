import CircuitModel

/// The columns of the levels as they were worked out last. They hang on nothing that is marked: only another sheet or
/// another room has others.
@MainActor
struct LevelColumnsCache {
  private var made: (templates: Int, columns: LevelColumns)?
  private var madeFit: (templates: Int, room: LevelColumns.Room, fitted: LevelColumns.Fitted)?

  /// - Parameter templates: how many templates have been shown by now.
  mutating func columns(
    of template: @autoclosure () -> SheetTemplate?, _ templates: Int, _ labels: LevelLabels
  ) -> LevelColumns {
    if let made, made.templates == templates { return made.columns }
    let columns = LevelColumns(template(), labels)
    made = (templates, columns)
    return columns
  }

  /// The same in a room.
  mutating func fitted(
    to room: LevelColumns.Room, of template: @autoclosure () -> SheetTemplate?, _ templates: Int, _ labels: LevelLabels
  ) -> LevelColumns.Fitted {
    if let madeFit, madeFit.templates == templates, madeFit.room == room { return madeFit.fitted }
    let fitted = columns(of: template(), templates, labels).fitted(to: room)
    madeFit = (templates, room, fitted)
    return fitted
  }
}

extension SheetScreen {
  /// The columns in which the levels stand.
  var columns: LevelColumns { levelColumns.columns(of: sheet?.template, model.templates, labels) }

  /// The same in a room.
  func fitted(to room: LevelColumns.Room) -> LevelColumns.Fitted {
    levelColumns.fitted(to: room, of: sheet?.template, model.templates, labels)
  }
}

import Terminal

/// The keys of one screen as they are known before any screen exists: a configuration is checked against them, and the
/// documents list them.
struct ListedKeys: Sendable {
  let title: String
  /// The screen's own, then those of every screen that act there too.
  let names: [KeyName]

  /// - Parameter before: a table of which the keys come first, as those of a page of the desk.
  init<Screen>(_ table: KeyTable<Screen>, titled title: String? = nil, after before: [KeyName] = []) {
    self.title = title ?? table.title
    var names = before + table.names.filter { name in !before.contains { $0.overlaps(name) } }
    let everywhere = (table.place == .station ? StationKeys.everywhere.names : []) + EveryScreen.keys.names
    names += everywhere.filter { name in
      !(table.typesText && name.isTyped) && !names.contains { $0.overlaps(name) }
    }
    self.names = names
  }

  private init(_ title: String, only names: [KeyName]) { (self.title, self.names) = (title, names) }

  private init(_ table: BindingTable<TextCommand>) {
    self.init(
      table.title,
      only: table.bindings.map {
        KeyName(
          id: $0.id, keys: $0.keys, label: $0.label, help: $0.help, group: $0.group, inFooter: false, rank: 0,
          range: $0.keysLabel, reach: .seen)
      })
  }

  /// The keys of every screen by themselves.
  static let everywhere = ListedKeys(EveryScreen.keys.title, only: EveryScreen.keys.names)
  static let wall = ListedKeys(WallProgram.keys.title, only: WallProgram.keys.names)

  /// Every screen that is pushed, in the order in which people meet them. A new screen adds its line here.
  static let screens =
    [
      ListedKeys(RolesScreen.keys), ListedKeys(SignInScreen.keys), ListedKeys(SessionsScreen.keys),
      ListedKeys(RosterScreen.keys), ListedKeys(SheetScreen.keys), ListedKeys(CommentsScreen.keys),
      ListedKeys(WrongCandidateScreen.keys), ListedKeys(MissingScreen.keys), ListedKeys(OutboxScreen.keys),
      ListedKeys(PersonScreen.keys), ListedKeys(PersonalCommentsScreen.keys), ListedKeys(NextSessionScreen.keys),
    ]
    + DeskScreen.pageTables.map { ListedKeys(DeskScreen.keys, titled: "Desk, \($0.name)", after: $0.names) }
    + [
      ListedKeys(LeadScreen.keys), ListedKeys(ChaseScreen.keys), ListedKeys(ResultsScreen.keys),
      ListedKeys(StationResultScreen.keys), ListedKeys(StationItemsScreen.keys), ListedKeys(LeaveOutScreen.keys),
      ListedKeys(ClosingScreen.keys), ListedKeys(ClosingLinesScreen.keys), ListedKeys(AdjudicationScreen.keys),
      ListedKeys(ContradictionScreen.keys),
    ]

  /// Everything that can be bound.
  static let all = screens + [everywhere, wall] + TextKeys.tables.map { ListedKeys($0) }
}

extension ListedKeys {
  /// The table as the documents print it.
  var listing: BindingTable<Void> {
    BindingTable(
      title,
      names.map {
        Binding($0.id, $0.keys, $0.label, help: $0.help, group: $0.group, keysLabel: $0.range, action: ())
      })
  }
}

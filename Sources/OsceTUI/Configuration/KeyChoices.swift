import CircuitModel
import ExamFiles
import ExamStore
import Reports
import Terminal

/// Keys that a person has given to bindings, checked against every screen before one is shown.
enum KeyChoices {
  /// Takes the choices of a configuration file.
  /// - Throws: `StoreError`, one line with file and line: an unknown binding, one whose keys are a range, an unknown
  ///   key, a key that two bindings of one screen would share.
  static func read(_ chosen: [SettingsFile.Keys], screens: [ListedKeys] = ListedKeys.all) throws
    -> [BindingID: [Key]]
  {
    var result: [BindingID: [Key]] = [:]
    var places: [BindingID: Place] = [:]
    for choice in chosen {
      let id = BindingID(rawValue: choice.binding)
      let known = screens.lazy.flatMap(\.names).first { $0.id == id }
      guard let known else {
        throw failure(choice.place, "there is no binding \(quoted(choice.binding)); see docs/keys.md")
      }
      if known.range != nil { throw failure(choice.place, "the keys of \(quoted(choice.binding)) cannot be changed") }
      result[id] = try choice.keys.map { name in
        guard let key = Key(named: name) else { throw failure(choice.place, "there is no key \(quoted(name))") }
        return key
      }
      places[id] = choice.place
    }
    for screen in screens {
      var owners: [Key: BindingID] = [:]
      for binding in screen.names {
        for key in result[binding.id] ?? binding.keys {
          guard let other = owners.updateValue(binding.id, forKey: key), other != binding.id else { continue }
          guard let place = places[binding.id] ?? places[other] else { continue }
          throw failure(
            place, "\(quoted(key.name)) would be both \(other.rawValue) and \(binding.id.rawValue) on \(screen.title)")
        }
      }
    }
    return result
  }

  private static func failure(_ place: Place, _ message: String) -> StoreError {
    StoreError("\(Problem(.error, file: place.file, line: place.line, "keys: " + message))")
  }

  private static func quoted(_ text: String) -> String { "'\(text.prefix(60))'" }
}

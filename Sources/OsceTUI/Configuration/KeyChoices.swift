import CircuitModel
import ExamFiles
import ExamStore
import Reports
import Terminal

/// Keys that a person has given to bindings, checked against every screen before one is shown.
enum KeyChoices {
  /// One screen's bindings with their own keys.
  struct Screen: Sendable {
    /// The screen's name.
    let title: String
    /// The bindings.
    let bindings: [(id: BindingID, keys: [Key], isFixed: Bool)]

    /// A screen from lines of a binding's id, `fixed` where its keys are a range, and its keys.
    init(_ title: String, _ lines: String) {
      self.title = title
      bindings = lines.split(separator: "\n").map { line in
        let words = line.split(separator: " ").map(String.init)
        let isFixed = words.dropFirst().first == "fixed"
        return (
          BindingID(rawValue: words.first ?? ""), words.dropFirst(isFixed ? 2 : 1).compactMap { Key(named: $0) },
          isFixed
        )
      }
    }
  }

  /// Takes the choices of a configuration file.
  /// - Throws: `StoreError`, one line with file and line: an unknown binding, one whose keys are a range, an unknown
  ///   key, a key that two bindings of one screen would share.
  static func read(_ chosen: [SettingsFile.Keys], screens: [Screen] = KnownBindings.screens) throws -> [BindingID:
    [Key]]
  {
    var result: [BindingID: [Key]] = [:]
    var places: [BindingID: Place] = [:]
    for choice in chosen {
      let id = BindingID(rawValue: choice.binding)
      let known = screens.lazy.flatMap(\.bindings).first { $0.id == id }
      guard let known else {
        throw failure(choice.place, "there is no binding \(quoted(choice.binding)); see docs/keys.md")
      }
      if known.isFixed { throw failure(choice.place, "the keys of \(quoted(choice.binding)) cannot be changed") }
      result[id] = try choice.keys.map { name in
        guard let key = Key(named: name) else { throw failure(choice.place, "there is no key \(quoted(name))") }
        return key
      }
      places[id] = choice.place
    }
    for screen in screens {
      var owners: [Key: BindingID] = [:]
      for binding in screen.bindings {
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

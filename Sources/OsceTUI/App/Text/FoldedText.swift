import Foundation

extension String {
  /// The text in lower case and without accents: who looks for a name may not have them on the keyboard.
  var folded: String { folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil) }
}

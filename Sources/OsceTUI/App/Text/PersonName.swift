extension String {
  /// The surname in a person's name, where title and forename would take the room of what is the matter: `Okafor`,
  /// `de la Cruz`.
  var surname: String {
    let words = split(separator: " ")
    let particles = words.dropLast().reversed().prefix { $0.first?.isLowercase == true }
    return words.suffix(particles.count + 1).joined(separator: " ")
  }
}

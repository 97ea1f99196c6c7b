import CircuitModel
import Foundation

/// A lock that holds, as its row records it.
struct SealRecord: Equatable {
  let scope: ExamLock.Scope
  let amendment: Int
  let content: String
  let hash: String

  /// Whether the content has the hash that it was given.
  var isAsHashed: Bool { LockContent.hash(of: content) == hash }

  /// What it sealed; nil where it cannot be read.
  var sealed: Sealed? { try? JSONDecoder().decode(Sealed.self, from: Data(content.utf8)) }

  /// What a record says of the store.
  struct Sealed: Decodable {
    struct Head: Decodable, Hashable {
      let device: String
      let hash: String
      let seq: Int64
    }

    let heads: [Head]
    let results: String
  }

  /// The last of the exam; where the exam is not locked, the last of each part that is.
  static func lasts(of standing: [SealRecord]) -> [SealRecord] {
    let scopes = Dictionary(grouping: standing, by: \.scope)
    if let whole = scopes[.init()] { return [whole[whole.count - 1]] }
    return scopes.sorted { $0.key.name < $1.key.name }.map { $0.value[$0.value.count - 1] }
  }
}

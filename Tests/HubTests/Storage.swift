import Foundation
import Hub
import HubPostgres
import PostgresTesting
import Testing

/// What a hub keeps its exams in: what holds for one holds for the other.
enum Storage: String, CaseIterable, Sendable {
  case sqlite = "SQLite"
  case postgres = "PostgreSQL"

  /// Those that can be tried here.
  static let installed = allCases.filter { $0 == .sqlite || PostgresServer.isInstalled }

  /// A database that holds nothing.
  /// - Returns: it, and its address.
  func make(in folder: String) async throws -> (any HubDatabase, String) {
    switch self {
    case .sqlite:
      let path = folder + "/hub.sqlite"
      return (try SQLiteDatabase(path: path), path)
    case .postgres:
      let address = try await PostgresServer.database()
      return (try await PostgresDatabase(address: address), address)
    }
  }
}

@Suite("The two storages") struct StorageTests {
  @Test("are both tried") func bothAreTried() {
    #expect(Storage.installed == Storage.allCases, "postgresql is needed; script/test installs it")
  }
}

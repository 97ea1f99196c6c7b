import Foundation
import Journal
import SeededNumbers
import Testing

@Suite("Identifiers")
struct UUIDBytesTests {
  private struct DerivedKeys: Decodable {
    struct Key: Decodable {
      let namespace: String
      let name: String
      let uuid: String
    }
    let keys: [Key]
  }

  @Test("text and bytes go there and back, and order as the identifiers do")
  func roundTrip() throws {
    for seed in Seeded.seeds(20) {
      var generator = Seeded(seed: seed)
      let ids = (0..<20).map { _ in UUIDBytes(high: generator.next(), low: generator.next()) }
      for id in ids {
        #expect(UUIDBytes(id.description) == id, "seed \(seed)")
        #expect(UUIDBytes(id.description.uppercased()) == id, "seed \(seed)")
        #expect(UUIDBytes(bytes: id.bytes) == id, "seed \(seed)")
      }
      #expect(ids.sorted().map(\.description) == ids.map(\.description).sorted(), "seed \(seed)")
    }
  }

  @Test(
    "what is not a UUID is refused",
    arguments: [
      "", "0", "00000000-0000-0000-0000-00000000000", "00000000-0000-0000-0000-0000000000000",
      "000000000000000000000000000000000000", "g0000000-0000-0000-0000-000000000000",
      "00000000-0000-0000-0000-00000000000é", "{0000000-0000-0000-0000-000000000000",
    ])
  func refused(text: String) {
    #expect(UUIDBytes(text) == nil)
    #expect(UUIDBytes(bytes: [1, 2, 3]) == nil)
  }

  @Test("version and variant are marked, and a version 7 begins with its time")
  func versions() {
    var generator = Seeded(seed: 1)
    let text = UUIDBytes.v7(milliseconds: 0x0123_4567_89AB, using: &generator).description
    #expect(text.hasPrefix("01234567-89ab-7"))
    for id in [text, UUIDBytes.random().description, UUIDBytes.v7(milliseconds: -5).description] {
      #expect("89ab".contains(Array(id)[19]))
    }
    #expect(Array(UUIDBytes.random().description)[14] == "4")
    #expect(UUIDBytes.v7(milliseconds: -5).description.hasPrefix("00000000-0000-7"))
    #expect(UUIDBytes.v7(milliseconds: 1) < UUIDBytes.v7(milliseconds: 2))
  }

  @Test("a key derived from a name is what other implementations derive")
  func derived() throws {
    let keys = try JSONDecoder().decode(DerivedKeys.self, from: vectorFile("derived-keys.json")).keys
    #expect(keys.count >= 4)
    for key in keys {
      let namespace = try #require(UUIDBytes(key.namespace))
      #expect(UUIDBytes.v5(namespace: namespace, name: key.name).description == key.uuid)
    }
  }
}

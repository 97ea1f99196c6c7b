import Testing

@testable import Catalogue

@Suite("Bounds of attributes")
struct BoundsTests {
  private func bounds(_ entity: String, _ attribute: String) throws -> Bounds {
    let declared = try #require(Catalogue.standard[entity])
    return try #require(Catalogue.standard.attribute(attribute, of: declared)).bounds
  }

  @Test("a number is held at both ends, an instant within the years 1900 to 9999")
  func numbers() throws {
    let seconds = try bounds("CircuitStationDuration", "seconds")
    #expect(seconds.fault(whole: 0) == nil && seconds.fault(whole: 59) == nil)
    #expect(seconds.fault(whole: 60) == "is 60; it must be 0 to 59")
    let signed = try bounds("DataForm", "signedAt")
    #expect(signed.fault(whole: -2_208_988_800_000) == nil && signed.fault(whole: 253_402_300_799_999) == nil)
    for beyond in [Int64.min, -2_208_988_800_001, 253_402_300_800_000, .max] {
      #expect(
        signed.fault(whole: beyond)
          == "is \(beyond) milliseconds since 1970; it must lie in the years 1900 to 9999")
    }
    #expect(try bounds("RatingQuestion", "rating").fault(number: .infinity) != nil)
    #expect(try bounds("RatingQuestion", "rating").fault(number: .nan) != nil)
  }

  @Test("a text has an end and no zero; a day is one of the calendar, a time one of the day")
  func texts() throws {
    let name = try bounds("ClinicGroup", "name")
    #expect(name.fault(text: String(repeating: "x", count: 65_536)) == nil)
    #expect(name.fault(text: String(repeating: "x", count: 65_537)) == "has 65537 bytes; it must have at most 65536")
    #expect(name.fault(text: "a\0b") == "holds a zero character, which cannot be stored")
    let date = try bounds("SlotTable", "date")
    #expect(date.fault(text: "2028-02-29") == nil)
    for text in ["2026-02-29", "2026-13-01", "26-01-01", "2026-1-1", "", "today\u{1B}"] {
      #expect(date.fault(text: text)?.contains("is not a date") == true)
    }
    let time = try bounds("CircuitRun", "startTime")
    #expect(time.fault(text: "23:59") == nil)
    for text in ["24:00", "9:00", "09:60", "09:00:00"] {
      #expect(time.fault(text: text) == "'\(text)' is not a time of day; write it as 09:00")
    }
  }

  @Test("a document has its shape, and what is wrong in it is named")
  func documents() throws {
    let places = try bounds("SlotTable", "places")
    #expect(places.fault(text: "[]") == nil)
    #expect(places.fault(text: #"[{"round":1,"planned":-5,"comes":7,"more":null}]"#) == nil)
    #expect(places.fault(text: #"["abc"]"#) == "entry 1 must be {round, planned, comes}, not a text")
    #expect(places.fault(text: #"[{"round":1,"planned":5}]"#) == "entry 1 has no 'comes'")
    #expect(
      places.fault(text: #"[{"round":0,"planned":5,"comes":7}]"#)
        == "entry 1 'round' is 0; it must be 1 to 10000")
    #expect(places.fault(text: "[")?.hasPrefix("is not JSON: ") == true)
    let settings = try bounds("Config", "settings")
    #expect(settings.fault(text: #"{"own":[1,{"a":null}],"backup":{"path":"/b","minutes":5}}"#) == nil)
    #expect(
      settings.fault(text: #"{"backup":{"path":"/b","minutes":9223372036854775807}}"#)
        == "'backup' 'minutes' is 9223372036854775807; it must be 0 to 10080")
    #expect(settings.fault(text: #"{"idleLockMinutes":10081}"#) != nil)
    #expect(
      settings.fault(text: #"{"phrases":{"A":["a"]}}"#) == nil && settings.fault(text: #"{"phrases":["a"]}"#) == nil)
    #expect(try bounds("ClinicGroup", "warnings").fault(text: #""liftupp""#) == nil)
  }

  @Test("the sample of a shape has that shape, and every attribute has bounds of its type")
  func samples() {
    for entity in Catalogue.standard.entities {
      for attribute in entity.attributes {
        if case .json(let shape, _) = attribute.bounds {
          #expect(attribute.bounds.fault(text: shape.sample) == nil, "\(entity.name).\(attribute.name)")
          #expect(attribute.type == .json)
        }
      }
    }
    let wrong = Entity(
      "A", .assessment, key: .dsid, sync: .down, table: "a", purpose: "",
      attributes: [.dsid, .integer16("few", 0...40_000), .integer16("late", 5...9).defaulting(to: .integer(1))],
      relationships: [])
    #expect(
      Catalogue(entities: [wrong]).problems() == [
        "A.few has bounds of another type.", "A.late: the default is 1; it must be 5 to 9.",
      ])
  }
}

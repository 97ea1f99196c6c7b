import ArgumentParser
import Catalogue
import Console

/// `osce schema`: the data model.
struct SchemaCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema", abstract: "Show the data model: entities, attributes, relationships.")

  @Flag(name: .long, help: "Print JSON.")
  var json = false

  @OptionGroup var options: StoreOptions

  func run() throws {
    let text = json ? SchemaDocument.json(.standard) + "\n" : SchemaDocument.text(.standard)
    try Output.standard.data(Array(text.utf8))
  }
}

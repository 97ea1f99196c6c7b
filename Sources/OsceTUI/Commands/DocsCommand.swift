import ArgumentParser
import Console

/// `osce docs cli`: prints the commands' help as the page `docs/cli.md` has it.
struct DocsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "docs", abstract: "Print parts of the documentation.", shouldDisplay: false)

  @Argument(help: "cli: the commands' help.")
  var page: String

  func validate() throws {
    if page != "cli" { throw ValidationError("there is no page \(page); the page is cli") }
  }

  func run() throws { Output.standard.text(DocsCommand.commands()) }

  /// The help of every command that is shown, in order.
  static func commands() -> String {
    var text = ""
    for command in Osce.configuration.subcommands where command.configuration.shouldDisplay {
      let help = Osce.helpMessage(for: command, columns: 100)
      text += "### osce \(command.configuration.commandName ?? "")\n\n```text\n\(help)\n```\n\n"
    }
    return text
  }
}

import ArgumentParser

/// What the hub takes and costs.
struct HubFigures: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "hub", abstract: "Figures of the hub and of the exchange with it.",
    subcommands: [HubRate.self, FirstSync.self, CrowdedHub.self, IdleDay.self, BackOnline.self, ManyExams.self],
    defaultSubcommand: HubRate.self)
}

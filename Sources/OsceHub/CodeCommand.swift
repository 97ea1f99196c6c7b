import ArgumentParser
import Console
import ExamStore
import Hub
import HubServer
import Sync

/// `osce-hub code`: a one-time code for a terminal.
struct CodeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "code", abstract: "Print a one-time code by which a terminal gets a place at an exam.")

  @Option(name: .long, help: "What the terminal is: station, desk, lead, office, auditor or display.")
  var role = "station"

  @Option(name: .long, help: "How many terminals may use it.")
  var uses = 1

  @Option(name: .long, help: "How long it lives, in minutes.")
  var minutes = 10

  @Option(name: .long, help: "Only this circuit, by its name; several: once for each.")
  var circuit: [String] = []

  @Option(name: .long, help: "A station's terminal: give it the rosters of this station, by its code.")
  var station: [String] = []

  @Option(name: .long, help: "With --station: also the sheets of this seat there; the lead assessor's is lead.")
  var seat: String?

  @Flag(name: .long, help: "A display: give it the candidates too.")
  var names = false

  @Flag(
    name: .long,
    help: "The whole exam, as for one store that serves a hall; a station's without --station or --circuit too.")
  var whole = false

  @Flag(name: .long, help: "For a hub that serves with --plain.")
  var plain = false

  @Flag(name: .long, help: "Also draw it as a QR code; needs libqrencode4.")
  var qr = false

  @OptionGroup var choice: ExamChoice
  @OptionGroup var options: HubOptions

  func run() async throws {
    guard let place = DeviceRole(rawValue: role) else {
      throw ValidationError("--role takes station, desk, lead, office, auditor or display; got '\(role)'")
    }
    guard 1...1000 ~= uses, 1...1440 ~= minutes else {
      throw ValidationError("--uses takes 1 to 1000, --minutes 1 to 1440")
    }
    if !station.isEmpty, place != .station { throw ValidationError("--station is for --role station") }
    if seat != nil, station.isEmpty { throw ValidationError("--seat is for --station") }
    if names, place != .display { throw ValidationError("--names is for --role display") }
    if whole, !circuit.isEmpty || !station.isEmpty {
      throw ValidationError("--whole is the whole exam: leave out --circuit and --station")
    }
    if !circuit.isEmpty, place == .office || place == .auditor {
      throw ValidationError("--circuit is not for --role office or auditor: they get the whole exam")
    }
    try await options.withHub { hub in try await printCode(for: place, at: hub) }
  }

  private func printCode(for place: DeviceRole, at hub: Hub) async throws {
    let exam = try await choice.chosen(in: hub)
    if let text = exam.importText { throw CommandFailure(text) }
    var scope = try await hub.choice(of: exam.id, circuits: circuit, stations: station, seat: seat)
    // Who has no passcode is signed in at no hub: a station's terminal that is given no part would get no roster then.
    let isWholeUnasked = !whole && place == .station && station.isEmpty && circuit.isEmpty
    (scope.showsNames, scope.isWhole) = (names, whole || isWholeUnasked)
    // Terminals that have a place talk to the key by which they got it alone.
    let hasTerminals = try await hub.devices(of: exam.id).devices.contains {
      DeviceRole(rawValue: $0.role) != nil && !$0.isRevoked
    }
    let makesKey = options.address == nil && !hasTerminals
    let pin = plain ? nil : try ServerKey(folder: options.folder(), makesKey: makesKey).pin
    var random = SystemRandomNumberGenerator()
    let code = EnrolmentCode.make(pin: pin, using: &random)
    // Drawn first: where it cannot be, no code is given away.
    let square = qr ? try QRCode("\(code)") : nil
    try await hub.keep(
      code: code.code, for: place, in: exam.id, uses: Int64(uses), seconds: Int64(minutes) * 60,
      scope: scope)
    Output.standard.line("CODE = \(code)")
    Output.standard.drawing(square?.lines ?? [])
    if isWholeUnasked {
      // Not on standard output: scripts read the code there.
      Output.failure.line(
        "osce-hub: this code gives the whole exam; for a station's part make another with --station CODE")
    }
  }
}

// swift-tools-version: 6.2
import PackageDescription

/// Every target of ours treats warnings as errors; packages keep their own settings.
let strict: [SwiftSetting] = [.treatAllWarnings(as: .error)]
/// What is not a test is optimised in debug builds too: tests then take a third of the time.
let product: [SwiftSetting] = strict + [.unsafeFlags(["-O"], .when(configuration: .debug))]

let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
let arguments = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let hummingbird = Target.Dependency.product(name: "Hummingbird", package: "hummingbird")
let hummingbirdCore = Target.Dependency.product(name: "HummingbirdCore", package: "hummingbird")
let lifecycle = Target.Dependency.product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
let hummingbirdTLS = Target.Dependency.product(name: "HummingbirdTLS", package: "hummingbird")
let httpClient = Target.Dependency.product(name: "AsyncHTTPClient", package: "async-http-client")
let certificates = Target.Dependency.product(name: "X509", package: "swift-certificates")
let tls = Target.Dependency.product(name: "NIOSSL", package: "swift-nio-ssl")
let nio = Target.Dependency.product(name: "NIOPosix", package: "swift-nio")
let nioEmbedded = Target.Dependency.product(name: "NIOEmbedded", package: "swift-nio")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let yams = Target.Dependency.product(name: "Yams", package: "Yams")

// Floors, lowest first. A module imports only modules above it in this list.
let package = Package(
  name: "osce",
  products: [
    .executable(name: "osce", targets: ["OsceTUI"]),
    .executable(name: "osce-hub", targets: ["OsceHub"]),
    .executable(name: "osce-sync", targets: ["OsceSync"]),
    .executable(name: "osce-xlsx", targets: ["OsceXLSX"]),
    .executable(name: "osce-bench", targets: ["OsceBench"]),
    .executable(name: "osce-faults", targets: ["OsceFaults"]),
    .executable(name: "osce-fuzz", targets: ["OsceFuzz"]),
    .executable(name: "osce-simulation", targets: ["OsceSimulation"]),
  ],
  dependencies: [
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
    .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
    // What only the hub and the uploader need: the terminal program loads none of it.
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: ["FullFoundation"]),
    .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
    .package(url: "https://github.com/apple/swift-certificates", from: "1.21.1"),
    .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
  ],
  targets: [
    .target(
      name: "CNcurses",
      linkerSettings: [.linkedLibrary("ncursesw"), .linkedLibrary("tinfo")]),
    .systemLibrary(name: "CZlib"),
    .systemLibrary(name: "CPostgres"),
    .systemLibrary(name: "CXLSXWriter"),
    .target(name: "RowStream", swiftSettings: product),
    .executableTarget(name: "OsceXLSX", dependencies: ["RowStream", "CXLSXWriter"], swiftSettings: product),
    .target(name: "Gzip", dependencies: ["CZlib"], swiftSettings: product),
    .target(name: "Characters", swiftSettings: product),
    .target(name: "Timer", dependencies: ["Characters"], swiftSettings: product),
    .target(name: "Standards", swiftSettings: product),
    .target(name: "Catalogue", dependencies: ["Characters"], swiftSettings: product),
    .target(name: "Journal", dependencies: ["Characters", crypto], swiftSettings: product),
    .target(
      name: "ExamStore", dependencies: ["Characters", "Catalogue", "Journal", "Timer", grdb], swiftSettings: product),
    .target(
      name: "CircuitModel",
      dependencies: [
        "Characters", "ExamStore", "Catalogue", "Journal", "Timer", grdb, crypto,
        .product(name: "CryptoExtras", package: "swift-crypto"),
      ],
      swiftSettings: product),
    .target(
      name: "Reports",
      dependencies: [
        "RowStream", "Standards", "Characters", "CircuitModel", "ExamStore", "Catalogue", "Journal", "Timer", grdb,
      ],
      swiftSettings: product),
    .target(
      name: "ExamFiles",
      dependencies: [
        "Gzip", "Standards", "Characters", "CircuitModel", "ExamStore", "Catalogue", "Journal", "Timer", grdb, yams,
      ],
      // A link to the fixture: the program carries these files as they are.
      resources: [.embedInCode("Examples/year3-osce")], swiftSettings: product),
    .target(
      name: "Console", dependencies: ["Characters", "ExamStore", arguments], swiftSettings: product),
    .target(name: "Sync", dependencies: ["Journal", "Catalogue"], swiftSettings: product),
    .target(
      name: "Hub",
      dependencies: ["Sync", "CircuitModel", "ExamStore", "Characters", "Catalogue", "Journal", "Timer", grdb],
      swiftSettings: product),
    .target(
      name: "HubPostgres", dependencies: ["Hub", "Sync", "Journal", "Timer", "CPostgres"], swiftSettings: product),
    .target(
      name: "StoreSync", dependencies: ["Sync", "CircuitModel", "ExamStore", "Journal", "Timer"], swiftSettings: product
    ),
    .target(
      name: "HubServer",
      dependencies: [
        "Sync", "Gzip", "Journal", hummingbird, hummingbirdCore, hummingbirdTLS, lifecycle, certificates, tls, crypto,
        logging,
      ],
      swiftSettings: product),
    .target(
      name: "HubTransport", dependencies: ["Sync", "Gzip", "Journal", httpClient, tls, nio], swiftSettings: product),
    .executableTarget(
      name: "OsceHub",
      dependencies: [
        "HubServer", "HubPostgres", "Hub", "StoreSync", "ExamFiles", "Reports", "Console", "CircuitModel", "ExamStore",
        "Sync", "Characters", "Journal", "Timer", arguments, logging,
      ],
      swiftSettings: product),
    .executableTarget(
      name: "OsceSync",
      dependencies: [
        "HubTransport", "StoreSync", "Console", "Sync", "CircuitModel", "ExamStore", "Timer", "Characters", arguments,
      ],
      swiftSettings: product),
    .target(name: "Terminal", dependencies: ["CNcurses", "Characters"], swiftSettings: product),
    .executableTarget(
      name: "OsceTUI",
      dependencies: [
        "ExamFiles", "Reports", "Standards", "Console", "CircuitModel", "ExamStore", "Terminal", "Characters",
        "Catalogue",
        "RowStream", "Journal", "Timer", grdb, arguments,
      ],
      swiftSettings: product),
    .executableTarget(name: "Generate", dependencies: ["Catalogue"], swiftSettings: product),

    // Fault tests and measurements: no part of the product.
    .target(name: "SeededNumbers", path: "Tools/SeededNumbers", swiftSettings: product),
    .target(name: "CSeededSystem", path: "Tools/Simulation/CSeededSystem"),
    .target(
      name: "Simulation",
      dependencies: [
        "CSeededSystem", "SeededNumbers", "StoreSync", "Hub", "Sync", "CircuitModel", "ExamStore", "Journal", "Timer",
        "Reports",
        grdb,
      ],
      path: "Tools/Simulation/Simulation", swiftSettings: product),
    .executableTarget(
      name: "OsceSimulation", dependencies: ["Simulation", "SeededNumbers", arguments],
      path: "Tools/Simulation/OsceSimulation", swiftSettings: product),
    .target(
      name: "BundleVariants", dependencies: ["Catalogue", grdb], path: "Tools/BundleVariants", swiftSettings: product),
    .target(
      name: "CRig", path: "Tools/Bench/CRig", linkerSettings: [.linkedLibrary("sqlite3"), .linkedLibrary("util")]),
    .target(
      name: "Rig", dependencies: ["CRig", "CircuitModel", "ExamStore", "Journal", "Timer", grdb, arguments],
      path: "Tools/Bench/Rig",
      swiftSettings: product),
    .target(
      name: "HubRig",
      dependencies: ["Rig", "CRig", "Hub", "StoreSync", "Sync", "CircuitModel", "ExamStore", "Journal", "Timer"],
      path: "Tools/Bench/HubRig", swiftSettings: product),
    .executableTarget(
      name: "OsceBench",
      dependencies: [
        "BadNetwork", "HubRig", "HubTransport", "HubPostgres", "Hub", "Sync", "Journal", "Rig", "CRig", "Reports",
        "CircuitModel", "ExamStore", "Timer", grdb,
        arguments,
      ],
      path: "Tools/Bench/OsceBench", swiftSettings: product),
    .target(
      name: "BadNetwork", dependencies: ["CRig", "Gzip", "SeededNumbers"], path: "Tools/Faults/BadNetwork",
      swiftSettings: product),
    .target(name: "CPowerCut", path: "Tools/Faults/CPowerCut", linkerSettings: [.linkedLibrary("sqlite3")]),
    .target(
      name: "Damage", dependencies: ["SeededNumbers", "Reports", "CircuitModel", "ExamStore", "Journal", grdb],
      path: "Tools/Faults/Damage", swiftSettings: product),
    .executableTarget(
      name: "OsceFaults",
      dependencies: [
        "BadNetwork", "HubRig", "SeededNumbers", "BundleVariants", "Rig", "CRig", "CPowerCut", "Damage", "Sync",
        "CircuitModel", "ExamStore", "Journal", "Timer", grdb, arguments,
      ],
      path: "Tools/Faults/OsceFaults",
      swiftSettings: product),
    // Inputs that libFuzzer makes up; it reads what the product keeps to itself, so it is built with testing enabled.
    .target(name: "CFuzz", path: "Tools/Fuzz/CFuzz"),
    .target(
      name: "FuzzTargets", dependencies: ["Characters", "ExamFiles", "Journal", "Terminal"],
      path: "Tools/Fuzz/FuzzTargets", swiftSettings: product),
    .executableTarget(
      name: "OsceFuzz", dependencies: ["CFuzz", "FuzzTargets"], path: "Tools/Fuzz/OsceFuzz", swiftSettings: product),
    .testTarget(name: "FuzzTargetsTests", dependencies: ["FuzzTargets"], swiftSettings: strict),

    // What tests need of the machine: threads, processes.
    .target(name: "SystemTesting", path: "Tests/SystemTesting", swiftSettings: product),
    .testTarget(name: "CharactersTests", dependencies: ["Characters"], swiftSettings: strict),
    .testTarget(name: "StandardsTests", dependencies: ["Standards", "SeededNumbers"], swiftSettings: strict),
    .testTarget(name: "TimerTests", dependencies: ["Timer", "SeededNumbers"], swiftSettings: strict),
    .testTarget(name: "CatalogueTests", dependencies: ["Catalogue"], swiftSettings: strict),
    .testTarget(
      name: "JournalTests", dependencies: ["Journal", "SeededNumbers"], exclude: ["Vectors"], swiftSettings: strict),
    .testTarget(
      name: "HubTests",
      dependencies: [
        "HubPostgres", "PostgresTesting", "SystemTesting", "Hub", "Sync", "CircuitModel", "ExamStore", "Journal",
        "SeededNumbers", yams,
      ],
      swiftSettings: strict),
    .target(
      name: "PostgresTesting", dependencies: ["HubPostgres", "SystemTesting"], path: "Tests/PostgresTesting",
      swiftSettings: strict),
    .testTarget(
      name: "HubServerTests",
      dependencies: [
        "OsceHub", "OsceSync", "HubServer", "HubTransport", "StoreSync", "Hub", "Console", "Sync", "CircuitModel",
        "ExamStore", "Journal", "SystemTesting", logging, nioEmbedded, lifecycle,
      ],
      swiftSettings: strict),
    .testTarget(
      name: "StoreSyncTests",
      dependencies: [
        "StoreSync", "Hub", "Sync", "CircuitModel", "Reports", "ExamStore", "Journal", "Timer", "SystemTesting",
        "SeededNumbers", grdb,
      ],
      swiftSettings: strict),
    .testTarget(name: "SimulationTests", dependencies: ["OsceSimulation", "SystemTesting"], swiftSettings: strict),
    .testTarget(
      name: "SyncTests", dependencies: ["Sync", "Journal", "SystemTesting", "SeededNumbers"], swiftSettings: strict),
    .testTarget(
      name: "CircuitModelTests",
      dependencies: [
        "Reports", "CircuitModel", "ExamStore", "Catalogue", "Journal", "Timer", "SystemTesting", "SeededNumbers",
        "Damage", grdb,
      ],
      exclude: ["Stores"],
      swiftSettings: strict),
    .testTarget(
      name: "ExamFilesTests",
      dependencies: [
        "Gzip", "ExamFiles", "Reports", "Standards", "CircuitModel", "ExamStore", "Catalogue", "Journal",
        "Timer", "SystemTesting", "SeededNumbers", grdb,
      ],
      swiftSettings: strict),
    .target(
      name: "TerminalTesting", dependencies: ["Terminal"], path: "Tests/TerminalTesting", swiftSettings: product),
    .executableTarget(
      name: "TerminalProbe", dependencies: ["Terminal"], path: "Tests/TerminalProbe", swiftSettings: strict),
    .testTarget(
      name: "TerminalTests",
      dependencies: ["Terminal", "TerminalTesting", "TerminalProbe", "SystemTesting", "Characters", "SeededNumbers"],
      exclude: ["Golden"],
      swiftSettings: strict),
    .testTarget(
      name: "OsceTUITests",
      dependencies: [
        "OsceTUI", "ExamFiles", "Reports", "Console", "CircuitModel", "ExamStore", "Terminal", "TerminalTesting",
        "SystemTesting",
        "Characters", "Catalogue", "RowStream", "Journal", "Timer", "SeededNumbers", "BundleVariants", grdb, arguments,
      ],
      exclude: ["Golden"],
      swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)

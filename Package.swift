// swift-tools-version: 6.2
import PackageDescription

/// Every target of ours treats warnings as errors; packages keep their own settings.
let strict: [SwiftSetting] = [.treatAllWarnings(as: .error)]

let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
let arguments = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let yams = Target.Dependency.product(name: "Yams", package: "Yams")

// Floors, lowest first. A module imports only modules above it in this list.
let package = Package(
  name: "osce",
  products: [
    .executable(name: "osce", targets: ["OsceTUI"]),
    .executable(name: "osce-bench", targets: ["OsceBench"]),
    .executable(name: "osce-faults", targets: ["OsceFaults"]),
    .executable(name: "osce-fuzz", targets: ["OsceFuzz"]),
  ],
  dependencies: [
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
    .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
  ],
  targets: [
    .target(
      name: "CNcurses",
      linkerSettings: [.linkedLibrary("ncursesw"), .linkedLibrary("tinfo")]),
    .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),
    .target(name: "Characters", swiftSettings: strict),
    .target(name: "Timer", swiftSettings: strict),
    .target(name: "Catalogue", dependencies: ["Characters"], swiftSettings: strict),
    .target(name: "Journal", dependencies: [crypto], swiftSettings: strict),
    .target(name: "ExamStore", dependencies: ["Catalogue", "Journal", "Timer", grdb], swiftSettings: strict),
    .target(
      name: "CircuitModel",
      dependencies: [
        "ExamStore", "Catalogue", "Journal", "Timer", grdb, crypto,
        .product(name: "CryptoExtras", package: "swift-crypto"),
      ],
      swiftSettings: strict),
    .target(
      name: "Reports",
      dependencies: ["Characters", "CircuitModel", "ExamStore", "Catalogue", "Journal", "Timer", grdb],
      swiftSettings: strict),
    .target(
      name: "ExamFiles",
      dependencies: ["CZlib", "Characters", "CircuitModel", "ExamStore", "Catalogue", "Journal", "Timer", grdb, yams],
      // A link to the fixture: the program carries these files as they are.
      resources: [.embedInCode("Examples/year3-osce")], swiftSettings: strict),
    .target(name: "Sync", dependencies: ["Journal", "Catalogue"], swiftSettings: strict),
    .target(
      name: "Hub", dependencies: ["Sync", "ExamStore", "Catalogue", "Journal", "Timer", grdb, crypto],
      swiftSettings: strict),
    .target(name: "Terminal", dependencies: ["CNcurses", "Characters"], swiftSettings: strict),
    .executableTarget(
      name: "OsceTUI",
      dependencies: [
        "ExamFiles", "Reports", "CircuitModel", "ExamStore", "Terminal", "Characters", "Catalogue", "Journal", "Timer",
        grdb,
        arguments,
      ],
      swiftSettings: strict),
    .executableTarget(name: "Generate", dependencies: ["Catalogue"], swiftSettings: strict),

    // Fault tests and measurements: no part of the product.
    .target(name: "SeededNumbers", path: "Tools/SeededNumbers", swiftSettings: strict),
    .target(
      name: "BundleVariants", dependencies: ["Catalogue"], path: "Tools/BundleVariants", swiftSettings: strict),
    .target(
      name: "CRig", path: "Tools/Bench/CRig", linkerSettings: [.linkedLibrary("sqlite3"), .linkedLibrary("util")]),
    .target(
      name: "Rig", dependencies: ["CRig", "CircuitModel", "ExamStore", "Journal", "Timer", grdb],
      path: "Tools/Bench/Rig",
      swiftSettings: strict),
    .executableTarget(
      name: "OsceBench", dependencies: ["Rig", "CRig", "CircuitModel", "ExamStore", "Timer", grdb, arguments],
      path: "Tools/Bench/OsceBench", swiftSettings: strict),
    .target(name: "CPowerCut", path: "Tools/Faults/CPowerCut", linkerSettings: [.linkedLibrary("sqlite3")]),
    .target(
      name: "Damage", dependencies: ["SeededNumbers", "Reports", "CircuitModel", "ExamStore", "Journal", grdb],
      path: "Tools/Faults/Damage", swiftSettings: strict),
    .executableTarget(
      name: "OsceFaults",
      dependencies: [
        "SeededNumbers", "BundleVariants", "Rig", "CRig", "CPowerCut", "Damage", "CircuitModel", "ExamStore", "Timer",
        grdb, arguments,
      ],
      path: "Tools/Faults/OsceFaults",
      swiftSettings: strict),
    // Inputs that libFuzzer makes up; it reads what the product keeps to itself, so it is built with testing enabled.
    .target(name: "CFuzz", path: "Tools/Fuzz/CFuzz"),
    .target(
      name: "FuzzTargets", dependencies: ["Characters", "ExamFiles", "Journal", "Terminal"],
      path: "Tools/Fuzz/FuzzTargets", swiftSettings: strict),
    .executableTarget(
      name: "OsceFuzz", dependencies: ["CFuzz", "FuzzTargets"], path: "Tools/Fuzz/OsceFuzz", swiftSettings: strict),
    .testTarget(name: "FuzzTargetsTests", dependencies: ["FuzzTargets"], swiftSettings: strict),

    .testTarget(name: "CharactersTests", dependencies: ["Characters"], swiftSettings: strict),
    .testTarget(name: "TimerTests", dependencies: ["Timer", "SeededNumbers"], swiftSettings: strict),
    .testTarget(name: "CatalogueTests", dependencies: ["Catalogue"], swiftSettings: strict),
    .testTarget(
      name: "JournalTests", dependencies: ["Journal", "SeededNumbers"], exclude: ["Vectors"], swiftSettings: strict),
    .testTarget(name: "HubTests", dependencies: ["Hub", "Sync", "ExamStore", "Journal", "SeededNumbers"], swiftSettings: strict),
    .testTarget(name: "SyncTests", dependencies: ["Sync", "Journal", "SeededNumbers"], swiftSettings: strict),
    .testTarget(
      name: "CircuitModelTests", dependencies: ["Reports", "CircuitModel", "ExamStore", "SeededNumbers", "Damage"],
      exclude: ["Stores"],
      swiftSettings: strict),
    .testTarget(
      name: "ExamFilesTests",
      dependencies: [
        "CZlib", "ExamFiles", "Reports", "CircuitModel", "ExamStore", "Catalogue", "Journal", "SeededNumbers", grdb,
      ],
      swiftSettings: strict),
    .target(
      name: "TerminalTesting", dependencies: ["Terminal"], path: "Tests/TerminalTesting", swiftSettings: strict),
    .executableTarget(
      name: "TerminalProbe", dependencies: ["Terminal"], path: "Tests/TerminalProbe", swiftSettings: strict),
    .testTarget(
      name: "TerminalTests", dependencies: ["Terminal", "TerminalTesting", "TerminalProbe", "SeededNumbers"],
      exclude: ["Golden"],
      swiftSettings: strict),
    .testTarget(
      name: "OsceTUITests",
      dependencies: ["OsceTUI", "TerminalTesting", "Characters", "SeededNumbers", "BundleVariants"],
      exclude: ["Golden"],
      swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)

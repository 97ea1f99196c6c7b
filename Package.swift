// swift-tools-version: 6.2
import PackageDescription

/// Every target of ours treats warnings as errors; packages keep their own settings.
let strict: [SwiftSetting] = [.treatAllWarnings(as: .error)]


// Floors, lowest first. A module imports only modules above it in this list.
let package = Package(
  name: "osce",
  targets: [
    .target(name: "Timer", swiftSettings: strict),
    .target(name: "Catalogue", swiftSettings: strict),
    .executableTarget(name: "Generate", dependencies: ["Catalogue"], swiftSettings: strict),

    // Fault tests and measurements: no part of the product.
    .testTarget(name: "TimerTests", dependencies: ["Timer"], swiftSettings: strict),
    .testTarget(name: "CatalogueTests", dependencies: ["Catalogue"], swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)

// swift-tools-version: 6.2
import PackageDescription

/// Every target of ours treats warnings as errors; packages keep their own settings.
let strict: [SwiftSetting] = [.treatAllWarnings(as: .error)]


// Floors, lowest first. A module imports only modules above it in this list.
let package = Package(
  name: "osce",
  targets: [
    .target(name: "Timer", swiftSettings: strict),
    .testTarget(name: "TimerTests", dependencies: ["Timer"], swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)

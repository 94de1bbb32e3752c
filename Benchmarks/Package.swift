// swift-tools-version: 6.2

import PackageDescription

let settings: [SwiftSetting] = [
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

// A package of its own, so that nobody fetches or builds it who only uses the library. It measures the program that
// users run, and so depends on nothing but Swift.
let package = Package(
    name: "pip-bench",
    targets: [
        .executableTarget(name: "pip-bench", swiftSettings: settings),
        .testTarget(name: "PipBenchTests", dependencies: ["pip-bench"], swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)

// swift-tools-version: 6.2

import PackageDescription

let settings: [SwiftSetting] = [
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

// A package of its own: it depends on nothing of what it tests, and builds in seconds.
let package = Package(
    name: "run-tests",
    targets: [
        .target(name: "TestRuns", swiftSettings: settings),
        .executableTarget(name: "run-tests", dependencies: ["TestRuns"], swiftSettings: settings),
        .testTarget(name: "TestRunsTests", dependencies: ["TestRuns"], swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)

// swift-tools-version: 6.2

import PackageDescription

// A package of its own, so that nobody fetches or builds it who only uses the library. It measures the program that users run, and so
// depends on nothing but Swift.
let package = Package(
    name: "pip-bench",
    targets: [
        .executableTarget(
            name: "pip-bench",
            swiftSettings: [
                .strictMemorySafety(),
                .treatAllWarnings(as: .error),
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("InternalImportsByDefault"),
                .enableUpcomingFeature("MemberImportVisibility"),
            ])
    ],
    swiftLanguageModes: [.v6]
)

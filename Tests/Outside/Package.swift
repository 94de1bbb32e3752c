// swift-tools-version: 6.2

import PackageDescription

// A package as a user's: it depends on the library by path and without its traits, has Swift's own settings, and no
// access but to public declarations. It shares its sources with a test target of the library's package.
let package = Package(
    name: "outside",
    dependencies: [.package(name: "pip-compose", path: "../..", traits: [])],
    targets: [
        .testTarget(
            name: "OutsideTests",
            dependencies: [
                .product(name: "PipCompose", package: "pip-compose"),
                .product(name: "PipText", package: "pip-compose"),
            ],
            sources: ["OwnNodeTests.swift", "NumberedFrames.swift", "CollectingSink.swift"],
            swiftSettings: [.treatAllWarnings(as: .error)])
    ],
    swiftLanguageModes: [.v6]
)

// swift-tools-version: 6.2

import PackageDescription

// A package as a user would write it: it depends on the library by path, without traits, and sees public declarations
// only.
//
// The library's package builds the same sources as a test target.
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

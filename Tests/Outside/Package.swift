// swift-tools-version: 6.2

import PackageDescription

// A package of its own, as a user's: it depends on the library by path, has Swift's own settings, and no access but to
// public declarations. The documentation's examples are compiled and run here.
let package = Package(
    name: "outside",
    dependencies: [.package(name: "pip-compose", path: "../..", traits: ["Media"])],
    targets: [
        .testTarget(
            name: "OutsideTests",
            dependencies: [
                .product(name: "PipCompose", package: "pip-compose"),
                .product(name: "PipText", package: "pip-compose"),
                .product(name: "PipMedia", package: "pip-compose"),
            ],
            swiftSettings: [.treatAllWarnings(as: .error)])
    ],
    swiftLanguageModes: [.v6]
)

// swift-tools-version: 6.2

import PackageDescription

let settings: [SwiftSetting] = [
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let system = Target.Dependency.product(name: "SystemPackage", package: "swift-system")

/// A module of the library, with the modules below that it may import.
func module(
    _ name: String, _ dependencies: [Target.Dependency], resources: [Resource]? = nil
) -> Target {
    .target(name: name, dependencies: dependencies, resources: resources, swiftSettings: settings)
}

/// A system library, named by its Debian package, and found by pkg-config where it has a file for that.
func systemLibrary(_ name: String, pkgConfig: String? = nil, package: String) -> Target {
    .systemLibrary(name: name, path: libraries + name, pkgConfig: pkgConfig, providers: [.apt([package])])
}

/// A shim in C for a library of the system or for calls of Linux.
func shim(_ name: String) -> Target { .target(name: name, path: libraries + name) }

/// The folder of the modules in C that lead to libraries of the system.
let libraries = "Sources/Libraries/"

/// A product of SwiftNIO, which is needed for the panel only.
func nio(_ name: String) -> Target.Dependency {
    .product(name: name, package: "swift-nio", condition: .when(traits: ["Control"]))
}

/// A target that is needed for movies, streams and sound only.
func media(_ name: String) -> Target.Dependency { .target(name: name, condition: .when(traits: ["Media"])) }

/// A target that is needed for the panel and the broker only.
func control(_ name: String) -> Target.Dependency { .target(name: name, condition: .when(traits: ["Control"])) }

/// A test target, with what it may import besides the shared test support.
///
/// Tests that compute whole pictures themselves are optimized. All others are compiled in half the time without.
func tests(
    _ name: String, _ dependencies: [Target.Dependency], path: String? = nil, exclude: [String] = [],
    isOptimized: Bool = false
) -> Target {
    .testTarget(
        name: name, dependencies: dependencies + ["PipTestSupport"], path: path, exclude: exclude,
        swiftSettings: settings + (isOptimized ? [] : [unoptimized]))
}

/// The flags of unoptimized test targets, whose interfaces need no separate step, since no other module imports them.
let unoptimized = SwiftSetting.unsafeFlags(["-Onone", "-no-emit-module-separately-wmo"])

let package = Package(
    name: "pip-compose",
    products: [
        .library(name: "PipCompose", targets: ["PipCompose"]),
        // Apart, so that apps with cameras need no demo pictures, and who draws no text needs no FreeType.
        .library(name: "PipPatterns", targets: ["PipPatterns"]),
        .library(name: "PipText", targets: ["PipText"]),
        // Movies, streams and sound: apart, so that apps without them need no GStreamer.
        .library(name: "PipMedia", targets: ["PipMedia"]),
        // Configuration, HTTP API and page: apart, so that apps without them need no server.
        .library(name: "PipControl", targets: ["PipControl"]),
        .executable(name: "pip-compose", targets: ["pip-compose"]),
    ],
    traits: [
        .trait(name: "Media", description: "Movies, streams and sound, by GStreamer."),
        .trait(name: "Control", description: "The panel: an HTTP API and a page, by SwiftNIO."),
        .default(enabledTraits: ["Media", "Control"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
        .package(url: "https://github.com/apple/swift-system", from: "1.8.0"),
    ],
    targets: [
        // System libraries and C shims.
        systemLibrary("CFreeType", pkgConfig: "freetype2", package: "libfreetype-dev"),
        systemLibrary("CFontconfig", pkgConfig: "fontconfig", package: "libfontconfig-dev"),
        systemLibrary("CSPNG", pkgConfig: "spng", package: "libspng-dev"),
        systemLibrary("CTurboJPEG", pkgConfig: "libturbojpeg", package: "libturbojpeg0-dev"),
        systemLibrary("CWebP", pkgConfig: "libwebpdemux", package: "libwebp-dev"),
        systemLibrary("CSQLite", pkgConfig: "sqlite3", package: "libsqlite3-dev"),
        systemLibrary("CYAML", pkgConfig: "yaml-0.1", package: "libyaml-dev"),
        systemLibrary("CExpat", pkgConfig: "expat", package: "libexpat1-dev"),
        systemLibrary("CYUV", package: "libyuv-dev"),
        systemLibrary("CV4LConvert", pkgConfig: "libv4lconvert", package: "libv4l-dev"),
        systemLibrary(
            "CGStreamer",
            pkgConfig: "gstreamer-1.0 gstreamer-app-1.0 gstreamer-video-1.0 gstreamer-sdp-1.0 gio-unix-2.0",
            package: "libgstreamer-plugins-base1.0-dev"),
        // Libraries that are found at run time, when they are first wanted: EGL, OpenGL ES and GBM, libcurl, HarfBuzz
        // with FriBidi, Avahi, and gdk-pixbuf. Their headers, but for the last one's: libegl-dev, libgles-dev, libgbm-dev,
        // libcurl4-openssl-dev, libharfbuzz-dev, libfribidi-dev.
        shim("CGL"),
        shim("CCurl"),
        // The client of MQTT.
        shim("CMosquitto"),
        // GStreamer's RTSP server.
        .target(name: "CRTSPServer", dependencies: ["CGStreamer"], path: libraries + "CRTSPServer"),
        shim("CAvahi"),
        shim("CShaping"),
        shim("CPixbuf"),
        shim("CV4L2"),
        // Its header: libdrm-dev, of which nothing is linked.
        shim("CDisplay"),
        shim("CPlatform"),

        // Values and threads that everything shares.
        module("PipFrames", []),
        module("PipConcurrency", ["PipFrames", "CPlatform", system]),

        module("PipSound", ["PipFrames"]),

        // What the user says, and what the machine will draw.
        // `GLSL` leads to `Shaders/`.
        module("PipEffects", ["PipFrames"], resources: [.embedInCode("GLSL")]),
        module("PipGraph", ["PipFrames", "PipEffects"]),
        module("PipPlan", ["PipFrames", "PipGraph", "PipEffects"]),

        // Where frames enter and leave.
        module("PipCodecs", ["PipFrames", "CSPNG", "CTurboJPEG", "CWebP", "CPixbuf", "CYUV"]),
        module(
            "PipCapture",
            ["PipFrames", "PipConcurrency", "PipCodecs", "CV4L2", "CV4LConvert", "CYUV", system, logging]),
        module("PipPressure", ["PipFrames", "PipConcurrency", "CPlatform", system]),
        module("PipInputs", ["PipFrames", "PipConcurrency", "CPlatform", system]),
        module("PipSources", ["PipFrames", "PipConcurrency", "PipCodecs", "PipSound", "CPlatform", system]),
        module("PipSinks", ["PipFrames", "PipConcurrency", "PipCodecs", "PipSound", "CPlatform", system]),

        module(
            "PipVirtualCamera",
            ["PipFrames", "PipConcurrency", "PipPixels", "PipCapture", "PipSinks", "CV4L2", system]),

        module(
            "PipDisplay",
            ["PipFrames", "PipConcurrency", "PipPixels", "PipSinks", "CDisplay", "CPlatform", system]),

        // What draws: the GPU's objects, rows of pixels on the CPU, and above both what executes plans with them.
        module("PipGL", ["PipFrames", "PipConcurrency", "CGL", system]),
        .target(name: "CPixels"),
        module(
            "PipPixels", ["PipFrames", "PipConcurrency", "PipPlan", "PipEffects", "PipGraph", "CPixels", "CYUV"]),
        module(
            "PipRender",
            ["PipFrames", "PipConcurrency", "PipEffects", "PipGraph", "PipPlan", "PipPixels", "PipGL", system]),

        // The public library and the command.
        module(
            "PipCompose",
            [
                "PipFrames", "PipConcurrency", "PipCodecs", "PipGraph", "PipPlan", "PipEffects", "PipCapture",
                "PipSources", "PipSinks", "PipSound", "PipVirtualCamera", "PipDisplay", "PipPressure", "PipGL",
                "PipPixels",
                "PipRender", system, logging,
            ]),
        module("PipPatterns", ["PipCompose", "PipSources", "PipGraph", "PipFrames", "PipConcurrency"]),
        module(
            "PipText",
            [
                "PipCompose", "PipSources", "PipGraph", "PipFrames", "PipConcurrency", "CFreeType", "CFontconfig",
                "CShaping", system,
            ]),
        // Without the trait its files are empty, and nothing is linked.
        module(
            "PipMedia",
            [
                "PipCompose", "PipCapture", "PipSources", "PipSinks", "PipSound", "PipPressure", "PipGraph",
                "PipCodecs",
                "PipConcurrency", "PipFrames", "CYUV", media("CGStreamer"), media("CCurl"),
                media("CRTSPServer"), media("CAvahi"), system,
            ]),
        // The recordings in a folder, found again. Without the trait its files are empty, and nothing is linked.
        module(
            "PipRecordings",
            ["PipMedia", "PipSources", "PipSinks", "PipConcurrency", "PipFrames", media("CSQLite"), system]),
        // A whole composition as a value: what options and configuration files say, and what follows it while it runs.
        module(
            "PipRig",
            [
                "PipCompose", "PipPatterns", "PipText", "PipSources", "PipSinks", "PipInputs", "PipFrames",
                media("PipMedia"), media("PipRecordings"), "CYAML", "CExpat", logging,
            ]),
        // The panel. Without the trait its files are empty, and nothing is linked.
        module(
            "PipControl",
            [
                "PipRig", "PipCompose", "PipPatterns", "PipText", "PipCodecs", "PipConcurrency", "PipFrames",
                "CPlatform", control("CMosquitto"), media("PipMedia"), media("PipRecordings"),
                nio("NIOCore"), nio("NIOPosix"), nio("NIOHTTP1"),
                logging,
            ], resources: [.embedInCode("Page")]),
        .executableTarget(
            name: "pip-compose",
            dependencies: [
                "PipControl", "PipRig", "PipCompose", "PipPatterns", "PipSources", "PipSinks", "PipPressure",
                "PipInputs", "PipConcurrency", "CPlatform",
                media("PipMedia"), media("PipRecordings"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"), logging,
            ],
            swiftSettings: settings),

        // Makes `Sources/CPixels/Generated` of `Shaders`: run by `make lanes`.
        .executableTarget(name: "glsl-lanes", dependencies: ["PipEffects"], swiftSettings: settings),

        // Makes the manual pages of what the command says of itself: run by `make deb`.
        .executableTarget(name: "pip-manual", swiftSettings: settings),

        // Measures the program that users run, beside others; it is no product, so that users do not build it.
        .executableTarget(name: "pip-bench", path: "Benchmarks/Sources/pip-bench", swiftSettings: settings),

        // Runs the tests.
        .target(name: "TestRuns", path: "Tests/Runner/Sources/TestRuns", swiftSettings: settings),
        .executableTarget(
            name: "run-tests", dependencies: ["TestRuns"], path: "Tests/Runner/Sources/run-tests",
            swiftSettings: settings),

        // Tests.
        tests("TestRunsTests", ["TestRuns", "run-tests"], path: "Tests/Runner/Tests/TestRunsTests"),
        tests("PipBenchTests", ["pip-bench"], path: "Benchmarks/Tests/PipBenchTests"),
        // As a user's: public declarations alone. The documentation's examples are compiled and run here.
        .testTarget(
            name: "OutsideTests", dependencies: ["PipCompose", "PipText", media("PipMedia")], packageAccess: false,
            swiftSettings: [.treatAllWarnings(as: .error), unoptimized]),
        .target(
            name: "PipTestSupport",
            dependencies: [
                "PipFrames", "PipConcurrency", "PipCapture", "PipCodecs", "PipEffects", "PipInputs", "CV4L2",
                "CTurboJPEG", system,
            ],
            path: "Tests/PipTestSupport", swiftSettings: settings),
        // What uses a panel as people and programs do: a browser, and a client of the API.
        .target(
            name: "PipPanelSupport", dependencies: ["PipRig", "PipTestSupport", "CPlatform"],
            path: "Tests/PipPanelSupport", swiftSettings: settings),
        tests("GLSLLanesTests", ["glsl-lanes", "CPixels"]),
        tests("PipFramesTests", ["PipFrames"]),
        tests("PipConcurrencyTests", ["PipConcurrency", "PipFrames"]),
        tests("PipEffectsTests", ["PipEffects", "PipFrames"]),
        tests("PipGraphTests", ["PipGraph", "PipEffects", "PipFrames"]),
        tests("PipPlanTests", ["PipPlan", "PipGraph", "PipEffects", "PipFrames"]),
        tests("PipCodecsTests", ["PipCodecs", "PipFrames"]),
        tests("PipSoundTests", ["PipSound", "PipFrames"]),
        tests("PipCaptureTests", ["PipCapture", "PipCodecs", "PipFrames", "PipConcurrency", "CV4L2", system]),
        tests("PipPressureTests", ["PipPressure", "PipFrames", "PipConcurrency", system]),
        tests("PipInputsTests", ["PipInputs", "PipFrames", "PipConcurrency", system]),
        tests("PipSourcesTests", ["PipSources", "PipCodecs", "PipSound", "PipFrames", "PipConcurrency"]),
        tests("PipPatternsTests", ["PipPatterns", "PipSources", "PipFrames"]),
        tests("PipSinksTests", ["PipSinks", "PipCodecs", "PipSound", "PipFrames", "PipConcurrency", system]),
        tests(
            "PipVirtualCameraTests",
            ["PipVirtualCamera", "PipSinks", "PipCapture", "PipFrames", "PipConcurrency", "CV4L2", system]),
        tests(
            "PipDisplayTests",
            [
                "PipDisplay", "PipCompose", "PipPatterns", "PipPixels", "PipSinks", "PipGraph", "PipFrames",
                "PipConcurrency",
            ]),
        tests("PipGLTests", ["PipGL", "PipFrames", "PipConcurrency", system]),
        tests("PipPixelsTests", ["PipPixels", "PipPlan", "PipGraph", "PipFrames"]),
        tests(
            "PipRenderTests",
            [
                "PipRender", "PipPixels", "PipGL", "PipPlan", "PipGraph", "PipEffects", "PipCodecs", "PipFrames",
                "PipConcurrency", system,
            ], isOptimized: true),
        tests(
            "PipTextTests",
            [
                "PipText", "PipCompose", "PipPatterns", "PipCodecs", "PipSources", "PipGraph", "PipFrames",
                "PipConcurrency", "CFreeType",
            ]),
        tests(
            "PipMediaTests",
            [
                "PipMedia", "PipCompose", "PipPatterns", "PipCapture", "PipSources", "PipSinks", "PipSound",
                "PipPressure", "PipConcurrency", "PipFrames", "CPlatform", system,
            ]),
        tests(
            "PipRecordingsTests",
            [
                "PipRecordings", "PipMedia", "PipCompose", "PipPatterns", "PipSources", "PipSinks", "PipConcurrency",
                "PipFrames",
            ]),
        tests(
            "PipRigTests",
            [
                "PipRig", "PipCapture", "PipCompose", "PipConcurrency", "PipPatterns", "PipPressure", "PipSound",
                "PipPlan", "PipInputs", "PipText",
            ]),
        tests(
            "PipControlTests",
            [
                "PipPanelSupport", "PipControl", "PipRig", "PipCompose", "PipCapture", "PipConcurrency", "PipFrames",
                "PipText", "PipPatterns", media("PipMedia"), "CV4L2",
            ]),
        tests("ModuleBoundaryTests", ["TestRuns"]),
        tests(
            "CommandTests",
            [
                "pip-compose", "PipRig", "PipCompose", "PipPatterns", "PipCapture", "PipVirtualCamera", "PipPlan",
                "PipInputs", "PipPressure", "PipSound", "CV4L2", system, logging,
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),
        tests(
            "PackagingTests",
            ["pip-compose", "pip-manual", "PipPanelSupport", "PipRig"]),
        tests("GoldenTests", ["PipCompose", "PipPatterns", "PipCodecs", "PipFrames"], exclude: ["Goldens"]),
        tests(
            "PipComposeTests",
            [
                "PipCompose", "PipPatterns", "PipCapture", "PipCodecs", "PipConcurrency", "PipFrames", "PipGraph",
                "CV4L2",
            ]),
        tests(
            "LabTests",
            [
                "PipCompose", "PipPatterns", "PipCapture", "PipPressure", "PipSinks", "PipFrames", "PipGraph",
                "PipConcurrency", "PipDisplay", "PipRig", "PipInputs", "PipControl", "PipPanelSupport",
                media("PipMedia"),
                "CDisplay", "CPlatform", "CV4L2", system,
            ]),
    ],
    swiftLanguageModes: [.v6],
    cxxLanguageStandard: .cxx20
)

// `Tests/fuzz` sets it: the command becomes a module, and a program of libFuzzer's hands its parsers and all others
// hostile input.
if Context.environment["PIP_FUZZ"] != nil {
    let command = package.targets.first { $0.name == "pip-compose" }
    package.targets.removeAll { $0.isTest || $0.name == "pip-compose" }
    package.products = [.executable(name: "pip-fuzz", targets: ["pip-fuzz"])]
    package.targets += [
        .target(
            name: "pip-compose", dependencies: command?.dependencies ?? [],
            swiftSettings: settings + [
                .unsafeFlags(["-Xfrontend", "-entry-point-function-name", "-Xfrontend", "pip_compose_main"])
            ]),
        .executableTarget(
            name: "pip-fuzz",
            dependencies: [
                "pip-compose", "PipRig", "PipCompose", "PipCapture", "PipCodecs", "PipConcurrency", "PipFrames",
                "PipEffects", "PipGraph", "PipInputs", "PipPlan", "PipPixels", "PipRender", "PipGL", "PipSources",
                "PipSound", "PipTestSupport",
                "CV4L2",
                system,
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Tests/Fuzz", exclude: ["Seeds"], swiftSettings: settings),
    ]
    // Only what parses and plans is watched: the fuzzer looks at every branch there is after every run, taken or not.
    let sanitizers = ["-sanitize=fuzzer,address"]
    let watched = [
        "PipFrames", "PipCodecs", "PipSound", "PipCapture", "PipSources", "PipEffects", "PipPressure", "PipPlan",
        "PipInputs", "PipPixels", "PipRig", "pip-compose", "pip-fuzz",
    ]
    for target in package.targets {
        if watched.contains(target.name) { target.swiftSettings?.append(.unsafeFlags(sanitizers)) }
        if target.name == "PipRender" { target.swiftSettings?.append(.unsafeFlags(["-sanitize=address"])) }
        if target.name == "CPixels" { target.cxxSettings = [.unsafeFlags(["-fsanitize=address"])] }
    }
    package.targets.last?.linkerSettings = [.unsafeFlags(sanitizers)]
}

// `Tests/run sanitize` sets it: the test targets that are built, with what they need and nothing else.
if let suites = Context.environment["PIP_SUITES"] {
    var needed = suites.split(separator: " ").map(String.init)
    var next = 0
    while next < needed.count {
        let target = package.targets.first { $0.name == needed[next] }
        let names = target?.dependencies.compactMap(\.targetName) ?? []
        needed += names.filter { !needed.contains($0) }
        next += 1
    }
    package.targets.removeAll { !needed.contains($0.name) }
    package.products = []
}

extension Target.Dependency {
    /// The target that it names; nil for another package's product.
    fileprivate var targetName: String? {
        switch self {
        case .targetItem(let name, _), .byNameItem(let name, _): name
        default: nil
        }
    }
}

import Foundation
import PipTestSupport
import Testing

/// Tests the Debian package of the program that was built with the tests.
@Suite("The Debian package", .serialized, .needs("dpkg-deb", "dpkg-shlibdeps"))
struct PackageTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// The folder of the package, which stays on the disk.
    ///
    /// The tests of the suite share the package, and no test is known to be the last one.
    private static let place = Place.programs.appending(path: "test-package")
    private static let package = Task { try await DebianPackage.make(in: place) }

    @Test("the package declares its version, dependencies and recommendations")
    func control() async throws {
        let package = try await Self.package.value
        let version = try await Tool([Place.program.path, "--version"]).said.split(separator: "\n")[0]
        func field(_ name: String) async throws -> String {
            try await Tool(["dpkg-deb", "--field", package, name]).said
        }
        #expect(try await field("Version") == "\(version)-1\n")
        #expect(try await field("Depends").contains("libwebp7 (>= "))
        let recommended = try await field("Recommends")
        #expect(recommended.contains("gstreamer1.0-plugins-good") && recommended.contains("libegl1"))
        #expect(!recommended.contains("#"))
    }

    @Test("the package contains the program, its unit, manual pages, completions and licenses")
    func contents() async throws {
        let package = try await Self.package.value
        let contents = try await Tool(["dpkg-deb", "--contents", package]).said
        for path in [
            "usr/bin/pip-compose", "usr/lib/systemd/system/pip-compose@.service", "etc/pip-compose/example.yaml",
            "usr/share/man/man1/pip-compose.1.gz", "usr/share/man/man1/pip-compose-compose.1.gz",
            "usr/share/bash-completion/completions/pip-compose", "usr/share/zsh/vendor-completions/_pip-compose",
            "usr/share/fish/vendor_completions.d/pip-compose.fish", "usr/share/doc/pip-compose/copyright",
            "usr/share/icons/hicolor/scalable/apps/pip-compose.svg", "usr/share/doc/pip-compose/examples/Containerfile",
        ] { #expect(contents.contains("./\(path)\n"), "\(path)") }
        let copyright = try String(
            contentsOfFile: Self.place.path + "/tree/usr/share/doc/pip-compose/copyright", encoding: .utf8)
        #expect(copyright.contains("the pip-compose authors") && copyright.contains("swift-nio/LICENSE"))
    }

    @Test(
        "the bill of materials is valid for another program, the same twice, and names what is linked",
        .enabled(if: PythonPackages.areInstalled, "needs the Python packages that `make test-setup` installs"))
    func bill() async throws {
        let resolved = Place.packaging.deletingLastPathComponent().appending(path: "Package.resolved").path
        let words = [Place.packaging.appending(path: "sbom").path, try await Self.package.value, resolved]
        let bill = try await Tool(words, environment: ["SOURCE_DATE_EPOCH": "1772366400"])
        try #require(bill.status == 0, "\(bill.said)")
        #expect(try await Tool(words, environment: ["SOURCE_DATE_EPOCH": "1772366400"]).said == bill.said)
        for part in ["\"pip-compose\"", "\"swift-nio\"", "pkg:deb/debian/libwebp7", "\"2026-03-01T12:00:00Z\""] {
            #expect(bill.said.contains(part), "\(part)")
        }
        let nio = ["SPDXRef-pip-compose", "STATIC_LINK", "SPDXRef-swift-nio"]
        let relation = zip(["spdxElementId", "relationshipType", "relatedSpdxElement"], nio).map {
            "\"\($0)\": \"\($1)\""
        }
        #expect(bill.said.contains(relation.joined(separator: ",\n      ")))
        try folder.write(Array(bill.said.utf8), to: "bill.spdx.json")
        let judged = try await PythonPackages.run("pyspdxtools", ["--infile", "bill.spdx.json"], in: folder.url)
        #expect(judged.status == 0, "\(judged.said)")
    }

    @Test("lintian finds nothing without an override", .needs("lintian"))
    func lint() async throws {
        // Suppresses the tag about library paths: a test build loads the Swift libraries of the toolchain.
        let lintian = try await Tool([
            "lintian", "--allow-root", "--fail-on", "error,warning", "--suppress-tags", "custom-library-search-path",
            try await Self.package.value,
        ])
        #expect(lintian.status == 0, "\(lintian.said)")
    }

    @Test(
        "the package installs and runs, and a purge removes all of its files",
        .enabled(if: geteuid() == 0, "needs root"))
    func installs() async throws {
        let package = try await Self.package.value
        let root = folder.url.appending(path: "root")
        for path in ["var/lib/dpkg/info", "var/lib/dpkg/updates", "etc/systemd/system/multi-user.target.wants"] {
            try FileManager.default.createDirectory(
                at: root.appending(path: path), withIntermediateDirectories: true)
        }
        try Data().write(to: root.appending(path: "var/lib/dpkg/status"))
        func dpkg(_ words: String...) async throws {
            let dpkg = try await Tool(
                [
                    "dpkg", "--root=\(root.path)", "--force-depends", "--force-script-chrootless",
                    "--log=\(folder.path("log"))",
                ] + words)
            #expect(dpkg.status == 0, "\(dpkg.said)")
        }
        try await dpkg("--install", package)
        let run = try await Tool(
            [
                root.appending(path: "usr/bin/pip-compose").path, "--main", "pattern:bars?size=64x32", "--frames", "3",
                "--output", "out.i420",
            ], in: folder.url)
        #expect(run.status == 0, "\(run.said)")
        #expect(try folder.read("out.i420").count == 3 * 64 * 32 * 3 / 2)
        // `systemctl enable` would make this link.
        try FileManager.default.createSymbolicLink(
            atPath: root.path + "/etc/systemd/system/multi-user.target.wants/pip-compose@road.service",
            withDestinationPath: "/usr/lib/systemd/system/pip-compose@.service")
        try await dpkg("--purge", "pip-compose")
        let left = try FileManager.default.subpathsOfDirectory(atPath: root.path).filter { $0.contains("pip-compose") }
        #expect(left == [])
    }
}

import Foundation
import PipTestSupport

/// The package's files, unpacked into a folder that replaces the machine's `/`, and the service `pip-compose@car`.
///
/// The test starts and stops the unit's own command line as a service manager would.
final class InstalledService: Sendable {
    private let root: TemporaryFolder

    /// Unpacks a package.
    init(_ package: String) async throws {
        root = try TemporaryFolder()
        let unpacked = try await Tool(["dpkg-deb", "--extract", package, root.url.path])
        guard unpacked.status == 0 else { throw FirstDayFailure(unpacked.said) }
        // The folder that the unit's `StateDirectory` makes.
        try FileManager.default.createDirectory(at: state, withIntermediateDirectories: true)
    }

    /// The service's folder.
    var state: URL { root.url.appending(path: "var/lib/pip-compose/car") }

    /// Copies the packaged example to the service's configuration and replaces texts in it.
    ///
    /// - Parameter changes: Texts of the example, each with its replacement.
    /// - Throws: ``FirstDayFailure`` if the example lacks a text.
    func configure(_ changes: [(String, String)]) throws {
        let folder = root.url.appending(path: "etc/pip-compose")
        var text = try String(contentsOf: folder.appending(path: "example.yaml"), encoding: .utf8)
        for (was, becomes) in changes {
            guard text.contains(was) else { throw FirstDayFailure("example.yaml does not say \(was)") }
            text = text.replacing(was, with: becomes)
        }
        try text.write(to: folder.appending(path: "car.yaml"), atomically: true, encoding: .utf8)
    }

    /// Runs the unit's `ExecStart` in the service's folder.
    func start() throws -> BesideTest {
        let unit = try String(
            contentsOf: root.url.appending(path: "usr/lib/systemd/system/pip-compose@.service"), encoding: .utf8)
        let prefix = "ExecStart="
        guard let line = unit.split(separator: "\n").first(where: { $0.hasPrefix(prefix) }) else {
            throw FirstDayFailure("the unit has no \(prefix)")
        }
        let words = line.dropFirst(prefix.count).replacing("%i", with: "car").split(separator: " ").map {
            $0.hasPrefix("/") ? root.url.path + $0 : String($0)
        }
        return try BesideTest(words, in: state, log: root.url.appending(path: "journal"))
    }

    /// The service's output so far.
    var journal: String { (try? String(contentsOf: root.url.appending(path: "journal"), encoding: .utf8)) ?? "" }

    /// The service's files with a name extension, as paths relative to the service's folder.
    func files(endingWith suffix: String) -> [String] {
        let names = FileManager.default.enumerator(atPath: state.path)?.compactMap { $0 as? String } ?? []
        return names.filter { $0.hasSuffix(suffix) }.sorted()
    }
}

/// The error of a missing step on the first day.
struct FirstDayFailure: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

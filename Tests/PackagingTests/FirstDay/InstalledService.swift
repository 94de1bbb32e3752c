import Foundation
import PipTestSupport

/// The files of the package, unpacked into a folder that stands for `/`, and its service `pip-compose@car`.
///
/// The test starts and stops the command line of the unit as a service manager would.
final class InstalledService: Sendable {
    private let root: TemporaryFolder

    /// Unpacks a Debian package.
    init(_ package: String) async throws {
        root = try TemporaryFolder()
        let unpacked = try await Tool(["dpkg-deb", "--extract", package, root.url.path])
        guard unpacked.status == 0 else { throw FirstDayFailure(unpacked.said) }
        // systemd would make this folder for the unit's `StateDirectory`.
        try FileManager.default.createDirectory(at: state, withIntermediateDirectories: true)
    }

    /// The state folder of the service, which is its working directory.
    var state: URL { root.url.appending(path: "var/lib/pip-compose/car") }

    /// Copies the packaged example as the configuration of the service, with some texts replaced.
    ///
    /// - Parameter changes: The texts to replace, each with its replacement.
    /// - Throws: ``FirstDayFailure`` if the example lacks a text.
    func configure(_ changes: [(String, String)]) throws {
        let folder = root.url.appending(path: "etc/pip-compose")
        var text = try String(contentsOf: folder.appending(path: "example.yaml"), encoding: .utf8)
        for (was, becomes) in changes {
            guard text.contains(was) else { throw FirstDayFailure("example.yaml does not contain \(was)") }
            text = text.replacing(was, with: becomes)
        }
        try text.write(to: folder.appending(path: "car.yaml"), atomically: true, encoding: .utf8)
    }

    /// Runs the `ExecStart` of the unit in the state folder.
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

    /// The output of the service so far.
    var journal: String { (try? String(contentsOf: root.url.appending(path: "journal"), encoding: .utf8)) ?? "" }

    /// The files in the state folder whose names end with a suffix, as relative paths.
    func files(endingWith suffix: String) -> [String] {
        let names = FileManager.default.enumerator(atPath: state.path)?.compactMap { $0 as? String } ?? []
        return names.filter { $0.hasSuffix(suffix) }.sorted()
    }
}

/// The error of a failed step of the first day.
struct FirstDayFailure: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

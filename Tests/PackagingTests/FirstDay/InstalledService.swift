import Foundation
import PipTestSupport

/// The package's files, unpacked into a folder that stands for the machine's `/`, and its service `pip-compose@car`:
/// the unit's own command line, which a test starts and stops in a service manager's place.
final class InstalledService: Sendable {
    private let root: TemporaryFolder

    /// Unpacks a package.
    init(_ package: String) async throws {
        root = try TemporaryFolder()
        let unpacked = try await Tool(["dpkg-deb", "--extract", package, root.url.path])
        guard unpacked.status == 0 else { throw FirstDayFailure(unpacked.said) }
        // What the unit's `StateDirectory` makes.
        try FileManager.default.createDirectory(at: state, withIntermediateDirectories: true)
    }

    /// The service's folder.
    var state: URL { root.url.appending(path: "var/lib/pip-compose/car") }

    /// Copies the packaged example to the service's configuration, with changes.
    ///
    /// - Parameter changes: Texts of the example, and what stands there instead.
    /// - Throws: ``FirstDayFailure`` for a text that is not there.
    func configure(_ changes: [(String, String)]) throws {
        let folder = root.url.appending(path: "etc/pip-compose")
        var text = try String(contentsOf: folder.appending(path: "example.yaml"), encoding: .utf8)
        for (was, becomes) in changes {
            guard text.contains(was) else { throw FirstDayFailure("example.yaml does not say \(was)") }
            text = text.replacing(was, with: becomes)
        }
        try text.write(to: folder.appending(path: "car.yaml"), atomically: true, encoding: .utf8)
    }

    /// Runs the unit's `ExecStart`, in its folder.
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

    /// What the service has said so far.
    var journal: String { (try? String(contentsOf: root.url.appending(path: "journal"), encoding: .utf8)) ?? "" }

    /// The files of a kind in the service's folder, by their paths there.
    func files(endingWith suffix: String) -> [String] {
        let names = FileManager.default.enumerator(atPath: state.path)?.compactMap { $0 as? String } ?? []
        return names.filter { $0.hasSuffix(suffix) }.sorted()
    }
}

/// What a first day with the package does not bring.
struct FirstDayFailure: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

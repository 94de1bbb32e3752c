import Foundation
import Testing

/// Makes the Debian package of the program that was built with the tests.
enum DebianPackage {
    /// Makes the package as `make deb` does, but with little compression.
    ///
    /// - Parameter place: The folder for the package, and for the folder `tree` with the package's contents.
    /// - Returns: The package's path.
    /// - Throws: The error of a packaging tool.
    static func make(in place: URL) async throws -> String {
        // A test build links the Swift libraries of the toolchain on this machine.
        let links = try await Tool(["ldd", Place.program.path])
        let core = links.said.split(separator: "\n").first { $0.contains("libswiftCore.so") }
        let library = core?.split(separator: " ").first { $0.hasPrefix("/") }.map { URL(filePath: String($0)) }
        let options = library.map { ["--libraries", $0.deletingLastPathComponent().path] } ?? []
        let made = try await Tool(
            [Place.packaging.appending(path: "package").path, "--fast"] + options + [
                Place.program.path, Place.programs.appending(path: "pip-manual").path, place.path,
            ])
        #expect(made.status == 0, "\(made.said)")
        return try #require(made.said.split(separator: "\n").last.map(String.init))
    }
}

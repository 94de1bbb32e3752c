import Foundation
import Testing

/// The Debian package of the program that is built beside the tests.
enum DebianPackage {
    /// Makes it as `make deb` does, but hardly compressed.
    ///
    /// - Parameter place: A folder for it, and for the folder `tree` of what is in it.
    /// - Returns: Its path.
    /// - Throws: What is wrong with the tools that make it.
    static func make(in place: URL) async throws -> String {
        // Built for tests, the program links Swift's libraries of the machine's tool chain.
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

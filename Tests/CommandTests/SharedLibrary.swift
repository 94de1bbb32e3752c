import Foundation
import Testing

/// Shared libraries that tests compile from C, to be loaded into the program under test.
enum SharedLibrary {
    private static let compiler = ["/usr/bin/clang", "/usr/bin/gcc", "/usr/bin/cc"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    /// True on a machine with a C compiler.
    static var canCompile: Bool { compiler != nil }

    /// Compiles a source file into a library.
    static func compile(_ source: String, to library: String) async throws {
        let run = try await CommandProcess(
            ["-shared", "-fPIC", "-O1", "-o", library, source], of: URL(filePath: #require(compiler)),
            in: URL(filePath: library).deletingLastPathComponent())
        try #require(run.status == 0, "\(run.errors)")
    }
}

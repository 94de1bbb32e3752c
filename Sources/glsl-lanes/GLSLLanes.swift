import Foundation
import PipEffects

/// The command `glsl-lanes SHADERS FOLDER`, which translates the effects' GLSL to C++ for the CPU.
@main
struct GLSLLanes {
    static func main() {
        let arguments = CommandLine.arguments
        guard arguments.count == 3 else { return fail("usage: glsl-lanes SHADERS FOLDER", 64) }
        do {
            for (name, text) in try files(of: URL(filePath: arguments[1])) {
                try Data(text.utf8).write(to: URL(filePath: arguments[2]).appending(path: name))
            }
        } catch {
            fail("\(error)", 65)
        }
    }

    /// Translates the shaders of effects, blends, filters and tables to C++.
    ///
    /// - Parameter shaders: The folder of the GLSL files.
    /// - Returns: The C++ texts, keyed by the names of their files.
    /// - Throws: ``TranslationError``, or an error of the file system.
    static func files(of shaders: URL) throws -> [String: String] {
        let library = try String(contentsOf: shaders.appending(path: "Library/TableSteps.glsl"), encoding: .utf8)
        var tables: [TableKernel] = []
        for file in sorted(in: shaders.appending(path: "Tables"), "comp") {
            let source = ShaderSource(file.lastPathComponent, try String(contentsOf: file, encoding: .utf8))
            tables.append(
                try TableKernel(source, library: library, name: file.deletingPathExtension().lastPathComponent))
        }
        return ["Effects.inc": try effects(of: shaders), "Tables.inc": Kernels.text(of: tables)]
    }

    private static func sorted(in folder: URL, _ suffix: String) -> [URL] {
        var files: [URL] = []
        let all = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        while let file = all?.nextObject() as? URL { if file.pathExtension == suffix { files.append(file) } }
        return files.sorted { $0.path < $1.path }
    }

    private static func effects(of shaders: URL) throws -> String {
        let files = ["Effects", "Blends", "Filters"].flatMap { sorted(in: shaders.appending(path: $0), "frag") }
        var sources: [ShaderSource] = []
        for file in files {
            let text = try String(contentsOf: file, encoding: .utf8)
            // The planner assembles blends from parts, and draws plane filters as passes of their own.
            guard !text.contains("BLEND("), file.lastPathComponent != "PlaneFilter.frag" else { continue }
            sources.append(ShaderSource(file.lastPathComponent, text))
        }
        return try Kernels(sources + Kernels.blends).text
    }

    private static func fail(_ message: String, _ status: Int32) {
        FileHandle.standardError.write(Data((message + "\n").utf8))
        exit(status)
    }
}

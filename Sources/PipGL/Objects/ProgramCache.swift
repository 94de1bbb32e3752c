package import SystemPackage

/// A cache of programs, keyed by their GLSL text: in memory, and as drivers' binaries on disk.
///
/// A later process loads the saved binaries instead of compiling, if the driver provides binaries and accepts them. A
/// program in use stays alive when the cache drops it.
package final class ProgramCache {
    /// The number of compiled, loaded and reused programs.
    package struct Counters: Sendable, Equatable {
        /// The number of programs that were compiled from GLSL text.
        package var compiled = 0
        /// The number of programs that were loaded from disk.
        package var loaded = 0
        /// The number of requests that were met from memory.
        package var reused = 0
    }

    private struct Entry {
        let program: Program
        /// The number of the latest request for this program, counting all requests from 1.
        var lastUse: Int
    }

    package private(set) var counters = Counters()
    private var entries: [ProgramSource: Entry] = [:]
    private var requests = 0
    private let limit: Int
    private let store: ProgramStore?

    /// Creates an empty cache.
    ///
    /// - Parameters:
    ///   - limit: The largest number of programs in memory; drivers need up to 2 MB for each. The cache drops the least
    ///     recently used first.
    ///   - folder: The folder of the binaries, made when the first binary is saved; nil saves no binaries.
    package init(limit: Int = 64, folder: FilePath? = ProgramCache.defaultFolder) {
        self.limit = limit
        store = folder.map { ProgramStore(folder: $0) }
    }

    /// The folder `programs` in the user's cache folder; nil where the environment names no cache folder.
    package static var defaultFolder: FilePath? { CacheFolder.path("programs") }

    /// Returns the program of a vertex and a fragment shader, compiled if need be.
    ///
    /// The method reads and writes files on the render thread; the frame path must not call it.
    ///
    /// - Parameters:
    ///   - label: The program's name in errors. A reused program keeps the label of its first request.
    ///   - vertex: The vertex shader's pieces, usually ``VertexlessQuad/chunk`` alone.
    ///   - fragment: The fragment shader's pieces, in order.
    ///   - gpu: The context; one cache serves one context.
    /// - Returns: The program, which other callers may share: set all its uniforms before each draw.
    /// - Throws: ``GLError`` when the shaders do not compile or link, or no context is open. Failures of the disk are
    ///   ignored.
    package func program(
        label: String, vertex: [ShaderChunk], fragment: [ShaderChunk], on gpu: isolated RenderContext
    ) throws(GLError) -> Program {
        let source = ProgramSource(vertex: vertex.shaderText, fragment: fragment.shaderText)
        return try program(label: label, source, on: gpu) { (gpu) throws(GLError) in
            try Program(label: label, vertex: vertex, fragment: fragment, on: gpu)
        }
    }

    /// Returns the program of a compute shader, in the same way as ``program(label:vertex:fragment:on:)``.
    package func program(
        label: String, compute: [ShaderChunk], on gpu: isolated RenderContext
    ) throws(GLError) -> Program {
        let source = ProgramSource(vertex: "", fragment: compute.shaderText)
        return try program(label: label, source, on: gpu) { (gpu) throws(GLError) in
            try Program(label: label, compute: compute, on: gpu)
        }
    }

    private func program(
        label: String, _ source: ProgramSource, on gpu: isolated RenderContext,
        compile: (isolated RenderContext) throws(GLError) -> Program
    ) throws(GLError) -> Program {
        requests += 1
        if let program = entries[source]?.program {
            entries[source]?.lastUse = requests
            counters.reused += 1
            return program
        }
        let program = try make(label: label, source, on: gpu, compile: compile)
        if entries.count >= limit, let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse })?.key {
            entries[oldest] = nil
        }
        entries[source] = Entry(program: program, lastUse: requests)
        return program
    }

    private func make(
        label: String, _ source: ProgramSource, on gpu: isolated RenderContext,
        compile: (isolated RenderContext) throws(GLError) -> Program
    ) throws(GLError) -> Program {
        let context = try gpu.context(to: "make the program \"\(label)\"")
        let store = context.capabilities.hasProgramBinaries ? store : nil
        let driver = context.capabilities.driver
        if let binary = store?.load(source, driver: driver),
            let program = Program(label: label, binary: binary, in: context, on: gpu)
        {
            counters.loaded += 1
            return program
        }
        let program = try compile(gpu)
        counters.compiled += 1
        if let binary = program.binary(on: gpu) { store?.save(binary, of: source, driver: driver) }
        return program
    }
}

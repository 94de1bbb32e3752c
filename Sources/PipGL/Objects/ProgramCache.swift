package import SystemPackage

/// Programs, keyed by their text: in memory, and as the driver's binaries on disk, so that a second start compiles
/// nothing.
///
/// A program in use stays alive when the cache forgets it.
package final class ProgramCache {
    /// Counters of compiled, loaded and shared programs.
    package struct Counters: Sendable, Equatable {
        /// Programs that were compiled from text.
        package var compiled = 0
        /// Programs that were loaded from disk.
        package var loaded = 0
        /// Programs that were found in memory.
        package var reused = 0
    }

    private struct Entry {
        let program: Program
        /// The last request, counted in requests.
        var lastUse: Int
    }

    package private(set) var counters = Counters()
    private var entries: [ProgramSource: Entry] = [:]
    private var requests = 0
    private let limit: Int
    private let store: ProgramStore?

    /// An empty cache.
    ///
    /// - Parameters:
    ///   - limit: The largest number of programs in memory, where drivers need up to 2 MB for each. Those whose last
    ///     request is oldest go first.
    ///   - folder: The folder of the binaries, made with the first one; nil keeps none.
    package init(limit: Int = 64, folder: FilePath? = ProgramCache.defaultFolder) {
        self.limit = limit
        store = folder.map { ProgramStore(folder: $0) }
    }

    /// `programs` in the user's cache folder; nil where there is none.
    package static var defaultFolder: FilePath? { CacheFolder.path("programs") }

    /// The program of two shaders.
    ///
    /// Reads and writes files on the render thread, so it must not be called in the frame path.
    ///
    /// - Parameters:
    ///   - label: The program's name in errors. A program that was found keeps the label of its first request.
    ///   - vertex: The vertex shader's pieces, usually ``VertexlessQuad/chunk`` alone.
    ///   - fragment: The fragment shader's pieces, in order.
    ///   - gpu: The context, always the same for one cache.
    /// - Returns: The program, perhaps shared: set all its uniforms before each draw.
    /// - Throws: ``GLError`` when a shader does not compile. A fault of the disk is no error.
    package func program(
        label: String, vertex: [ShaderChunk], fragment: [ShaderChunk], on gpu: isolated RenderContext
    ) throws(GLError) -> Program {
        let source = ProgramSource(vertex: vertex.shaderText, fragment: fragment.shaderText)
        return try program(label: label, source, on: gpu) { (gpu) throws(GLError) in
            try Program(label: label, vertex: vertex, fragment: fragment, on: gpu)
        }
    }

    /// The program of a compute shader, otherwise as ``program(label:vertex:fragment:on:)``.
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

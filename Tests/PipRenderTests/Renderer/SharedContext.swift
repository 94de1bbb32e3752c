import PipGL
import PipRender

/// One context with one renderer for all tests that only draw, because making contexts and programs takes longer than
/// drawing.
enum SharedContext {
    private static let context = Task { try await RenderContext() }

    static func get() async throws -> RenderContext { try await context.value }

    // Only the shared context's thread uses this.
    nonisolated(unsafe) private static var sharedRenderer: Renderer?

    /// The renderer to use on a context's thread: the shared one, or a new one on a context of its own.
    static func renderer(on gpu: RenderContext, isShared: Bool) -> Renderer {
        guard isShared else { return Renderer() }
        if let renderer = unsafe sharedRenderer { return renderer }
        // The cache has room for all programs of all tests.
        let renderer = Renderer(programCache: ProgramCache(limit: 4096))
        unsafe sharedRenderer = renderer
        return renderer
    }
}

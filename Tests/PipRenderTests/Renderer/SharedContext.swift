import PipGL
import PipRender

/// A context and a renderer, which all tests that only draw share.
///
/// Making contexts and programs takes longer than drawing.
enum SharedContext {
    private static let context = Task { try await RenderContext() }

    static func get() async throws -> RenderContext { try await context.value }

    // Thread: the shared context's thread only.
    nonisolated(unsafe) private static var sharedRenderer: Renderer?

    /// The renderer to use on a context's thread: the shared renderer, or a new one for a separate context.
    static func renderer(on gpu: RenderContext, isShared: Bool) -> Renderer {
        guard isShared else { return Renderer() }
        if let renderer = unsafe sharedRenderer { return renderer }
        // The cache has room for all programs of all tests.
        let renderer = Renderer(programCache: ProgramCache(limit: 4096))
        unsafe sharedRenderer = renderer
        return renderer
    }
}

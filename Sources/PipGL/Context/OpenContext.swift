/// The capabilities, functions and deletion queue of an open OpenGL ES context.
///
/// The initializers of GL objects require an `OpenContext`, so no GL object can exist without a context.
///
/// Thread: render thread only.
final class OpenContext {
    let capabilities: Capabilities
    let functions: ExtensionFunctions
    /// The queue to which GL objects add their names when they are released.
    let deletions: DeletionQueue

    init(_ capabilities: Capabilities, _ functions: ExtensionFunctions, _ deletions: DeletionQueue) {
        self.capabilities = capabilities
        self.functions = functions
        self.deletions = deletions
    }
}

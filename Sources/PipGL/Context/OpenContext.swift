/// An open OpenGL ES context.
///
/// The owners of GL objects are made with it, so they cannot exist without one.
///
/// Thread: its own.
final class OpenContext {
    let capabilities: Capabilities
    let functions: ExtensionFunctions
    /// The queue into which the owners of GL objects put their names.
    let deletions: DeletionQueue

    init(_ capabilities: Capabilities, _ functions: ExtensionFunctions, _ deletions: DeletionQueue) {
        self.capabilities = capabilities
        self.functions = functions
        self.deletions = deletions
    }
}

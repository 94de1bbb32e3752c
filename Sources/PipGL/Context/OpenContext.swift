/// An OpenGL ES context that is open: the owners of GL objects are made with it, so there are none without one.
///
/// Not `Sendable`: it does not leave its thread.
final class OpenContext {
    let capabilities: Capabilities
    let functions: ExtensionFunctions
    /// Where the owners of GL objects leave their names.
    let deletions: DeletionQueue

    init(_ capabilities: Capabilities, _ functions: ExtensionFunctions, _ deletions: DeletionQueue) {
        self.capabilities = capabilities
        self.functions = functions
        self.deletions = deletions
    }
}

#if Media
internal import Glibc

/// A connection to PipeWire in which the cameras are that a user has permitted.
///
/// Closes its descriptor when it is let go of, and nobody else does: `pipewiresrc` and the provider of PipeWire's
/// devices duplicate it, and close the duplicate (`make_core` in `gstpipewirecore.c`, 0.3.65 and later). As long as
/// they run, they know their connection by the number of this descriptor, and share it with whoever comes with the same
/// number: let go of it only after the pipeline has stopped.
final class PipeWireRemote: Sendable {
    let descriptor: Int32

    /// Takes a descriptor over.
    init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }
}
#endif

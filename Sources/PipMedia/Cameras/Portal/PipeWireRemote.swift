#if Media
internal import Glibc

/// A connection to PipeWire that shows the cameras permitted by the user.
///
/// It alone closes its descriptor, when it is released: `pipewiresrc` and the engine's device provider duplicate the
/// descriptor and close the duplicate (`make_core` in `gstpipewirecore.c`, 0.3.65 and later). While these run, they
/// know the connection by the descriptor's number, and share it with any later connection of the same number. So the
/// caller must stop the pipeline before it releases the connection.
final class PipeWireRemote: Sendable {
    let descriptor: Int32

    /// Takes over a descriptor.
    init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }
}
#endif

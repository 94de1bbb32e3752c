#if Media
internal import Glibc

/// A connection to PipeWire that shows the cameras permitted by the user.
///
/// The object owns its descriptor, and closes it when the object is released: `pipewiresrc` and GStreamer's device
/// provider duplicate the descriptor and close the duplicate (`make_core` in `gstpipewirecore.c`, 0.3.65 and later).
///
/// While such an element runs, GStreamer identifies the connection by the descriptor's number, and shares it with any
/// later connection of the same number. So the caller must stop the pipeline before it releases this object.
final class PipeWireRemote: Sendable {
    let descriptor: Int32

    /// Takes over the descriptor of a connection.
    init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }
}
#endif

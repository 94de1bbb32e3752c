/// A slot's connection to one of its cameras.
///
/// Successive cameras share the outlet.
struct SlotConnection: Sendable {
    let outlet: FrameOutlet
    /// The number by which the outlet recognizes this camera's frames.
    let ticket: Int
    /// True to export buffers as dma-bufs, if the driver can.
    var wantsSharedBuffers = false
    /// The decoders for video; nil where the program has none.
    var videoDecoding: (any VideoDecoding)?
    /// Announces that the camera's thread enters a call that a dead device may never answer.
    var onRisk: @Sendable () -> Void = {}
    /// Receives the error of each refused control; nil makes a refusal fail the opening.
    var onRefusedControl: (@Sendable (CaptureError) -> Void)?
}

/// A slot's connection to one of its cameras.
///
/// Successive cameras of a slot share its outlet.
struct SlotConnection: Sendable {
    let outlet: FrameOutlet
    /// The number by which the outlet recognizes this camera's frames.
    let ticket: Int
    /// True to export buffers as dma-bufs, if the driver can.
    var wantsSharedBuffers = false
    /// Makes decoders for compressed video; nil when the program has none.
    var videoDecoding: (any VideoDecoding)?
    /// Called when the camera's thread enters a driver call that a dead device may never answer.
    var onRisk: @Sendable () -> Void = {}
    /// Receives the error of each refused control.
    ///
    /// If nil, opening fails when a control is refused.
    var onRefusedControl: (@Sendable (CaptureError) -> Void)?
}

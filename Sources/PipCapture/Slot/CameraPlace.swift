/// What a camera is given by whoever had others before it, and will have others after it.
struct CameraPlace: Sendable {
    let outlet: FrameOutlet
    /// By which the outlet knows this camera's frames.
    let ticket: Int
    /// Whether its buffers are wanted as dma-bufs.
    var wantsSharedBuffers = false
    /// Told that the camera's thread is about to make a call that a dead device may never answer.
    var onRisk: @Sendable () -> Void = {}
    /// Told of controls that do not take their values any more; nil takes that for a failure.
    var onRefusedControl: (@Sendable (CaptureError) -> Void)?
}

/// Settings that survive a change of device: a slot hands them from one camera to its successor.
struct CameraPlace: Sendable {
    let outlet: FrameOutlet
    /// By which the outlet knows this camera's frames.
    let ticket: Int
    /// True when buffers are to be exported as dma-bufs, where the driver can.
    var wantsSharedBuffers = false
    /// Decodes video; nil where nothing does.
    var videoDecoding: (any VideoDecoding)?
    /// Told that the camera's thread is about to make a call that a dead device may never answer.
    var onRisk: @Sendable () -> Void = {}
    /// Told of controls that do not take their values any more; nil takes that for a failure.
    var onRefusedControl: (@Sendable (CaptureError) -> Void)?
}

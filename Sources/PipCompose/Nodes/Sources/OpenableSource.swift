internal import Logging

/// A source node that knows how to open what it stands for.
protocol OpenableSource: SourceSpecification {
    /// Opens it; nothing is read or streamed yet.
    func open(_ id: NodeID, _ context: OpeningContext) throws(SessionError) -> SourceFeed
}

/// The resources that sources need to open.
struct OpeningContext: Sendable {
    var cameras: CameraDirectory
    /// The clock by which their threads wait.
    var clock = MonotonicClock()
    /// Raised when they are not wanted any more: what waits for a network or a user gives up then.
    var interruption: Interruption
    var logger: Logger?
    /// True when a camera that is missing, busy or not permitted is waited for.
    var waitsForCameras: Bool
    /// True when the GPU can read dma-bufs.
    var sharesBuffers = false
    /// The wishes for cameras that share a bus, in place of their own.
    var wishes: [NodeID: CameraWish] = [:]
    /// Told what happens to a camera, by the source's name.
    var onCameraEvent: @Sendable (NodeID, String, CameraEvent) -> Void
    /// Told when a live source goes away or comes back, by its name.
    var onLiveChange: @Sendable (NodeID, String, LiveChange) -> Void
    /// Told of a source that fails while it is read.
    var onError: @Sendable (SourceError) -> Void
}

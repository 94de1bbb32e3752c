internal import Logging

/// A source node that can open its camera, stream or file.
protocol OpenableSource: SourceSpecification {
    /// Opens the source, which delivers no frames yet.
    func open(_ id: NodeID, _ context: OpeningContext) throws(SessionError) -> SourceFeed
}

/// The resources and callbacks that sources are opened with.
struct OpeningContext: Sendable {
    var cameras: CameraDirectory
    /// The clock that the sources' threads wait by.
    var clock = MonotonicClock()
    /// Raised when the sources are no longer wanted: an opening that waits for a network or a user must give up.
    var interruption: Interruption
    var logger: Logger?
    /// True to wait for a camera or stream that is missing, busy or not permitted; false to fail at once.
    var waitsForCameras: Bool
    /// True when the GPU should read cameras' memory through dma-bufs.
    var sharesBuffers = false
    /// The settings to request from cameras that may share a bus, instead of each camera's own `wish`.
    ///
    /// Keyed by node.
    var wishes: [NodeID: CameraWish] = [:]
    /// Called with the node, the source's name and an event of its camera.
    var onCameraEvent: @Sendable (NodeID, String, CameraEvent) -> Void
    /// Called with the node and the name of a live source that goes away or comes back, and with the change.
    var onLiveChange: @Sendable (NodeID, String, LiveChange) -> Void
    /// Called with the error of a source that fails while it is read.
    var onError: @Sendable (SourceError) -> Void
}

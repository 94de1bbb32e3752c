internal import PipCapture
package import PipConcurrency

/// A camera's own frames, for a sink that records them as the driver delivers them.
package struct CameraFeed: Sendable {
    let slot: CameraSlot
    /// True to take H.264 and H.265 packets as the camera sends them; false to take the decoded pictures.
    package var takesVideo = false

    init(slot: CameraSlot) { self.slot = slot }

    /// The camera's name; nil until a camera was opened.
    package var name: String? { slot.device?.card }

    /// True for a camera that sends JPEG pictures; nil until a camera was opened.
    package var sendsJPEG: Bool? { slot.format?.isCompressed }

    /// The driver's pixel format; nil until a camera was opened.
    package var deviceFourCC: FourCC? { slot.format?.deviceFourCC }

    /// The transform that shows the camera's frames upright.
    package var orientation: Orientation { slot.orientation }

    /// The frame rate that the driver has agreed to; nil when the driver reports none, and until a camera was opened.
    package var frameRate: FrameRate? { slot.format?.frameRate }

    /// Delivers every good frame to `queue` from now on, independently of what the session draws.
    ///
    /// The queue goes on with the frames of a camera that returns, and of a camera that replaces it.
    package func begin(_ queue: CountedQueue<CapturedFrame>) {
        slot.subscribe(queue, takesVideo: takesVideo)
    }

    /// Stops delivering frames to `queue`.
    package func end(_ queue: CountedQueue<CapturedFrame>) { slot.unsubscribe(queue) }
}

extension CameraSource {
    /// Connects a sink that takes the camera's own frames.
    package func record(_ sink: some Sink) -> Output { Output(sink, of: self) }
}

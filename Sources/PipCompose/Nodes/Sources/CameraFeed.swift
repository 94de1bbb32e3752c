internal import PipCapture
package import PipConcurrency

/// A camera's own frames, for a sink that records them as the driver delivers them.
package struct CameraFeed: Sendable {
    let slot: CameraSlot
    /// True to take H.264 and H.265 as the camera sends them; else their decoded pictures.
    package var takesVideo = false

    init(slot: CameraSlot) { self.slot = slot }

    /// The camera's name; nil while there has been none.
    package var name: String? { slot.device?.card }

    /// True for a camera that sends JPEG pictures; nil while there has been none.
    package var sendsJPEG: Bool? { slot.format?.isCompressed }

    /// The driver's pixel format; nil while there has been no camera.
    package var deviceFourCC: FourCC? { slot.format?.deviceFourCC }

    /// The transform that shows its frames upright.
    package var orientation: Orientation { slot.orientation }

    /// The rate that the driver promises.
    package var frameRate: FrameRate? { slot.format?.frameRate }

    /// Gives a queue every good frame from now on, whatever is composed of them; also of a camera that comes back or
    /// follows.
    package func begin(_ queue: CountedQueue<CapturedFrame>) {
        slot.subscribe(queue, takesVideo: takesVideo)
    }

    /// Gives a queue no more frames.
    package func end(_ queue: CountedQueue<CapturedFrame>) { slot.unsubscribe(queue) }
}

extension CameraSource {
    /// Connects a sink that takes the camera's own frames.
    package func record(_ sink: some Sink) -> Output { Output(sink, of: self) }
}

internal import PipFrames

/// Passes a camera's frames to recordings, and the newest frame to the consumer, decoded if necessary.
///
/// A frame causes no memory allocation, except for copies for recordings and for compressed video.
///
/// Thread: any, but one at a time.
struct FrameRelay: ~Copyable {
    private let link: CameraLink
    private let calls: any V4L2Calls
    private let colorimetry: Colorimetry
    private var decoder: (any DecodingStage)?
    private var copier: FrameCopier
    private var pacer: Pacer
    /// The newest frame, held until all filled buffers are dequeued; nil when no frame is held.
    private var newest: FrameIntake.Taken?

    init(_ negotiated: NegotiatedFormat, _ link: CameraLink, _ calls: any V4L2Calls) {
        self.link = link
        self.calls = calls
        colorimetry = negotiated.format.colorimetry
        copier = FrameCopier(negotiated)
        pacer = Pacer(frameRate: negotiated.format.frameRate)
    }

    /// Sets the decoder; nil for frames that can be drawn without decoding.
    ///
    /// Call this function before the first frame.
    mutating func decode(by decoder: (any DecodingStage)?) { self.decoder = decoder }

    /// Accepts a frame, copies it for recordings, and holds it as the newest frame.
    ///
    /// A frame that was held before is dropped as late, unless the decoder needs every frame. A frame without a number
    /// is neither copied nor held. Such a frame only goes to a decoder that needs every frame.
    mutating func take(_ taken: FrameIntake.Taken, _ buffers: StreamBuffers) {
        guard let sequence = taken.sequence else {
            if needsEveryFrame { decoder?.prime(undecoded(taken, 0, buffers)) }
            return
        }
        copy(taken, sequence, buffers)
        if newest != nil {
            if needsEveryFrame { passNewest(buffers) } else { link.outlet.drop(.late, at: calls.now) }
        }
        newest = taken
    }

    /// Passes on the newest frame, if one is held, or drops it because of a pause or a rate limit.
    mutating func passNewest(_ buffers: StreamBuffers) {
        guard let taken = newest.take(), let sequence = taken.sequence else { return }
        if !needsEveryFrame, let reason = reasonToLeaveOut(taken) { return link.outlet.drop(reason, at: calls.now) }
        if let decoder { return decoder.submit(undecoded(taken, sequence, buffers), now: calls.now) }
        link.outlet.deliver(frame(taken, sequence, buffers), period: link.outlet.period, now: calls.now)
    }

    /// Drops the frames that wait for decoding.
    func discard(_ reason: DropReason) { decoder?.discard(reason, now: calls.now) }

    /// Stops the decoder.
    ///
    /// Blocks until the frame in progress is done.
    mutating func end() {
        discard(.late)
        decoder?.stop()
        decoder = nil
    }

    /// Copies a frame for recordings.
    ///
    /// Frames that are converted are copied after the conversion instead.
    private mutating func copy(_ taken: FrameIntake.Taken, _ sequence: UInt64, _ buffers: StreamBuffers) {
        let subscribers = copier.isOfVideo ? link.outlet.videoSubscribers : link.outlet.subscribers
        guard !subscribers.isEmpty else { return }
        copier.copy(frame(taken, sequence, buffers), taken.filled.planes[0], to: subscribers)
    }

    private func frame(_ taken: FrameIntake.Taken, _ sequence: UInt64, _ buffers: StreamBuffers) -> Frame {
        let info = FrameInfo(
            layout: taken.layout, colorimetry: colorimetry, orientation: link.outlet.orientation,
            timestamp: taken.timestamp, isTimestampEstimated: taken.isEstimated, sequence: sequence)
        return Frame(info: info, buffer: buffers.memory(of: taken.filled))
    }

    private func undecoded(
        _ taken: FrameIntake.Taken, _ sequence: UInt64, _ buffers: StreamBuffers
    ) -> UndecodedFrame {
        let plane = taken.filled.planes[0]
        return UndecodedFrame(
            buffer: buffers.memory(of: taken.filled), offset: plane.offset, byteCount: plane.byteCount,
            timestamp: taken.timestamp, isTimestampEstimated: taken.isEstimated, sequence: sequence,
            period: link.outlet.period, stream: taken.stream)
    }

    /// Returns the reason to drop a frame; nil to deliver the frame.
    private mutating func reasonToLeaveOut(_ taken: FrameIntake.Taken) -> DropReason? {
        // A paused camera's frames are still decoded for recordings that get converted frames.
        if link.outlet.isPaused, decoder == nil || link.outlet.subscribers.isEmpty { return .disabled }
        return pacer.admits(taken.timestamp, every: link.outlet.interval) ? nil : .decimated
    }

    private var needsEveryFrame: Bool { decoder?.needsEveryFrame == true }
}

internal import PipFrames

/// Passes on what a camera's thread has taken: each frame to those who record every one, the newest to whoever shows
/// it, decoded where it has to be.
///
/// Belongs to one thread. A frame costs no allocation and no lock but the outlet's.
struct FrameRelay: ~Copyable {
    private let link: CameraLink
    private let calls: any V4L2Calls
    private let colorimetry: Colorimetry
    private var decoder: (any DecodingStage)?
    private var copier: FrameCopier
    private var pacer: Pacer
    /// The newest frame, while a newer one may follow at once.
    private var newest: FrameIntake.Taken?

    init(_ negotiated: NegotiatedFormat, _ link: CameraLink, _ calls: any V4L2Calls) {
        self.link = link
        self.calls = calls
        colorimetry = negotiated.format.colorimetry
        copier = FrameCopier(negotiated)
        pacer = Pacer(frameRate: negotiated.format.frameRate)
    }

    /// Takes what decodes the frames, before the first one; nil for frames that are pictures as they are.
    mutating func decode(by decoder: (any DecodingStage)?) { self.decoder = decoder }

    /// Takes a frame: the one that was the newest is late, unless none may be left out.
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

    /// Passes on the newest frame, if there is one that was not passed on.
    mutating func passNewest(_ buffers: StreamBuffers) {
        guard let taken = newest.take(), let sequence = taken.sequence else { return }
        if !needsEveryFrame, let reason = reasonToLeaveOut(taken) { return link.outlet.drop(reason, at: calls.now) }
        if let decoder { return decoder.submit(undecoded(taken, sequence, buffers), now: calls.now) }
        link.outlet.deliver(frame(taken, sequence, buffers), period: link.outlet.period, now: calls.now)
    }

    /// Drops what was passed on and is not decoded yet.
    func discard(_ reason: DropReason) { decoder?.discard(reason, now: calls.now) }

    /// Passes nothing on any more; waits for what is being decoded.
    mutating func end() {
        discard(.late)
        decoder?.stop()
        decoder = nil
    }

    /// Copies a frame for those who record every one; what the library converts is copied once it is decoded.
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

    /// The reason why nobody wants a frame; nil for one that is wanted.
    private mutating func reasonToLeaveOut(_ taken: FrameIntake.Taken) -> DropReason? {
        // Recordings of what is converted get it from the decoder.
        if link.outlet.isPaused, decoder == nil || link.outlet.subscribers.isEmpty { return .disabled }
        return pacer.admits(taken.timestamp, every: link.outlet.interval) ? nil : .decimated
    }

    private var needsEveryFrame: Bool { decoder?.needsEveryFrame == true }
}

#if Media
internal import CGStreamer
internal import PipFrames

/// One run of an encoder: takes raw frames, and returns packets.
///
/// Thread: one thread at a time passes frames, and another thread takes the packets.
final class EncoderRun: Sendable {
    let element: EncoderElement
    /// The timestamp at which the pipeline's running time is 0.
    let start: Timestamp
    private let size: PixelSize
    private let rate: FrameRate
    private let interval: Duration
    private let pipeline: Pipeline
    private let inlet: Inlet
    private let outlet: Outlet

    /// Starts an encoder.
    ///
    /// - Parameters:
    ///   - element: The encoder.
    ///   - request: The encoding, and the frames to encode.
    ///   - start: The timestamp of running time 0, at or before the first frame.
    /// - Throws: ``MediaError`` when the element is missing or refuses the settings, or the frames are too small.
    init(_ element: EncoderElement, _ request: EncodingRequest, start: Timestamp) throws(MediaError) {
        let (encoding, info) = (request.encoding, request.info)
        self.element = element
        self.start = start
        rate = request.rate
        interval = rate.interval
        size = element.size(of: info.layout.size)
        guard min(size.width, size.height) >= element.leastSide else {
            throw MediaError(
                kind: .failed,
                reason: "pictures of \(info.layout.size) are too small: \(element.name) needs at least "
                    + "\(element.leastSide) pixels a side")
        }
        let conversion = element.formats.contains(info.layout.format) ? "" : "videoconvert ! "
        let format = element.formats.contains(info.layout.format) ? info.layout.format : element.formats[0]
        // GStreamer loses the range of a grey format unless the caps filter states it.
        let isKept = !conversion.isEmpty && info.layout.format.isYUV
        let colours = isKept ? ",colorimetry=\(info.colorimetry.mediaName(of: format))" : ""
        pipeline = try Pipeline(
            """
            appsrc name=in ! \(conversion)video/x-raw,format=\(format.mediaName)\(colours) ! \(element.elements ?? element.name) name=encoder \
            ! \(encoding.profileFilter)\(encoding.codec.parser) ! appsink name=out
            """)
        for (property, value) in element.properties(EncoderElement.Settings(encoding, size: size, rate: rate)) {
            pipeline.set(property, of: "encoder", to: value)
        }
        if !element.isDrained { pipeline.passEndAround("encoder") }
        inlet = Inlet("in", of: pipeline)
        outlet = Outlet("out", of: pipeline)
        inlet.use(PacketFormat(raw: info, size: size, rate: rate))
        try pipeline.play()
    }

    /// The number of frames in the encoder's queue.
    var waiting: Int { inlet.level }

    /// Passes a frame to the encoder.
    ///
    /// - Parameters:
    ///   - frame: The frame. The encoder reads the frame's memory until the frame is encoded.
    ///   - isKey: True to request a key frame.
    /// - Returns: False when the encoder no longer accepts frames, and for a frame without memory.
    func encode(_ frame: Frame, isKey: Bool) -> Bool {
        guard let buffer = unsafe mediaBuffer(frame, size: size) else { return false }
        let time = GstClockTime(max(0, start.duration(to: frame.timestamp).nanoseconds))
        unsafe buffer.pointee.pts = time
        unsafe buffer.pointee.duration = GstClockTime(interval.nanoseconds)
        if isKey { inlet.requestKeyFrame() }
        return unsafe inlet.push(buffer)
    }

    /// Changes the encoding while the encoder runs, if the encoder's properties, such as the bit rate, can change then.
    ///
    /// - Parameters:
    ///   - before: The current encoding.
    ///   - after: The encoding for the frames from now on.
    /// - Returns: False when the change needs a new run.
    func change(from before: VideoEncoding, to after: VideoEncoding) -> Bool {
        let known = element.properties(EncoderElement.Settings(before, size: size, rate: rate))
        let wanted = element.properties(EncoderElement.Settings(after, size: size, rate: rate))
        let changes = wanted.filter { property in !known.contains { $0 == property } }
        guard known.count == wanted.count, changes.allSatisfy({ pipeline.canChange($0.0, of: "encoder") }) else {
            return false
        }
        for (property, value) in changes { pipeline.set(property, of: "encoder", to: value) }
        return true
    }

    /// Signals that no more frames follow.
    ///
    /// The encoder still returns the remaining packets.
    func end() { inlet.end() }

    /// The result of waiting for a packet.
    enum Outcome {
        case packet(Packet)
        case nothing
        case ended
        case failed(MediaError)
    }

    /// Waits for the next packet.
    ///
    /// - Parameters:
    ///   - timeout: The longest wait.
    ///   - last: The format of the previous packet, which the next packet shares if its format is equal.
    /// - Returns: The packet, or the reason why there is none.
    func next(within timeout: Duration, after last: PacketFormat?) -> Outcome {
        if let sample = outlet.pull(within: timeout), let buffer = unsafe sample.buffer, let caps = unsafe sample.caps {
            let shown = sample.runningTime(unsafe buffer.pointee.pts) ?? .zero
            let decoded = sample.runningTime(unsafe buffer.pointee.dts) ?? shown
            return .packet(
                unsafe Packet(
                    buffer, .of(caps, after: last), at: start.advanced(by: shown),
                    decodeLead: max(.zero, shown - decoded),
                    duration: interval))
        }
        if let error = pipeline.nextFailure() { return .failed(error) }
        return outlet.isAtEnd ? .ended : .nothing
    }

    /// Stops the encoder at once, and discards its frames.
    func stop() { pipeline.stop() }
}
#endif

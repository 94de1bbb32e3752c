#if Media
internal import Glibc
internal import PipConcurrency
internal import PipFrames
internal import Synchronization

/// Tries encoders with a few frames of the real size and format.
///
/// An installed encoder may fail: its device may be missing or busy, or too small for the frames. The results are kept
/// for the life of the process.
enum EncoderTrial {
    /// The result of a trial.
    enum Result: Sendable, Equatable {
        case works
        case fails(String)
    }

    private struct Key: Hashable {
        let name: String
        let encoding: VideoEncoding
        let format: PixelFormat
        let size: PixelSize
        let rate: FrameRate

        init(_ element: EncoderElement, _ request: EncodingRequest) {
            (name, encoding, rate) = (element.name, request.encoding, request.rate)
            (format, size) = (request.info.layout.format, request.info.layout.size)
        }
    }

    private static let known = Mutex<[Key: Result]>([:])
    private static let frameCount = 4
    /// The most frames by which a timing run exceeds a short run.
    private static let mostFrames = 1024
    /// The run length at which timing ends, because a hardware encoder uses almost no CPU time in any run.
    private static let longRun = Duration.milliseconds(250)
    private static let timeout = Duration.seconds(8)

    /// Tries an encoder, unless it was tried before.
    ///
    /// - Parameters:
    ///   - element: The encoder.
    ///   - request: The encoding, and the frames to encode.
    /// - Returns: The result of this trial or of the earlier trial.
    static func result(_ element: EncoderElement, _ request: EncodingRequest) -> Result {
        let key = Key(element, request)
        if let result = known.withLock({ $0[key] }) { return result }
        let result = attempt(element, request)
        known.withLock { $0[key] = result }
        return result
    }

    /// Records that an encoder has failed while encoding, so that it is not chosen again for the same encoding, frames
    /// and frame rate.
    static func noteFailure(of element: EncoderElement, _ request: EncodingRequest, because reason: String) {
        known.withLock { $0[Key(element, request)] = .fails(reason) }
    }

    /// Measures the CPU time of this process to encode a frame of a moving picture, for ``EncoderSurvey`` and
    /// `explain`.
    ///
    /// - Parameters:
    ///   - element: An encoder that works.
    ///   - request: The encoding, and the frames to encode.
    /// - Returns: The time per frame, without the encoder's start. Nil when a run fails, or when the start hides the
    ///   frames' time.
    static func timePerFrame(_ element: EncoderElement, _ request: EncodingRequest) -> Duration? {
        let pictures = (0..<4).map { movingPicture(request.info.layout, step: $0) }
        let clock = MonotonicClock()
        func time(of frames: Int) -> (used: Duration, length: Duration)? {
            let (start, before) = (clock.now, ProcessorTime.used)
            guard run(element, request, pictures, count: frames) == .works else { return nil }
            return (ProcessorTime.used - before, start.duration(to: clock.now))
        }
        guard let short = time(of: frameCount) else { return nil }
        var frames = 16
        while true {
            guard let long = time(of: frameCount + frames) else { return nil }
            let difference = long.used - short.used
            // The cost of a start varies from run to run: the frames' cost must outweigh it.
            if difference >= short.used || frames >= mostFrames || long.length >= longRun {
                return difference > .zero ? difference / frames : nil
            }
            frames *= 4
        }
    }

    private static func attempt(_ element: EncoderElement, _ request: EncodingRequest) -> Result {
        guard GStreamer.has(element.name) else { return .fails(GStreamer.missing([element.name]).reason) }
        // A driver that crashes must not crash this process: try the encoder in another process.
        if element.isHardware, let failure = failureInChild(element, request) { return .fails(failure) }
        // The content of the pictures is arbitrary memory, because only success counts here. The trial measures no CPU
        // time, because an output waits for the trial.
        return run(element, request, [FrameBuffer(request.info.layout)], count: frameCount)
    }

    /// Encodes frames in this process.
    ///
    /// - Parameters:
    ///   - element: The encoder.
    ///   - request: The encoding, and the frames to encode.
    ///   - pictures: The pictures of the frames, used in turn.
    ///   - count: The number of frames.
    /// - Returns: The result of the run.
    private static func run(
        _ element: EncoderElement, _ request: EncodingRequest, _ pictures: [FrameBuffer], count: Int
    ) -> Result {
        let clock = MonotonicClock()
        var info = request.info
        do throws(MediaError) {
            let run = try EncoderRun(element, request, start: .zero)
            defer { run.stop() }
            for index in 0..<count {
                info.timestamp = Timestamp.zero.advanced(by: request.rate.interval * index)
                _ = run.encode(Frame(info: info, buffer: pictures[index % pictures.count]), isKey: index == 0)
            }
            run.end()
            let deadline = clock.now.advanced(by: timeout)
            var packets = 0
            while clock.now < deadline {
                switch run.next(within: .milliseconds(100), after: nil) {
                case .packet: packets += 1
                case .failed(let error): return .fails(error.reason)
                case .ended where packets == 0: return .fails("no packets came for \(count) frames")
                case .ended: return .works
                case .nothing: break
                }
            }
            return .fails("\(count) frames were not encoded in \(timeout.components.seconds) s")
        } catch { return .fails(error.reason) }
    }

    /// A textured picture that moves by two pixels per step.
    private static func movingPicture(_ layout: FrameLayout, step: Int) -> FrameBuffer {
        let buffer = FrameBuffer(layout)
        for plane in layout.planes.indices {
            buffer.withMutablePlane(plane, of: layout) { bytes, part in
                for row in 0..<part.dimensions.height {
                    let start = row * part.strideInBytes
                    for column in 0..<part.rowBytes {
                        // The texture: edges every 16 pixels on a gradient.
                        let x = column + 2 * step
                        let value = UInt8(truncatingIfNeeded: 64 + ((x ^ row) & 16) + (x + row) / 16)
                        bytes.storeBytes(of: value, toByteOffset: start + column, as: UInt8.self)
                    }
                }
            }
        }
        return buffer
    }

    /// Tries a hardware encoder in another process.
    ///
    /// - Returns: The reason why the encoder does not work. Nil when it works, or when `gst-launch-1.0` is not
    ///   installed.
    private static func failureInChild(_ element: EncoderElement, _ request: EncodingRequest) -> String? {
        let (info, rate) = (request.info, request.rate)
        let size = element.size(of: info.layout.size)
        let format = element.formats.contains(info.layout.format) ? info.layout.format : element.formats[0]
        let caps =
            "video/x-raw,format=\(format.mediaName),width=\(size.width),height=\(size.height),"
            + "framerate=\(rate.frames)/\(rate.seconds)"
        let properties = element.properties(EncoderElement.Settings(request.encoding, size: size, rate: rate)).map {
            "\($0.0)=\($0.1)"
        }
        let arguments =
            ["gst-launch-1.0", "--quiet", "videotestsrc", "num-buffers=\(frameCount)", "!", caps, "!", element.name]
            + properties + ["!", "fakesink"]
        switch ChildProcess(arguments).run(within: timeout) {
        // A spawn whose `execve` fails may end with status 127.
        case .exited(0), .exited(127), .notStarted, .interrupted: return nil
        case .exited(let status): return "a trial of the encoder ended with status \(status)"
        case .killed(let signal): return "a trial of the encoder crashed with signal \(signal)"
        case .tookTooLong: return "a trial of the encoder took longer than \(timeout.components.seconds) s"
        }
    }
}
#endif

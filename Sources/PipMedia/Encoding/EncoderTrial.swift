#if Media
internal import Glibc
internal import PipConcurrency
internal import PipFrames
internal import Synchronization

/// Finds out whether an encoder works, by encoding a few frames of the real size and format.
///
/// What an encoder says of itself proves nothing: its device may be missing, busy, or too small. Results are remembered
/// as long as the process lives.
enum EncoderTrial {
    /// What a trial has shown.
    enum Result: Sendable, Equatable {
        case works
        case fails(String)
    }

    private struct Key: Hashable {
        let name: String
        let encoding: VideoEncoding
        let format: PixelFormat
        let size: PixelSize
    }

    private static let known = Mutex<[Key: Result]>([:])
    /// Frames of a trial: enough for encoders that keep some.
    private static let frameCount = 4
    /// Frames that are timed, at most: small ones cost little beside a start.
    private static let mostFrames = 1024
    /// After a run of this length no longer one is tried: an encoder in hardware hardly costs CPU time.
    private static let longRun = Duration.milliseconds(250)
    private static let patience = Duration.seconds(8)

    /// Tries an encoder, unless it was tried before.
    ///
    /// - Parameters:
    ///   - element: The encoder.
    ///   - encoding: What is wanted of it.
    ///   - info: The frames' format and colours.
    ///   - rate: Frames a second.
    /// - Returns: What the trial has shown.
    static func result(
        _ element: EncoderElement, _ encoding: VideoEncoding, _ info: FrameInfo, _ rate: FrameRate
    ) -> Result {
        let key = Key(name: element.name, encoding: encoding, format: info.layout.format, size: info.layout.size)
        if let result = known.withLock({ $0[key] }) { return result }
        let result = attempt(element, encoding, info, rate)
        known.withLock { $0[key] = result }
        return result
    }

    /// Notes that an encoder has failed at work, so that it is not chosen again for the like.
    static func noteFailure(
        of element: EncoderElement, _ encoding: VideoEncoding, _ info: FrameInfo, because reason: String
    ) {
        let key = Key(name: element.name, encoding: encoding, format: info.layout.format, size: info.layout.size)
        known.withLock { $0[key] = .fails(reason) }
    }

    /// CPU time of this process for a frame of a picture that moves, as ``EncoderSurvey`` and `explain` show it.
    ///
    /// - Parameters:
    ///   - element: An encoder that works.
    ///   - encoding: What is wanted of it.
    ///   - info: The frames' format and colours.
    ///   - rate: Frames a second.
    /// - Returns: The time, without that of the start; nil when it failed, or cannot be told from the start's.
    static func timePerFrame(
        _ element: EncoderElement, _ encoding: VideoEncoding, _ info: FrameInfo, _ rate: FrameRate
    ) -> Duration? {
        let pictures = (0..<4).map { movingPicture(info.layout, step: $0) }
        let clock = MonotonicClock()
        func time(of frames: Int) -> (used: Duration, length: Duration)? {
            let (start, before) = (clock.now, ProcessorTime.used)
            guard run(element, encoding, info, rate, pictures, frames) == .works else { return nil }
            return (ProcessorTime.used - before, start.duration(to: clock.now))
        }
        guard let short = time(of: frameCount) else { return nil }
        var frames = 16
        while true {
            guard let long = time(of: frameCount + frames) else { return nil }
            let difference = long.used - short.used
            // What a start costs changes from one to the next: that of the frames has to outweigh it.
            if difference >= short.used || frames >= mostFrames || long.length >= longRun {
                return difference > .zero ? difference / frames : nil
            }
            frames *= 4
        }
    }

    private static func attempt(
        _ element: EncoderElement, _ encoding: VideoEncoding, _ info: FrameInfo, _ rate: FrameRate
    ) -> Result {
        guard GStreamer.has(element.name) else { return .fails(GStreamer.missing([element.name]).reason) }
        // A driver that crashes takes another process with it, not this one.
        if element.isHardware, let failure = failureInChild(element, encoding, info, rate) { return .fails(failure) }
        // Whatever is in the memory: what it costs is asked apart, and an output's start does not wait for it.
        return run(element, encoding, info, rate, [FrameBuffer(info.layout)], frameCount)
    }

    /// Encodes frames in this process.
    ///
    /// - Parameters:
    ///   - element: The encoder.
    ///   - encoding: What is wanted of it.
    ///   - info: The frames' format and colours.
    ///   - rate: Frames a second.
    ///   - pictures: What they show, in turn.
    ///   - count: The number of frames.
    /// - Returns: Whether it worked.
    private static func run(
        _ element: EncoderElement, _ encoding: VideoEncoding, _ info: FrameInfo, _ rate: FrameRate,
        _ pictures: [FrameBuffer], _ count: Int
    ) -> Result {
        let clock = MonotonicClock()
        var info = info
        do throws(MediaError) {
            let run = try EncoderRun(element, encoding, info, rate, start: .zero)
            defer { run.stop() }
            for index in 0..<count {
                info.timestamp = Timestamp.zero.advanced(by: rate.interval * index)
                _ = run.encode(Frame(info: info, buffer: pictures[index % pictures.count]), isKey: index == 0)
            }
            run.end()
            let deadline = clock.now.advanced(by: patience)
            var packets = 0
            while clock.now < deadline {
                switch run.next(within: .milliseconds(100), after: nil) {
                case .packet: packets += 1
                case .failed(let error): return .fails(error.reason)
                case .ended where packets == 0: return .fails("it gave nothing for \(count) frames")
                case .ended: return .works
                case .nothing: break
                }
            }
            return .fails("it did not encode \(count) frames in \(patience.components.seconds) s")
        } catch { return .fails(error.reason) }
    }

    /// A textured picture that moves by two pixels a step.
    private static func movingPicture(_ layout: FrameLayout, step: Int) -> FrameBuffer {
        let buffer = FrameBuffer(layout)
        for plane in layout.planes.indices {
            buffer.withMutablePlane(plane, of: layout) { bytes, part in
                for row in 0..<part.dimensions.height {
                    let start = row * part.strideInBytes
                    for column in 0..<part.rowBytes {
                        // Edges of 16 pixels, on a slope.
                        let x = column + 2 * step
                        let value = UInt8(truncatingIfNeeded: 64 + ((x ^ row) & 16) + (x + row) / 16)
                        bytes.storeBytes(of: value, toByteOffset: start + column, as: UInt8.self)
                    }
                }
            }
        }
        return buffer
    }

    /// Tries a device in a process of its own.
    ///
    /// - Returns: Why it does not work; nil when it does, or when the program for it is not installed.
    private static func failureInChild(
        _ element: EncoderElement, _ encoding: VideoEncoding, _ info: FrameInfo, _ rate: FrameRate
    ) -> String? {
        let size = element.size(of: info.layout.size)
        let format = element.formats.contains(info.layout.format) ? info.layout.format : element.formats[0]
        let caps =
            "video/x-raw,format=\(format.mediaName),width=\(size.width),height=\(size.height),"
            + "framerate=\(rate.frames)/\(rate.seconds)"
        let properties = element.properties(EncoderElement.Wish(encoding, size, rate)).map { "\($0.0)=\($0.1)" }
        let arguments =
            ["gst-launch-1.0", "--quiet", "videotestsrc", "num-buffers=\(frameCount)", "!", caps, "!", element.name]
            + properties + ["!", "fakesink"]
        switch ChildProcess.run(arguments, within: patience) {
        case .exited(0), .notFound: return nil
        case .exited(let status): return "a trial of it ended with \(status)"
        case .killed(let signal): return "a trial of it crashed with signal \(signal)"
        case .tookTooLong: return "a trial of it took longer than \(patience.components.seconds) s"
        }
    }
}
#endif

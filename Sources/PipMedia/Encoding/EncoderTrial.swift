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
        /// It works; CPU time of this process for a frame, nil where another process had tried.
        case works(Duration?)
        case fails(String)
    }

    private struct Key: Hashable {
        let name: String
        let encoding: VideoEncoding
        let format: PixelFormat
        let size: PixelSize
    }

    private static let known = Mutex<[Key: Result]>([:])
    private static let frameCount = 4
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

    private static func attempt(
        _ element: EncoderElement, _ encoding: VideoEncoding, _ info: FrameInfo, _ rate: FrameRate
    ) -> Result {
        guard GStreamer.has(element.name) else { return .fails(GStreamer.missing([element.name]).reason) }
        // A driver that crashes takes another process with it, not this one.
        if element.isHardware, let failure = failureInChild(element, encoding, info, rate) { return .fails(failure) }
        let clock = MonotonicClock()
        var info = info
        let buffer = FrameBuffer(info.layout)
        let before = ProcessorTime.used
        do throws(MediaError) {
            let run = try EncoderRun(element, encoding, info, rate, start: .zero)
            defer { run.stop() }
            for index in 0..<frameCount {
                info.timestamp = Timestamp.zero.advanced(by: rate.interval * index)
                _ = run.encode(Frame(info: info, buffer: buffer), isKey: index == 0)
            }
            run.end()
            let deadline = clock.now.advanced(by: patience)
            var packets = 0
            while clock.now < deadline {
                switch run.next(within: .milliseconds(100), after: nil) {
                case .packet: packets += 1
                case .failed(let error): return .fails(error.reason)
                case .ended where packets == 0: return .fails("it gave nothing for \(frameCount) frames")
                case .ended: return .works((ProcessorTime.used - before) / frameCount)
                case .nothing: break
                }
            }
            return .fails("it did not encode \(frameCount) frames in \(patience.components.seconds) s")
        } catch { return .fails(error.reason) }
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

#if Media
internal import CGStreamer
internal import PipConcurrency
internal import PipFrames
internal import PipSources

/// Reads the packets of a movie file, still encoded: those of its first video and its first sound.
///
/// Thread: one thread at a time.
final class PacketReader {
    /// The longest wait for the next packet.
    private static let timeout = Duration.seconds(10)

    let path: String
    private let pipeline: Pipeline
    private let selection: StreamSelection
    private let pictures: Outlet
    private let sound: Outlet
    private let clock = MonotonicClock()
    private var formats: [PacketFormat] = []

    /// Opens a file.
    ///
    /// - Throws: ``PipSources/SourceError`` when the file is no movie that can be read.
    init(_ path: String) throws(SourceError) {
        self.path = path
        if let truncation = try MovieFileCheck.findings(of: path).truncation {
            throw SourceError(path, "read", .damaged, truncation)
        }
        do throws(MediaError) {
            pipeline = try Pipeline(
                "filesrc name=file ! parsebin name=parse  appsink name=pictures  appsink name=sound")
            pipeline.set("location", of: "file", to: path)
            selection = StreamSelection(pipeline, demuxer: "parse", target: "pictures", sound: "sound")
            pictures = Outlet("pictures", of: pipeline)
            sound = Outlet("sound", of: pipeline)
            // The reader takes sound packets between the pictures, so that they need no limit.
            pipeline.set("max-buffers", of: "pictures", to: "8")
            try pipeline.play()
        } catch { throw SourceError(path, "open", .failed, error.reason) }
    }

    deinit { pipeline.stop() }

    /// The next video packet, in decoding order; nil at the end.
    func nextPicture() throws(SourceError) -> Packet? {
        let deadline = clock.now.advanced(by: Self.timeout)
        while clock.now < deadline {
            if let sample = pictures.pull(within: .milliseconds(50)) {
                if let packet = packet(sample) { return packet }
                throw SourceError(path, "read", .damaged, "a picture of it has no time")
            }
            if let error = pipeline.nextFailure() {
                throw SourceError(path, "read", .damaged, selection.reason(hasEnded: true)?.reason ?? error.reason)
            }
            let isAtEnd = pictures.isAtEnd
            if let reason = selection.reason(hasEnded: isAtEnd)?.reason {
                throw SourceError(path, "read", .damaged, reason)
            }
            if isAtEnd { return nil }
        }
        throw SourceError(path, "read", .failed, "no packet came for \(Self.timeout.components.seconds) s")
    }

    /// The next sound packet that has come beside the pictures so far; nil when none has.
    func nextSound() -> Packet? {
        while let sample = sound.pull(within: .zero) { if let packet = packet(sample) { return packet } }
        return nil
    }

    /// The next sound packet after the last picture.
    ///
    /// Blocks until it comes. Nil at the end.
    func lastSound() -> Packet? {
        let deadline = clock.now.advanced(by: Self.timeout)
        while !sound.isAtEnd, clock.now < deadline {
            if let sample = sound.pull(within: .milliseconds(50)), let packet = packet(sample) { return packet }
        }
        return nextSound()
    }

    /// The format of the sound, known after the first picture; nil for a file without sound.
    var soundFormat: PacketFormat? {
        guard let caps = unsafe pipeline.inputCaps(of: "sound") else { return nil }
        defer { unsafe gst_caps_unref(caps) }
        return unsafe PacketFormat(caps)
    }

    /// The file's comment, known after the first picture; nil for a file without one.
    var comment: String? {
        unsafe pipeline.withElement("pictures") { element in
            guard let text = unsafe pip_received_text(element, "comment") else { return nil }
            defer { unsafe g_free(text) }
            return unsafe String(cString: text)
        }
    }

    private func packet(_ sample: borrowing Outlet.Sample) -> Packet? {
        guard let buffer = unsafe sample.buffer, let caps = unsafe sample.caps else { return nil }
        let shown = unsafe sample.runningTime(buffer.pointee.pts)
        let decoded = unsafe sample.runningTime(buffer.pointee.dts)
        guard let time = shown ?? decoded else { return nil }
        let length = unsafe buffer.pointee.duration
        return unsafe Packet(
            buffer, format(caps), at: Timestamp(nanoseconds: time.nanoseconds),
            decodeLead: max(.zero, time - (decoded ?? time)),
            duration: length == GST_CLOCK_TIME_NONE_VALUE ? .zero : .nanoseconds(Int64(length)))
    }

    /// The shared object of a format.
    private func format(_ caps: UnsafeMutablePointer<GstCaps>) -> PacketFormat {
        let new = unsafe PacketFormat(caps).completedForMuxer
        if let known = formats.first(where: { $0.isEqual(to: new) }) { return known }
        formats.append(new)
        return new
    }
}
#endif

#if Media
internal import CGStreamer
internal import PipConcurrency
internal import PipFrames
internal import PipSources

/// Reads the encoded packets of a movie file: those of its first video track and its first sound track.
///
/// Thread: one thread at a time.
final class PacketReader {
    let path: String
    /// The longest wait for the file's next packet.
    private let timeout: Duration
    private let pipeline: Pipeline
    private let selection: StreamSelection
    private let pictures: Outlet
    private let sound: Outlet
    private let clock = MonotonicClock()
    private var formats: [PacketFormat] = []

    /// Opens a movie file.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - takesTruncated: True to read a truncated file up to its last whole packet.
    /// - Throws: ``PipSources/SourceError`` when the file is missing, unreadable or truncated, or an element is
    ///   missing.
    init(_ path: String, takesTruncated: Bool = false) throws(SourceError) {
        self.path = path
        // A demuxer may wait for the rest of a truncated header.
        timeout = .seconds(takesTruncated ? 2 : 10)
        if let truncation = try MovieFileCheck.findings(of: path).truncation, !takesTruncated {
            throw SourceError(path, "read", .damaged, truncation)
        }
        do throws(MediaError) {
            pipeline = try Pipeline(
                "filesrc name=file ! parsebin name=parse  appsink name=pictures  appsink name=sound")
            pipeline.set("location", of: "file", to: path)
            selection = StreamSelection(pipeline, demuxer: "parse", target: "pictures", sound: "sound")
            pictures = Outlet("pictures", of: pipeline)
            sound = Outlet("sound", of: pipeline)
            // The caller takes sound packets between the pictures, so the queue of sound needs no limit.
            pipeline.set("max-buffers", of: "pictures", to: "8")
            try pipeline.play()
        } catch { throw SourceError(path, "open", .failed, error.reason) }
    }

    deinit { pipeline.stop() }

    /// Returns the next video packet, in decoding order; nil at the file's end.
    ///
    /// Blocks until the packet comes.
    ///
    /// - Throws: ``PipSources/SourceError`` when no packet comes within 10 seconds, when the file cannot be read, and
    ///   for a packet without a timestamp.
    func nextPicture() throws(SourceError) -> Packet? {
        let deadline = clock.now.advanced(by: timeout)
        while clock.now < deadline {
            if let sample = pictures.pull(within: .milliseconds(50)) {
                if let packet = packet(sample) { return packet }
                throw SourceError(path, "read", .damaged, "a picture has no timestamp")
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
        throw SourceError(path, "read", .failed, "no packet came for \(timeout.components.seconds) s")
    }

    /// Returns the next sound packet that has arrived; nil when there is none.
    ///
    /// Does not block.
    func nextSound() -> Packet? {
        while let sample = sound.pull(within: .zero) { if let packet = packet(sample) { return packet } }
        return nil
    }

    /// Waits for the next sound packet after the last picture, for at most 10 seconds.
    ///
    /// - Returns: The packet. Nil at the file's end, and when no packet came in time.
    func lastSound() -> Packet? {
        let deadline = clock.now.advanced(by: timeout)
        while !sound.isAtEnd, clock.now < deadline {
            if let sample = sound.pull(within: .milliseconds(50)), let packet = packet(sample) { return packet }
        }
        return nextSound()
    }

    /// Reads and discards pictures until the format of the sound packets is known.
    ///
    /// The demuxer announces all streams before the first picture, but the first sound may come some pictures later.
    ///
    /// - Returns: The format; nil for a file without sound.
    /// - Throws: The errors of ``nextPicture()``.
    func findSoundFormat() throws(SourceError) -> PacketFormat? {
        while soundFormat == nil, selection.hasSound {
            if try nextPicture() == nil {
                _ = lastSound()
                break
            }
        }
        return soundFormat
    }

    private var soundFormat: PacketFormat? {
        guard let caps = unsafe pipeline.inputCaps(of: "sound") else { return nil }
        defer { unsafe gst_caps_unref(caps) }
        return unsafe PacketFormat(caps)
    }

    /// The comment in the file's tags, which is known from the first picture on; nil for a file without a comment.
    var comment: String? { text("comment") }

    /// The title in the file's tags, which is known from the first picture on; nil for a file without a title.
    var title: String? { text("title") }

    /// The date in the file's tags, which is known from the first picture on; nil for a file without a date.
    var date: WallTime? {
        let microseconds = unsafe pipeline.withElement("pictures") { unsafe pip_received_time($0, "datetime") }
        return microseconds < 0 ? nil : WallTime(sinceEpoch: .microseconds(microseconds))
    }

    /// The duration that the file states, which is known from the first picture on; nil when the file states none.
    var duration: Duration? { pipeline.length }

    private func text(_ tag: String) -> String? {
        unsafe pipeline.withElement("pictures") { element in
            guard let text = unsafe pip_received_text(element, tag) else { return nil }
            defer { unsafe g_free(text) }
            return unsafe String(cString: text)
        }
    }

    private func packet(_ sample: borrowing Outlet.Sample) -> Packet? {
        guard let buffer = unsafe sample.buffer, let caps = unsafe sample.caps else { return nil }
        let shown = unsafe sample.runningTime(buffer.pointee.pts)
        let decoded = unsafe sample.runningTime(buffer.pointee.dts)
        guard let time = shown ?? decoded else { return nil }
        let format = unsafe format(caps)
        let length = unsafe buffer.pointee.duration
        // GStreamer 1.26 tells no duration of JPEG pictures.
        let isTold = length != GST_CLOCK_TIME_NONE_VALUE && length > 0
        return unsafe Packet(
            buffer, format, at: Timestamp(nanoseconds: time.nanoseconds),
            decodeLead: max(.zero, time - (decoded ?? time)),
            duration: isTold ? .nanoseconds(Int64(length)) : format.rate?.interval ?? .zero)
    }

    /// Returns the shared object for packets of the format `caps`.
    private func format(_ caps: UnsafeMutablePointer<GstCaps>) -> PacketFormat {
        let new = unsafe PacketFormat(caps).completedForMuxer
        if let known = formats.first(where: { $0.isEqual(to: new) }) { return known }
        formats.append(new)
        return new
    }
}
#endif

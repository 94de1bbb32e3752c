#if Media
internal import CGStreamer
internal import PipConcurrency
internal import PipFrames
internal import PipSound

/// A consumer of a mixer's sound, one block after another.
///
/// Thread: the mixer's thread.
protocol SoundConsumer: AnyObject, Sendable {
    /// Takes the next block, which follows the last block without a gap.
    func take(_ block: AudioBlock)
    /// Ends the sound; no block follows.
    func finish()
}

/// Encodes a mix or an input once for all outputs that need the same encoding of this sound.
///
/// A packet carries the time of its first decoded sample, which the codec's priming shifts to an earlier time.
final class SoundEncoder: SoundConsumer {
    private struct State {
        var feeds: [TrackFeed] = []
        /// The time of the first sample; nil before the first block.
        var start: Timestamp?
        var packets = 0
        var hasEnded = false
    }

    /// The number of blocks in the encoder's queue above which the mixer waits for the encoder.
    private static let depth = 100

    private let encoding: AudioEncoding
    private let rate: Int
    private let pipeline: Pipeline
    private let inlet: Inlet
    private let outlet: Outlet
    private let onFailure: @Sendable (String) -> Void
    private let state = Monitor(State())

    /// Starts an encoder.
    ///
    /// - Parameters:
    ///   - encoding: The requested encoding.
    ///   - format: The blocks' format: mono or stereo.
    ///   - onFailure: Takes a sentence when the encoder fails while it runs.
    /// - Throws: ``MediaError`` when the GStreamer element is missing, or refuses the settings.
    init(
        _ encoding: AudioEncoding, _ format: AudioFormat, onFailure: @escaping @Sendable (String) -> Void
    ) throws(MediaError) {
        self.encoding = encoding
        self.onFailure = onFailure
        rate = format.rate
        try GStreamer.require(["audioconvert", encoding.element])
        pipeline = try Pipeline("appsrc name=in ! \(encoding.elements) ! appsink name=out")
        pipeline.set("bitrate", of: "encoder", to: "\(encoding.bitRate)")
        inlet = Inlet("in", of: pipeline)
        outlet = Outlet("out", of: pipeline)
        inlet.use(PacketFormat(sound: format))
        try pipeline.play()
        // The thread holds the encoder weakly: an encoder without outputs is released, and its thread ends.
        _ = WorkerThread(name: "pip-sound-enc") { [weak self] in
            var format: PacketFormat?
            while let encoder = self, encoder.follow(&format) {}
        }
    }

    deinit {
        pipeline.stop()
        for feed in state.read({ $0.feeds }) { feed.close() }
    }

    /// Adds an output's queue, which gets all packets from now on.
    func add(_ feed: TrackFeed) {
        let hasEnded = state.update { state in
            state.feeds.append(feed)
            return state.hasEnded
        }
        if hasEnded { feed.close() }
    }

    // MARK: The mixer's thread

    func take(_ block: AudioBlock) {
        guard let buffer = unsafe mediaBuffer(block) else { return }
        let start = state.update { state in
            state.feeds.removeAll(where: \.isFinished)
            state.start = state.start ?? block.timestamp
            return state.start ?? block.timestamp
        }
        unsafe buffer.pointee.pts = GstClockTime(max(0, start.duration(to: block.timestamp).nanoseconds))
        unsafe buffer.pointee.duration = GstClockTime(block.frames * 1_000_000_000 / rate)
        guard unsafe inlet.push(buffer) else { return }
        let clock = MonotonicClock()
        let limit = clock.now.advanced(by: .seconds(2))
        while inlet.level > Self.depth, clock.now < limit, !state.read({ $0.hasEnded }) {
            clock.block(for: .milliseconds(1))
        }
    }

    func finish() { inlet.end() }

    // MARK: The encoder's thread

    /// Waits a moment for a packet from the encoder, and delivers it to all outputs.
    ///
    /// - Returns: False when no packet follows.
    private func follow(_ format: inout PacketFormat?) -> Bool {
        if let sample = outlet.pull(within: .milliseconds(100)), let buffer = unsafe sample.buffer,
            let caps = unsafe sample.caps
        {
            let known = unsafe PacketFormat.of(caps, after: format)
            format = known
            unsafe deliver(buffer, known)
            return true
        }
        if let error = pipeline.nextFailure() {
            onFailure("the encoder \(encoding.element) has failed: \(error.reason); the output goes on without sound")
            end()
            return false
        }
        guard outlet.isAtEnd else { return true }
        end()
        return false
    }

    private func deliver(_ buffer: UnsafeMutablePointer<GstBuffer>, _ format: PacketFormat) {
        let (start, number, feeds) = state.update { state in
            defer { state.packets += 1 }
            return (state.start ?? .zero, state.packets, state.feeds)
        }
        // Count samples instead of using the encoder's times: sound has no gaps, and rounding errors would add up.
        let clock = SampleClock(start: start, rate: rate)
        let first = number * encoding.codec.frames - encoding.codec.priming
        let (time, next) = (clock.time(ofFrame: first), clock.time(ofFrame: first + encoding.codec.frames))
        let packet = unsafe Packet(buffer, format, at: time, duration: time.duration(to: next))
        for feed in feeds { feed.deliver(packet) }
    }

    private func end() {
        pipeline.stop()
        let feeds = state.update { state in
            state.hasEnded = true
            return state.feeds
        }
        for feed in feeds { feed.close() }
    }
}

/// Copies a block's samples into a new buffer, which the caller must release.
private func mediaBuffer(_ block: AudioBlock) -> UnsafeMutablePointer<GstBuffer>? {
    unsafe block.samples.withUnsafeBytes { bytes in
        guard let buffer = unsafe gst_buffer_new_allocate(nil, gsize(bytes.count), nil) else { return nil }
        unsafe gst_buffer_fill(buffer, 0, bytes.baseAddress, gsize(bytes.count))
        return unsafe buffer
    }
}

extension PacketFormat {
    /// Creates the format of raw sound in 32-bit floats, mono or stereo.
    convenience init(sound format: AudioFormat) {
        let mask = format.channels == 2 ? ",channel-mask=(bitmask)0x3" : ""
        self.init(
            parsing: """
                audio/x-raw,format=F32LE,layout=interleaved,rate=\(format.rate),channels=\(format.channels)\(mask)
                """)
    }
}
#endif

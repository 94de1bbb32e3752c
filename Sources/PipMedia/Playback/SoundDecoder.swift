#if Media
internal import CGStreamer
internal import PipConcurrency
internal import PipFrames
internal import PipSound

/// A decoder of the first sound stream of a movie file, which resamples the sound to the house rate in stereo.
///
/// Thread: one thread at a time.
final class SoundDecoder: @unchecked Sendable {
    /// The result of waiting for sound.
    enum Outcome {
        /// A block and its time in the file; the time is nil when the stream gives none.
        case block(AudioBlock, Duration?)
        case nothing
        case ended
        case failed(MediaError)
    }

    private let pipeline: Pipeline
    private let selection: StreamSelection
    private let outlet: Outlet

    /// The largest gap or overlap between blocks that counts as rounding, in samples: containers round times.
    static let longestRounding = AudioFormat.houseRate / 100

    /// Opens a file and starts to decode it.
    ///
    /// - Parameter path: The path of the file.
    /// - Throws: ``MediaError`` when an element is missing, or the pipeline does not start.
    init(_ path: String) throws(MediaError) {
        // `parsebin` does not add a stream to a program that goes on with another stream; `tsdemux` does.
        let isStream = (try? MovieFileCheck.findings(of: path))?.isTransportStream == true
        let demuxer = isStream ? "tsdemux" : "parsebin"
        pipeline = try Pipeline(
            """
            filesrc name=file ! \(demuxer) name=parse  decodebin name=decode ! audioconvert name=convert \
            ! audioresample ! audio/x-raw,format=F32LE,layout=interleaved,rate=\(AudioFormat.houseRate),channels=2,\
            channel-mask=(bitmask)0x3 ! appsink name=out
            """)
        pipeline.set("location", of: "file", to: path)
        // The repair must come before the selection, which discards packets of other streams that the repair looks at.
        PacketTimes.mend(pipeline, isFile: true, demuxer: isStream ? "parse" : nil)
        selection = StreamSelection(
            pipeline, demuxer: "parse", target: "decode", output: "convert", medium: .sound, discards: isStream)
        outlet = Outlet("out", of: pipeline)
        pipeline.set("max-buffers", of: "out", to: "8")
        try pipeline.play()
    }

    deinit { pipeline.stop() }

    /// The longest time for opening a file, and for decoding a block.
    private static let timeout = Duration.seconds(10)

    /// Opens a file, and blocks until its first sound is decoded.
    ///
    /// - Returns: The decoder, and the first block with its time in the file.
    /// - Throws: ``MediaError`` when the file has no sound, or its sound cannot be decoded.
    static func opened(
        _ path: String
    ) throws(MediaError) -> (decoder: SoundDecoder, block: AudioBlock, time: Duration?) {
        let decoder = try SoundDecoder(path)
        guard let first = try decoder.nextBlock() else {
            throw MediaError(kind: .failed, reason: "it has no sound")
        }
        return (decoder, first.block, first.time)
    }

    /// Waits for the next block; nil at the end of the file.
    ///
    /// - Throws: ``MediaError`` when the sound cannot be decoded, or when no block comes for 10 seconds.
    func nextBlock() throws(MediaError) -> (block: AudioBlock, time: Duration?)? {
        let clock = MonotonicClock()
        let deadline = clock.now.advanced(by: Self.timeout)
        while clock.now < deadline {
            switch next(within: .milliseconds(50)) {
            case .block(let block, let time): return (block, time)
            case .ended: return nil
            case .failed(let error): throw error
            case .nothing: break
            }
        }
        throw MediaError(
            kind: .failed, reason: "no sound was decoded within \(Self.timeout.components.seconds) s")
    }

    /// Waits for the next block, for at most `timeout`.
    func next(within timeout: Duration) -> Outcome {
        if let sample = outlet.pull(within: timeout) {
            guard let (block, _) = sample.sound, let buffer = unsafe sample.buffer else { return .nothing }
            return unsafe .block(block, sample.streamTime(buffer.pointee.pts))
        }
        if let error = pipeline.nextFailure() { return .failed(selection.reason(hasEnded: true) ?? error) }
        if outlet.isAtEnd { return selection.reason(hasEnded: true).map { .failed($0) } ?? .ended }
        return selection.reason(hasEnded: false).map { .failed($0) } ?? .nothing
    }

    /// Continues at or before a time of the file.
    ///
    /// - Returns: False when the file is not seekable, when its decoding has failed, and once another program of a
    ///   transport stream has begun.
    func seek(to time: Duration) -> Bool {
        selection.restart() && pipeline.seekKeyFrame(before: time)
    }

    /// Closes the file.
    ///
    /// Blocks until the pipeline's threads have ended.
    func stop() { pipeline.stop() }
}
#endif

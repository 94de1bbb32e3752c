#if Media
internal import CGStreamer
internal import PipConcurrency
internal import PipFrames
internal import PipSound

/// The sound of a movie file that is being decoded: its first stream of sound, at the rate of a mix, in stereo.
///
/// Belongs to one thread at a time.
final class SoundDecoder: @unchecked Sendable {
    /// What came of a wait for sound.
    enum Outcome {
        /// A block, and the file's time of it; nil where it follows the one before.
        case block(AudioBlock, Duration?)
        case nothing
        case ended
        case failed(MediaError)
    }

    private let pipeline: Pipeline
    private let selection: StreamSelection
    private let outlet: Outlet

    /// Begins to decode a file.
    ///
    /// - Parameter path: The file.
    /// - Throws: ``MediaError`` when an element is missing.
    init(_ path: String) throws(MediaError) {
        pipeline = try Pipeline(
            """
            filesrc name=file ! parsebin name=parse  decodebin name=decode ! audioconvert ! audioresample \
            ! audio/x-raw,format=F32LE,layout=interleaved,rate=\(AudioFormat.houseRate),channels=2,\
            channel-mask=(bitmask)0x3 ! appsink name=out
            """)
        pipeline.set("location", of: "file", to: path)
        selection = StreamSelection(pipeline, demuxer: "parse", target: "decode", medium: .sound)
        PacketTimes.mend(pipeline, isFile: true)
        outlet = Outlet("out", of: pipeline)
        pipeline.set("max-buffers", of: "out", to: "8")
        try pipeline.play()
    }

    deinit { pipeline.stop() }

    /// The longest time that a file may take to open, and a block to decode.
    private static let patience = Duration.seconds(10)

    /// Opens a file, and blocks until its first sound is decoded.
    ///
    /// - Throws: ``MediaError`` when it has none.
    static func opened(
        _ path: String
    ) throws(MediaError) -> (decoder: SoundDecoder, block: AudioBlock, time: Duration?) {
        let decoder = try SoundDecoder(path)
        guard let first = try decoder.nextBlock() else {
            throw MediaError(kind: .failed, reason: "it has no sound")
        }
        return (decoder, first.block, first.time)
    }

    /// Waits for the next block; nil at the end.
    ///
    /// - Throws: ``MediaError`` when it cannot be decoded, or nothing comes for 10 seconds.
    func nextBlock() throws(MediaError) -> (block: AudioBlock, time: Duration?)? {
        let clock = MonotonicClock()
        let deadline = clock.now.advanced(by: Self.patience)
        while clock.now < deadline {
            switch next(within: .milliseconds(50)) {
            case .block(let block, let time): return (block, time)
            case .ended: return nil
            case .failed(let error): throw error
            case .nothing: break
            }
        }
        throw MediaError(
            kind: .failed, reason: "no sound was decoded within \(Self.patience.components.seconds) s")
    }

    /// Waits for the next block.
    func next(within patience: Duration) -> Outcome {
        if let sample = outlet.pull(within: patience) {
            guard let (block, _) = sample.sound, let buffer = unsafe sample.buffer else { return .nothing }
            return unsafe .block(block, sample.streamTime(buffer.pointee.pts))
        }
        while let message = pipeline.nextMessage() {
            if case .failed(let error) = message { return .failed(selection.reason(hasEnded: true) ?? error) }
        }
        if outlet.isAtEnd { return selection.reason(hasEnded: true).map { .failed($0) } ?? .ended }
        return selection.reason(hasEnded: false).map { .failed($0) } ?? .nothing
    }

    /// Goes to what lies before a time of the file.
    ///
    /// - Returns: False when the file cannot be searched.
    func seek(to time: Duration) -> Bool {
        selection.restart()
        return pipeline.seekKeyFrame(before: time)
    }

    /// Lets go of the file; blocks while the engine's threads end.
    func stop() { pipeline.stop() }
}
#endif

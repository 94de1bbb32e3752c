#if Media
internal import Glibc
internal import PipConcurrency
internal import PipFrames
internal import PipSound
internal import PipSources
internal import SystemPackage

/// The sound of a file, which starts with the first output: music, a recorded voice or the sound of a movie.
///
/// ```swift
/// let sound = AudioMixer()
/// sound.add(SoundFile("music.opus", loops: true)).gain = -12
/// ```
///
/// This package reads WAV files; the media engine decodes all other formats. Use ``MovieSound`` for the sound of a
/// movie that is shown, in step with its pictures.
public struct SoundFile: AudioSource {
    private let path: String
    private let loops: Bool
    private let from: Duration
    private let to: Duration?

    /// Creates a source that plays a file.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - loops: True to play the file again and again.
    ///   - from: The time in the file of the first sound to play.
    ///   - to: The time in the file at which playing ends. Nil to play to the file's end.
    public init(_ path: String, loops: Bool = false, from: Duration = .zero, to: Duration? = nil) {
        self.path = path
        self.loops = loops
        self.from = from
        self.to = to
    }

    public var label: String { path }

    public var opening: AudioOpening {
        let sound = self
        return AudioOpening { context throws(SoundError) in
            let file: any SoundReading
            do throws(SourceError) { file = try sound.reading(until: Interruption()) } catch {
                throw sound.error(error)
            }
            return try sound.sound(of: file, context)
        } prepare: { interruption throws(SourceError) in
            let file = OpenedFile(reading: try sound.reading(until: interruption))
            return AudioOpening { context throws(SoundError) in try sound.sound(of: file.reading, context) }
        }
    }

    /// A file that one mixer will read.
    private struct OpenedFile: @unchecked Sendable {
        // One thread at a time uses the file: first the thread that opens the file, then the mixer's thread.
        let reading: any SoundReading
    }

    /// Opens the file, at the beginning of the part that is heard.
    private func reading(until interruption: Interruption) throws(SourceError) -> any SoundReading {
        if let to, to <= from {
            throw SourceError(
                path, "open", .invalidOptions,
                "the end at \(to.inSeconds) s must be later than the beginning at \(from.inSeconds) s")
        }
        let file: any SoundReading =
            try WAVReader.isWAV(path) ? WAVReader(path: path, opening: interruption) : DecodedSound(path)
        if loops || from > .zero { try file.rewind(to: from) }
        return file
    }

    private func sound(of file: any SoundReading, _ context: AudioContext) throws(SoundError) -> any AudioReader {
        do throws(SourceError) {
            return try FileSound(file, loops: loops, from: from, length: to.map { $0 - from }, context)
        } catch { throw self.error(error) }
    }

    private func error(_ error: SourceError) -> SoundError {
        SoundError(.unavailable, subject: path, operation: error.operation, reason: error.reason)
    }
}

/// A sound file that is read from its beginning to its end.
private protocol SoundReading: AnyObject {
    var name: String { get }
    var format: AudioFormat { get }

    /// Reads the next samples.
    ///
    /// - Parameter block: A block of the file's format. Samples beyond the end of the file become silent.
    /// - Returns: The number of samples read of each channel, less than the block's only at the end of the file.
    /// - Throws: ``PipSources/SourceError`` when reading fails.
    func read(into block: inout AudioBlock) throws(SourceError) -> Int

    /// Continues reading at a time of the file.
    ///
    /// - Throws: ``PipSources/SourceError`` when the file cannot be read from that time on.
    func rewind(to time: Duration) throws(SourceError)
}

extension WAVReader: SoundReading {
    /// True for a file that this reader reads: a WAV file, or standard input or a pipe, in which the media engine
    /// cannot seek.
    fileprivate static func isWAV(_ path: String) -> Bool {
        var status = stat()
        let isPipe = unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
        return path == "-" || isPipe || path.split(separator: ".").last?.lowercased() == "wav"
    }

    fileprivate func rewind(to time: Duration) throws(SourceError) {
        try rewind()
        var left = Int((time.inSeconds * Double(format.rate)).rounded())
        while left > 0 {
            var block = AudioBlock(format, frames: min(left, format.rate))
            let count = try read(into: &block)
            guard count > 0 else { return }
            left -= count
        }
    }
}

/// A sound file that the media engine decodes.
private final class DecodedSound: SoundReading {
    let name: String
    let format = AudioFormat.stereo
    private var decoder: SoundDecoder
    /// The decoded samples, and the index of the first unread sample.
    private var waiting: (samples: [Float], start: Int)
    /// The number of silent samples to read before the decoded samples, where the file has a gap.
    private var silence = 0
    /// The number of the next decoded sample, counted from the file's beginning; nil after a seek, until a block is
    /// decoded.
    private var next: Int?
    /// The timestamp of the file's first sample.
    private let origin: Duration
    /// The number of the first sample to read; earlier samples are dropped.
    private var first = 0

    init(_ path: String) throws(SourceError) {
        name = path
        guard unsafe access(path, R_OK) == 0 else { throw SourceError(path, "open", Errno(rawValue: errno)) }
        do throws(MediaError) {
            let (decoder, block, time) = try SoundDecoder.opened(path)
            self.decoder = decoder
            waiting = (block.samples, 0)
            next = block.frames
            origin = time ?? .zero
        } catch { throw SourceError(path, "play its sound", .damaged, error.reason) }
    }

    func read(into block: inout AudioBlock) throws(SourceError) -> Int {
        block.clear()
        var count = 0
        while count < block.frames {
            if silence > 0 {
                let taken = min(silence, block.frames - count)
                (silence, count) = (silence - taken, count + taken)
                continue
            }
            let present = (waiting.samples.count - waiting.start) / 2
            if present == 0 {
                guard try decodeMore() else { break }
                continue
            }
            let taken = min(present, block.frames - count)
            let next = waiting.start + 2 * taken
            block.replaceSamples(from: 2 * count, with: waiting.samples[waiting.start..<next])
            waiting.start = next
            count += taken
        }
        return count
    }

    func rewind(to time: Duration) throws(SourceError) {
        (waiting, silence, next, first) = (([], 0), 0, nil, time.soundFrames)
        do throws(MediaError) {
            // Decoders of compressed sound are exact only after some sound: start before the part.
            if !decoder.seek(to: max(.zero, origin + time - .seconds(1))) {
                decoder.stop()
                decoder = try SoundDecoder(name)
            }
        } catch { throw SourceError(name, "begin at \(time.inSeconds) s", .failed, error.reason) }
    }

    /// Decodes a block of sound; returns false at the end of the file.
    private func decodeMore() throws(SourceError) -> Bool {
        do throws(MediaError) {
            guard let (block, time) = try decoder.nextBlock() else { return false }
            let stated = time.map { ($0 - origin).soundFrames }
            let expected = next ?? min(stated ?? 0, first)
            let place = stated.map { $0 - expected > SoundDecoder.longestRounding ? $0 : expected } ?? expected
            silence = max(0, place - max(expected, first))
            next = place + block.frames
            waiting = (block.samples, 2 * min(block.frames, max(0, first - place)))
            return true
        } catch { throw SourceError(name, "decode its sound", .damaged, error.reason) }
    }
}

/// Plays a sound file on a mixer's clock.
private final class FileSound: AudioReader {
    private struct State {
        let file: any SoundReading
        /// The converter from the file's sample rate to the mixer's sample rate.
        var timeline: AudioTimeline
        var block: AudioBlock
        /// The numbers of samples read of each channel: in all, and in the current pass through the file.
        var framesRead = (all: 0, round: 0)
        /// The clock that stamps the file's samples; nil before the first read.
        var clock: SampleClock?
        var status = AudioStatus(.sounding)
    }

    // Only this object owns the file, and uses it only under the lock.
    private let state: Monitor<Unshared>
    private let loops: Bool
    private let from: Duration
    /// The number of samples in the part to play; nil for a part that ends with the file.
    private let length: Int?
    private let frames: SampleClock

    /// The file's state, which is used only under the lock: hence Sendable.
    private struct Unshared: @unchecked Sendable { var state: State }

    init(
        _ file: any SoundReading, loops: Bool, from: Duration, length: Duration?, _ context: AudioContext
    ) throws(SourceError) {
        self.loops = loops
        self.from = from
        self.length = length.map { max(1, Int(($0.inSeconds * Double(file.format.rate)).rounded())) }
        frames = context.frames
        let timeline: AudioTimeline
        do throws(SoundError) {
            timeline = try AudioTimeline(file.format, clock: context.frames)
        } catch { throw SourceError(file.name, "read", .failed, error.reason) }
        state = Monitor(
            Unshared(
                state: State(
                    file: file, timeline: timeline,
                    block: AudioBlock(file.format, frames: file.format.rate / 50))))
    }

    func read(from frame: Int, count: Int) -> AudioBlock {
        let end = frames.time(ofFrame: frame + count)
        return state.update { shared in
            // Read further ahead than the resampler's look-ahead.
            let goal = end.advanced(by: .milliseconds(100))
            let clock =
                shared.state.clock
                ?? SampleClock(start: frames.time(ofFrame: frame), rate: shared.state.block.format.rate)
            shared.state.clock = clock
            while shared.state.status.state == .sounding, clock.time(ofFrame: shared.state.framesRead.all) < goal {
                readMore(&shared.state, clock)
            }
            var block = AudioBlock(shared.state.timeline.output, frames: count)
            shared.state.timeline.read(from: frame, into: &block)
            return block
        }
    }

    private func readMore(_ state: inout State, _ clock: SampleClock) {
        do throws(SourceError) {
            let wanted = length.map { min(state.block.frames, $0 - state.framesRead.round) } ?? state.block.frames
            let count = min(wanted, try state.file.read(into: &state.block))
            if count > 0 {
                let block = state.block
                let samples = block.samples.span.extracting(first: count * block.format.channels)
                state.timeline.write(samples, at: clock.time(ofFrame: state.framesRead.all))
                state.framesRead.all += count
                state.framesRead.round += count
            }
            guard count < state.block.frames || state.framesRead.round == length else { return }
            guard loops, state.framesRead.round > 0 else { return end(&state, nil) }
            state.framesRead.round = 0
            try state.file.rewind(to: from)
        } catch { end(&state, error.reason) }
    }

    private func end(_ state: inout State, _ problem: String?) {
        state.timeline.endRun()
        state.status.state = .ended
        state.status.problem = problem
    }

    var status: AudioStatus { state.read { $0.state.status } }

    func stop() {}
}
#endif

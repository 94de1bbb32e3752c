#if Media
internal import PipConcurrency
internal import PipFrames
internal import PipSound
internal import PipSources

/// The sound of a WAV file, from when the first output begins.
public struct WAVSource: AudioSource {
    private let path: String
    private let loops: Bool

    /// - Parameters:
    ///   - path: The file; any rate and up to 8 channels.
    ///   - loops: Whether it begins anew at its end.
    public init(_ path: String, loops: Bool = false) {
        self.path = path
        self.loops = loops
    }

    public var label: String { path }

    public var opening: AudioOpening {
        let (path, loops) = (path, loops)
        return AudioOpening { (context) throws(SoundError) in
            do throws(SourceError) {
                let reader = try WAVReader(path: path)
                if loops { try reader.rewind() }
                return try WAVSound(reader, loops: loops, context)
            } catch {
                throw SoundError(.unavailable, subject: path, operation: error.operation, reason: error.reason)
            }
        }
    }
}

/// The frames of a WAV file on a mixer's clock.
private final class WAVSound: AudioReader {
    private struct State {
        let reader: WAVReader
        /// Brings the file's rate to the mixer's.
        var timeline: AudioTimeline
        var block: AudioBlock
        /// Frames of the file that were read.
        var framesRead = 0
        /// The file's frames on the mixer's time; nil before the first was asked for.
        var clock: SampleClock?
        var status = AudioStatus(.sounding)
    }

    // The reader belongs to this object alone, and is used under the lock.
    private let state: Monitor<Unshared>
    private let loops: Bool
    private let frames: SampleClock

    /// Frames of a file, a fiftieth of a second of them at a time.
    private struct Unshared: @unchecked Sendable { var state: State }

    init(_ reader: WAVReader, loops: Bool, _ context: AudioContext) throws(SourceError) {
        self.loops = loops
        frames = context.frames
        let timeline: AudioTimeline
        do throws(SoundError) {
            timeline = try AudioTimeline(reader.format, clock: context.frames)
        } catch { throw SourceError(reader.name, "read", .failed, error.reason) }
        state = Monitor(
            Unshared(
                state: State(
                    reader: reader, timeline: timeline,
                    block: AudioBlock(reader.format, frames: reader.format.rate / 50))))
    }

    func read(from frame: Int, count: Int) -> AudioBlock {
        let end = frames.time(ofFrame: frame + count)
        return state.update { shared in
            // Ahead of what is asked for by more than the resampler looks.
            let goal = end.advanced(by: .milliseconds(100))
            let clock =
                shared.state.clock
                ?? SampleClock(start: frames.time(ofFrame: frame), rate: shared.state.block.format.rate)
            shared.state.clock = clock
            while shared.state.status.state == .sounding, clock.time(ofFrame: shared.state.framesRead) < goal {
                readMore(&shared.state, clock)
            }
            var block = AudioBlock(shared.state.timeline.output, frames: count)
            shared.state.timeline.read(from: frame, into: &block)
            return block
        }
    }

    private func readMore(_ state: inout State, _ clock: SampleClock) {
        do throws(SourceError) {
            let count = try state.reader.read(into: &state.block)
            if count > 0 {
                let block = state.block
                let samples = block.samples.span.extracting(first: count * block.format.channels)
                state.timeline.write(samples, at: clock.time(ofFrame: state.framesRead))
                state.framesRead += count
            }
            guard count < state.block.frames else { return }
            guard loops, state.framesRead > 0 else { return end(&state, nil) }
            try state.reader.rewind()
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

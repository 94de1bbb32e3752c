package import PipFrames

/// Brings the blocks of a microphone onto the clock of all: its drift is resampled away, its gaps become silence.
///
/// The device's clock is a line through its timestamps (``ClockFit``), by which each sample has its moment; a reader
/// asks for frames of a ``SampleClock`` and gets what was recorded at those moments. The reader should lag behind the
/// writer by the device's longest delay and ``TimelineSettings/fade``. Where there is no sound, there is silence of
/// exactly that length, between short fades.
///
/// Timestamps may be wrong for a while: those of a stream settle within two seconds when its first packets come in a
/// heap. Once the newest ones deviate from the line by more than ``TimelineSettings/shift`` on average, a new line
/// begins, and the reader goes to its place by that, between fades. Resampling alone would take seconds.
///
/// One thread at a time. Writing and reading allocate nothing, except for a jump.
package struct AudioTimeline: Sendable {
    /// The device's format.
    package let input: AudioFormat
    /// The format of what is read: the device's channels at the clock's rate.
    package let output: AudioFormat
    package private(set) var statistics = TimelineStatistics()
    private let clock: SampleClock
    private let settings: TimelineSettings
    private let kernel: SincKernel
    /// Input samples for one output sample, nominally.
    private let ratio: Double
    private var store: SampleStore
    /// The stretches between jumps, oldest first.
    private var runs: [Run] = []
    /// The run in which the reader is; nil while it is silent.
    private var playback: Playback?
    /// The frame that follows those that were read.
    private var nextFrame = 0

    /// Consecutive samples.
    private struct Run {
        let first: Int
        /// The end of the run; nil while it grows.
        var end: Int?
        var fit: ClockFit
        /// True when the reader was there before its sound.
        var isLate = false
        /// True when the reader has reached its end.
        var isOver = false
    }

    /// The reader's place in the first run.
    private struct Playback {
        var sample: Int
        var fraction: Double
        /// Input samples for a frame.
        var step: Double
        var gain: Float = 0
        /// Frames until the reader leaves this place for the right one; infinite while this one is right.
        var framesLeft = Double.infinity

        var position: Double { Double(sample) + fraction }

        mutating func advance(by samples: Double) {
            fraction += samples
            let whole = fraction.rounded(.down)
            sample += Int(whole)
            fraction -= whole
        }
    }

    /// The share of a small error that the reader corrects in a second, and that of a large one.
    ///
    /// Errors below the timestamps' jitter are its noise, which a slow correction keeps out of the pitch.
    private static let (slowest, fastest) = (0.1, 1.0)
    /// The time constant with which the pitch changes, in seconds.
    private static let inertia = 0.5
    /// The least jitter that is reckoned with, in seconds.
    private static let leastJitter = 0.00002
    /// Runs that are kept for a reader that does not read.
    private static let mostRuns = 8

    /// - Parameters:
    ///   - input: The device's format.
    ///   - clock: The clock of all microphones.
    ///   - settings: The tolerances.
    /// - Throws: ``SoundError`` when the clock's rate is no rate of sound.
    package init(
        _ input: AudioFormat, clock: SampleClock, settings: TimelineSettings = TimelineSettings()
    ) throws(SoundError) {
        self.input = input
        self.clock = clock
        self.settings = settings
        output = try AudioFormat(rate: clock.rate, channels: input.channels)
        ratio = Double(input.rate) / Double(clock.rate)
        kernel = SincKernel(step: ratio)
        store = SampleStore(
            channels: input.channels,
            capacity: max(input.frames(in: settings.capacity.inSeconds), 4 * kernel.taps))
        runs.reserveCapacity(Self.mostRuns + 1)
    }

    /// The difference of the device's rate from its nominal one, as estimated: 200e-6 when it is 200 ppm fast.
    package var drift: Double { -(runs.last?.fit.drift ?? 0) }

    /// Takes a block of interleaved frames.
    ///
    /// - Parameters:
    ///   - samples: The samples, in the device's format.
    ///   - timestamp: The driver's time of the first one.
    package mutating func write(_ samples: Span<Float>, at timestamp: Timestamp) {
        let frames = samples.count / input.channels
        guard frames > 0 else { return }
        if let run = runs.last, run.end == nil {
            let residual = run.fit.residual(of: timestamp, sample: store.end)
            if abs(residual) > settings.jump.inSeconds {
                statistics.jumps += 1
                endRun()
                beginRun(at: timestamp)
            } else if abs(run.fit.recentResidual) > settings.shift.inSeconds {
                runs[runs.count - 1].fit = newFit(at: timestamp)
            }
        } else {
            beginRun(at: timestamp)
        }
        runs[runs.count - 1].fit.add(sample: store.end, timestamp: timestamp, count: frames)
        store.append(samples)
    }

    /// Takes a block.
    package mutating func write(_ block: AudioBlock) { write(block.samples.span, at: block.timestamp) }

    /// Ends what is written so far, since the device has gone or has lost samples: the next block is placed by its own
    /// timestamp.
    package mutating func endRun() {
        guard !runs.isEmpty, runs[runs.count - 1].end == nil else { return }
        runs[runs.count - 1].end = store.end
        // The kernel reads beyond the end.
        store.appendSilence(kernel.taps)
    }

    private mutating func beginRun(at timestamp: Timestamp) {
        store.appendSilence(kernel.taps)
        runs.append(Run(first: store.end, fit: newFit(at: timestamp)))
        if runs.count > Self.mostRuns { dropRun() }
    }

    /// A line that begins with the next sample, and expects the drift of the newest run.
    private func newFit(at timestamp: Timestamp) -> ClockFit {
        ClockFit(rate: input.rate, first: store.end, start: timestamp, drift: runs.last?.fit.drift ?? 0)
    }

    private mutating func dropRun() {
        runs.removeFirst()
        playback = nil
    }

    /// Fills a block with the frames from one of the clock on, and stamps it.
    ///
    /// - Parameters:
    ///   - frame: The first frame; the reader is a stream, which another frame than the next one interrupts.
    ///   - block: A block of ``output``'s format.
    package mutating func read(from frame: Int, into block: inout AudioBlock) {
        assert(block.format == output)
        if frame != nextFrame { playback = nil }
        nextFrame = frame + block.frames
        block.timestamp = clock.time(ofFrame: frame)
        var done = 0
        while done < block.frames {
            if playback == nil {
                let silent = min(seek(frame + done), block.frames - done)
                silence(&block, done, silent)
                done += silent
            } else {
                done += play(&block, done, frame + done)
            }
        }
    }

    private mutating func silence(_ block: inout AudioBlock, _ first: Int, _ count: Int) {
        let channels = output.channels
        unsafe block.withSamples { samples in
            for index in first * channels..<(first + count) * channels { unsafe samples[index] = 0 }
        }
        statistics.silentFrames += count
    }

    /// Looks for the sound of a frame, and goes there.
    ///
    /// - Returns: The number of silent frames before it; 0 when it is there.
    private mutating func seek(_ frame: Int) -> Int {
        while let run = runs.first {
            let first = max(run.first, store.start + kernel.taps)
            let position = run.fit.sample(at: clock.seconds(ofFrame: frame), of: clock)
            if position < Double(first), !run.isOver {
                let start = run.fit.seconds(ofSample: first, of: clock) * Double(clock.rate)
                return max(1, Int((min(start, 1e15) - Double(frame)).rounded(.up)))
            }
            let margin = run.isLate ? settings.margin.inSeconds * Double(input.rate) : 0
            if !run.isOver, readableEnd(of: run) - position > max(2 * ratio, run.end == nil ? margin : 0) {
                let sample = position.rounded(.down)
                playback = Playback(
                    sample: Int(sample), fraction: position - sample, step: ratio / (1 + run.fit.drift))
                return 0
            }
            // The last one is kept for its drift.
            guard run.end != nil, runs.count > 1 else { return .max }
            dropRun()
        }
        return .max
    }

    /// The end of the positions at which a run can be read now.
    private func readableEnd(of run: Run) -> Double { Double(run.end ?? store.end - kernel.reach) }

    /// Resamples frames of the first run, until it ends.
    ///
    /// - Returns: The number of frames; 0 where it ends, and the reader is silent again.
    private mutating func play(_ block: inout AudioBlock, _ done: Int, _ frame: Int) -> Int {
        guard var place = playback, let run = runs.first else { return 0 }
        let error = run.fit.sample(at: clock.seconds(ofFrame: frame), of: clock) - place.position
        if place.framesLeft == .infinity, abs(error) > settings.shift.inSeconds * Double(input.rate) {
            statistics.jumps += 1
            place.framesLeft = fadeLength
        }
        let wanted = step(run.fit, error: error)
        place.step += (wanted - place.step) * min(1, clock.seconds(ofFrame: block.frames) / Self.inertia)
        let left = min((readableEnd(of: run) - place.position) / place.step, place.framesLeft)
        guard left >= 1, place.sample >= store.start + kernel.reach else {
            if place.framesLeft < 1 { playback = nil } else { stop() }
            return 0
        }
        let count = min(block.frames - done, Int(left))
        resample(into: &block, done, count, place)
        fade(&block, done, count, left, &place.gain)
        place.advance(by: Double(count) * place.step)
        place.framesLeft -= Double(count)
        playback = place
        statistics.soundingFrames += count
        return count
    }

    /// The input samples for a frame by which the reader stays where it should be, or comes there.
    ///
    /// - Parameters:
    ///   - fit: The device's clock.
    ///   - error: The input samples by which the reader is behind.
    /// - Returns: The device's rate over the clock's, corrected by up to 0.5 %.
    private func step(_ fit: ClockFit, error: Double) -> Double {
        let nominal = ratio / (1 + fit.drift)
        let size = min(1, abs(error) / (max(fit.jitter, Self.leastJitter) * Double(input.rate)))
        let share = Self.slowest + (Self.fastest - Self.slowest) * size * size
        let most = ClockFit.greatestDrift * nominal
        return nominal + min(max(error * share / Double(clock.rate), -most), most)
    }

    /// Makes the reader silent: sound is late, or the run has ended.
    private mutating func stop() {
        playback = nil
        if runs[0].end == nil {
            runs[0].isLate = true
            statistics.starvations += 1
        } else {
            runs[0].isOver = true
        }
    }

    private func resample(
        into block: inout AudioBlock, _ first: Int, _ count: Int, _ place: Playback
    ) {
        let channels = output.channels
        unsafe block.withSamples { samples in
            guard let output = samples.baseAddress else { return }
            for channel in 0..<channels {
                unsafe store.withChannel(channel, from: place.sample) { input in
                    unsafe kernel.resample(
                        input, from: place.fraction, step: place.step, to: output + first * channels + channel,
                        stride: channels, count: count)
                }
            }
        }
    }

    /// The length of a fade, in frames.
    private var fadeLength: Double { max(1, settings.fade.inSeconds * Double(clock.rate)) }

    /// Fades in where the reader began, and out where its sound ends, `left` frames from the first one.
    private func fade(_ block: inout AudioBlock, _ first: Int, _ count: Int, _ left: Double, _ gain: inout Float) {
        let length = fadeLength
        guard gain < 1 || left - Double(count) < length else { return }
        var now = gain
        let slope = Float(1 / length)
        let channels = output.channels
        unsafe block.withSamples { samples in
            for index in 0..<count {
                now = min(now + slope, 1, max(Float(left) - Float(index) - 1, 0) * slope)
                for channel in 0..<channels { unsafe samples[(first + index) * channels + channel] *= now }
            }
        }
        gain = now
    }
}

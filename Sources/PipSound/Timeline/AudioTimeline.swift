package import PipFrames

/// Maps a microphone's blocks to the common clock: resampling removes the device's drift, and silence fills gaps.
///
/// A line through the timestamps of the device's blocks (``ClockFit``) gives each sample a time. A reader requests
/// frames of a ``SampleClock``, and gets the sound of those times. The reader should lag behind the writer by the
/// device's longest delay plus ``TimelineSettings/fade``. Missing sound becomes silence of the same length, between
/// short fades. The blocks of streams and sound files are treated like those of a device.
///
/// When a stream's first packets arrive in a burst, its timestamps are wrong for up to two seconds. When the newest
/// timestamps deviate from the line by more than ``TimelineSettings/shift`` on average, a new line begins, and the
/// reader jumps to its new position between fades. Resampling alone would take seconds.
///
/// Writing and reading allocate no memory, except for a jump.
///
/// Thread: any, but one at a time.
package struct AudioTimeline: Sendable {
    /// The format of the device's blocks.
    package let input: AudioFormat
    /// The format of the output: the device's channels at the clock's rate.
    package let output: AudioFormat
    package private(set) var statistics = TimelineStatistics()
    private let clock: SampleClock
    private let settings: TimelineSettings
    private let kernel: SincKernel
    /// The nominal number of input samples for one output sample.
    private let ratio: Double
    private var store: SampleStore
    /// The runs of samples between jumps and gaps, oldest first.
    private var runs: [Run] = []
    /// The reader's position in the first run; nil while the reader is silent.
    private var playback: Playback?
    /// The number of the frame after the last frame that was read.
    private var nextFrame = 0

    /// A run of consecutive samples, without a jump of the device's time.
    private struct Run {
        let first: Int
        /// The number of the sample after the run; nil while the run grows.
        var end: Int?
        var fit: ClockFit
        /// True once the reader has fallen silent within the run, while the run was still growing.
        var isLate = false
        /// True when the reader has reached the run's end.
        var isOver = false
    }

    /// The reader's position in the first run.
    private struct Playback {
        var sample: Int
        var fraction: Double
        /// The number of input samples for each frame.
        var step: Double
        var gain: Float = 0
        /// The number of frames until the reader jumps to another position; infinite when no jump is due.
        var framesLeft = Double.infinity

        var position: Double { Double(sample) + fraction }

        mutating func advance(by samples: Double) {
            fraction += samples
            let whole = fraction.rounded(.down)
            sample += Int(whole)
            fraction -= whole
        }
    }

    /// The shares of a position error that the reader corrects in a second: for a small and for a large error.
    ///
    /// Errors below the jitter of the timestamps are noise. The slow correction keeps this noise out of the pitch.
    private static let (slowest, fastest) = (0.1, 1.0)
    /// The time constant with which the pitch changes, in seconds.
    private static let inertia = 0.5
    /// The least assumed jitter, in seconds.
    private static let leastJitter = 0.00002
    /// The most runs to keep for an idle reader.
    private static let mostRuns = 8

    /// - Parameters:
    ///   - input: The device's format.
    ///   - clock: The common clock of all sources.
    ///   - settings: The tolerances for timestamps, and the lengths of fades.
    /// - Throws: ``SoundError`` when the clock's rate is out of range.
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

    /// The estimated relative deviation of the device's rate: 200e-6 when the device is 200 ppm fast.
    package var drift: Double { -(runs.last?.fit.drift ?? 0) }

    /// Appends a block of interleaved frames.
    ///
    /// - Parameters:
    ///   - samples: The samples, in the device's format.
    ///   - timestamp: The driver's time of the first sample.
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

    /// Appends a block in the device's format, at the block's timestamp.
    package mutating func write(_ block: AudioBlock) { write(block.samples.span, at: block.timestamp) }

    /// Ends the run of consecutive samples, because no samples follow without a gap.
    ///
    /// The next block begins a new run at its own timestamp.
    package mutating func endRun() {
        guard !runs.isEmpty, runs[runs.count - 1].end == nil else { return }
        runs[runs.count - 1].end = store.end
        // The resampling kernel reads beyond the end of the run.
        store.appendSilence(kernel.taps)
    }

    private mutating func beginRun(at timestamp: Timestamp) {
        store.appendSilence(kernel.taps)
        runs.append(Run(first: store.end, fit: newFit(at: timestamp)))
        if runs.count > Self.mostRuns { dropRun() }
    }

    /// A new clock fit, which begins with the next sample and assumes the drift of the newest run.
    private func newFit(at timestamp: Timestamp) -> ClockFit {
        ClockFit(rate: input.rate, first: store.end, start: timestamp, drift: runs.last?.fit.drift ?? 0)
    }

    private mutating func dropRun() {
        runs.removeFirst()
        playback = nil
    }

    /// Fills a block with consecutive frames of the clock, and sets the block's timestamp.
    ///
    /// - Parameters:
    ///   - frame: The number of the first frame. If it does not follow the last frame read, the sound fades in again.
    ///   - block: A block in the format ``output``.
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

    /// Finds the sound of a frame, and moves the reader to its position.
    ///
    /// - Returns: The number of silent frames before the sound; 0 when it has arrived, `Int.max` when none is known.
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
            // The last run is kept, because the next run assumes its drift.
            guard run.end != nil, runs.count > 1 else { return .max }
            dropRun()
        }
        return .max
    }

    /// The position in a run before which all samples that the kernel reads have arrived.
    private func readableEnd(of run: Run) -> Double { Double(run.end ?? store.end - kernel.reach) }

    /// Resamples frames of the first run until the block is full, the available sound ends, or a jump is due.
    ///
    /// - Returns: The number of resampled frames; 0, with ``playback`` nil, when the reader must seek again.
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
            if place.framesLeft < 1 || place.sample < store.start + kernel.reach { playback = nil } else { stop() }
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

    /// Computes the resampling step that corrects the reader's position gradually.
    ///
    /// - Parameters:
    ///   - fit: The device's clock.
    ///   - error: The number of input samples by which the reader lags behind its right position; below 0 if it leads.
    /// - Returns: The input samples for each frame: the ratio of the estimated rates, corrected by up to 0.5 %.
    private func step(_ fit: ClockFit, error: Double) -> Double {
        let nominal = ratio / (1 + fit.drift)
        let size = min(1, abs(error) / (max(fit.jitter, Self.leastJitter) * Double(input.rate)))
        let share = Self.slowest + (Self.fastest - Self.slowest) * size * size
        let most = ClockFit.greatestDrift * nominal
        return nominal + min(max(error * share / Double(clock.rate), -most), most)
    }

    /// Makes the reader silent, because the run has ended, or because its sound is late.
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
                        input, from: place.fraction, step: place.step,
                        to: SincKernel.Output(
                            start: output + first * channels + channel, stride: channels, count: count))
                }
            }
        }
    }

    /// The length of a fade, in frames.
    private var fadeLength: Double { max(1, settings.fade.inSeconds * Double(clock.rate)) }

    /// Applies the fade-in at the reader's start, and the fade-out that ends `left` frames after `first`.
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

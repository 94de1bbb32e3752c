#if Media
internal import PipConcurrency
internal import PipFrames
internal import PipSound

/// The signal path of a running mixer: a strip for each source, the mix, its limiter and its meter.
///
/// Thread: one thread at a time.
struct MixingDesk {
    /// The reader, high-pass filter and meter of one source.
    fileprivate struct Strip {
        let input: AudioInput
        let reader: any AudioReader
        var highPass: (HighPass, AudioFormat)?
        var meter: (LevelMeter, AudioFormat)?
        /// The mixer that applies the source's gain, mute and balance for a track of its own; nil before an output
        /// records such a track.
        var alone: BlockMixer?
        var isSelected: Bool
    }

    private let clock: SampleClock
    private var strips: [Strip] = []
    private var mixer = BlockMixer(.stereo)
    private var limiter = Limiter(.stereo)
    private var meter = LevelMeter(.stereo)

    init(_ clock: SampleClock) { self.clock = clock }

    /// The levels of left and right in the mix, after its limiter.
    var levels: [AudioLevel] { meter.levels }

    /// The delay that the limiter's look-ahead adds to the mix.
    var latency: Duration { limiter.latency }

    /// Adds a strip for each opened source.
    mutating func add(_ opened: [(input: AudioInput, reader: any AudioReader)]) {
        for (input, reader) in opened {
            let state = input.state.read { $0 }
            // Adding cannot fail: all readers have the house rate.
            _ = try? mixer.add(.stereo, settings: state.settings, isSelected: state.isSelected)
            strips.append(Strip(input: input, reader: reader, isSelected: state.isSelected))
        }
    }

    /// Mixes one block of each channel that an output needs.
    ///
    /// - Parameters:
    ///   - frame: The number of the block's first sample.
    ///   - count: The number of samples of each channel.
    ///   - taps: The outputs.
    ///   - master: The gain of the mix, and whether the mix is muted.
    /// - Returns: The blocks with timestamps, keyed by channel.
    mutating func mix(
        from frame: Int, count: Int, for taps: [SoundTap], _ master: (gain: Decibels, isMuted: Bool)
    ) -> [SoundTap.Channel: AudioBlock] {
        let wanted = Set(taps.map(\.key.channel))
        var channels: [SoundTap.Channel: AudioBlock] = [:]
        var blocks: [AudioBlock] = []
        for index in strips.indices {
            var block = strips[index].reader.read(from: frame, count: count)
            let state = strips[index].input.state.read { $0 }
            strips[index].filter(&block, state.highPass)
            strips[index].measure(block)
            let channel = SoundTap.Channel.input(ObjectIdentifier(strips[index].input))
            if wanted.contains(channel) {
                channels[channel] = strips[index].track(block, state.settings, from: frame, of: clock)
            }
            if state.isSelected != strips[index].isSelected {
                strips[index].isSelected = state.isSelected
                mixer.setSelected(state.isSelected, input: index, over: state.fade)
            }
            var settings = state.settings
            settings.gain = Decibels(settings.gain.value + master.gain.value)
            settings.isMuted = settings.isMuted || master.isMuted
            mixer[index] = settings
            blocks.append(block)
        }
        guard wanted.contains(.mix) else { return channels }
        var mix = AudioBlock(.stereo, frames: count)
        mixer.mix(blocks, into: &mix)
        mix.timestamp = clock.time(ofFrame: frame)
        limiter.process(&mix)
        meter.process(mix)
        channels[.mix] = mix
        return channels
    }

    /// Stops the readers of all sources.
    mutating func close() {
        for strip in strips {
            strip.reader.stop()
            strip.input.use(nil)
        }
        strips = []
    }
}

extension MixingDesk.Strip {
    fileprivate mutating func filter(_ block: inout AudioBlock, _ frequency: Double?) {
        guard let frequency else {
            highPass = nil
            return
        }
        if highPass?.1 != block.format { highPass = (HighPass(block.format, frequency: frequency), block.format) }
        if highPass?.0.frequency != frequency { highPass?.0.frequency = frequency }
        highPass?.0.process(&block)
    }

    fileprivate mutating func measure(_ block: AudioBlock) {
        if meter?.1 != block.format { meter = (LevelMeter(block.format), block.format) }
        meter?.0.process(block)
        guard let levels = meter?.0.levels else { return }
        input.state.update { $0.levels = levels }
    }

    /// Returns the source's own sound with its gain, mute and balance, for a track of its own.
    fileprivate mutating func track(
        _ block: AudioBlock, _ settings: AudioInputSettings, from frame: Int, of clock: SampleClock
    ) -> AudioBlock {
        var mixer = alone ?? BlockMixer(.stereo)
        if mixer.count == 0 { _ = try? mixer.add(.stereo, settings: settings) }
        mixer[0] = settings
        var track = AudioBlock(.stereo, frames: block.frames)
        mixer.mix([block], into: &track)
        track.timestamp = clock.time(ofFrame: frame)
        alone = mixer
        return track
    }
}
#endif

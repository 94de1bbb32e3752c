internal import PipFrames

/// Adds inputs with gain, mute, balance and a selection; a change of any of them is ramped, so that nothing clicks.
///
/// Channels: an input with fewer channels than the output repeats them, so that mono is on both sides; one with more
/// gives each output channel the mean of those that fall on it, so that stereo becomes mono as half the sum of both.
package struct BlockMixer: Sendable {
    /// The output's format; all inputs have its rate.
    package let format: AudioFormat
    private let ramp: Int
    private var inputs: [MixerInput] = []

    /// A mixer without inputs.
    ///
    /// - Parameters:
    ///   - format: The output's format.
    ///   - ramp: The length of changes and crossfades.
    package init(_ format: AudioFormat, ramp: Duration = .milliseconds(20)) {
        self.format = format
        self.ramp = max(1, format.frames(in: ramp.inSeconds))
    }

    /// The number of inputs.
    package var count: Int { inputs.count }

    /// Adds an input behind the others.
    ///
    /// - Parameters:
    ///   - format: The input's format.
    ///   - settings: Its settings, from the first frame on.
    ///   - isSelected: True to hear it.
    /// - Returns: The number of the input.
    /// - Throws: ``SoundError`` when its rate is not the mixer's.
    package mutating func add(
        _ format: AudioFormat, settings: AudioInputSettings = AudioInputSettings(), isSelected: Bool = true
    ) throws(SoundError) -> Int {
        guard format.rate == self.format.rate else {
            throw SoundError(
                .unsupported, subject: "\(format)", operation: "mix it into \(self.format)",
                reason: "the rates differ; an AudioTimeline resamples it")
        }
        inputs.append(MixerInput(format, settings, isSelected: isSelected, outputs: self.format.channels))
        return inputs.count - 1
    }

    /// An input's settings.
    package subscript(input: Int) -> AudioInputSettings {
        get { inputs[input].settings }
        set { inputs[input].settings = newValue }
    }

    /// Selects an input, or leaves it out, with half of a crossfade of equal power.
    ///
    /// - Parameters:
    ///   - isSelected: True to hear it.
    ///   - input: The input.
    ///   - duration: The length of the fade; nil takes the mixer's.
    package mutating func setSelected(_ isSelected: Bool, input: Int, over duration: Duration? = nil) {
        inputs[input].isSelected = isSelected
        inputs[input].fade = duration.map { max(1, format.frames(in: $0.inSeconds)) }
    }

    /// True when an input is selected.
    package func isSelected(_ input: Int) -> Bool { inputs[input].isSelected }

    /// Crossfades from one input to another with equal power.
    package mutating func crossfade(from old: Int, to new: Int) {
        setSelected(false, input: old)
        setSelected(true, input: new)
    }

    /// Mixes blocks, one for each input and as long as the output, which takes the first one's timestamp.
    ///
    /// A block may have other channels than the one before: a microphone was replaced by another.
    package mutating func mix(_ blocks: [AudioBlock], into output: inout AudioBlock) {
        assert(blocks.count == inputs.count && output.format == format)
        output.clear()
        if let first = blocks.first { output.timestamp = first.timestamp }
        let channels = format.channels
        for index in inputs.indices where index < blocks.count {
            unsafe output.withSamples { samples in
                unsafe inputs[index].add(blocks[index], to: samples, outputs: channels, ramp: ramp)
            }
        }
    }
}

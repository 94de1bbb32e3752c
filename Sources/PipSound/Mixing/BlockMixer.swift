internal import PipFrames

/// Mixes inputs with gain, mute, balance and a selection.
///
/// Every change is ramped, so that nothing clicks.
///
/// An input with fewer channels than the output repeats them, so that mono is on both sides. An input with more gives
/// each output channel the mean of those assigned to it, so that stereo becomes mono as half the sum.
package struct BlockMixer: Sendable {
    /// The output's format.
    ///
    /// All inputs have its rate.
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

    /// Adds an input after the others.
    ///
    /// - Parameters:
    ///   - format: The input's format.
    ///   - settings: The input's settings from the first frame on.
    ///   - isSelected: True to make the input audible.
    /// - Returns: The number of the input.
    /// - Throws: ``SoundError`` when the input's rate is not the mixer's.
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

    /// Fades an input in or out, by half of a crossfade of equal power.
    ///
    /// - Parameters:
    ///   - isSelected: True to make the input audible.
    ///   - input: The input's number.
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

    /// Mixes one block for each input.
    ///
    /// All blocks must be as long as the output, which takes the first one's timestamp.
    ///
    /// The number of an input's channels may change, as when another microphone replaces the first.
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

internal import PipFrames

/// Mixes inputs with a gain, a mute, a balance and a selection for each.
///
/// The mixer ramps changes of the gain, mute, balance and selection to avoid clicks.
///
/// When an input has fewer channels than the output, its channels are repeated, so that mono is heard on both sides.
/// When an input has more channels, each output channel gets the mean of the input channels assigned to it, so that
/// stereo becomes mono as half of the sum.
package struct BlockMixer: Sendable {
    /// The output's format.
    ///
    /// All inputs have the same rate as the output.
    package let format: AudioFormat
    private let ramp: Int
    private var inputs: [MixerInput] = []

    /// Creates a mixer without inputs.
    ///
    /// - Parameters:
    ///   - format: The output's format.
    ///   - ramp: The length of changes and crossfades.
    package init(_ format: AudioFormat, ramp: Duration = .milliseconds(20)) {
        self.format = format
        self.ramp = max(1, format.frames(in: ramp.inSeconds))
    }

    /// The number of inputs added so far.
    package var count: Int { inputs.count }

    /// Adds an input after the others.
    ///
    /// - Parameters:
    ///   - format: The input's format.
    ///   - settings: The input's settings from the first frame on.
    ///   - isSelected: True to make the input audible.
    /// - Returns: The input's index, from 0.
    /// - Throws: ``SoundError`` when the input's rate differs from the mixer's rate.
    package mutating func add(
        _ format: AudioFormat, settings: AudioInputSettings = AudioInputSettings(), isSelected: Bool = true
    ) throws(SoundError) -> Int {
        guard format.rate == self.format.rate else {
            throw SoundError(
                .unsupported, subject: "\(format)", operation: "be mixed into \(self.format)",
                reason: "the rates differ; resample the input with an AudioTimeline")
        }
        inputs.append(MixerInput(format, settings, isSelected: isSelected, outputs: self.format.channels))
        return inputs.count - 1
    }

    /// The settings of the input with the given index.
    package subscript(input: Int) -> AudioInputSettings {
        get { inputs[input].settings }
        set { inputs[input].settings = newValue }
    }

    /// Selects or deselects an input; the next mixed blocks fade it in or out along an equal-power curve.
    ///
    /// - Parameters:
    ///   - isSelected: True to make the input audible.
    ///   - input: The input's index.
    ///   - duration: The length of the fade; nil for the length of the mixer's ramp.
    package mutating func setSelected(_ isSelected: Bool, input: Int, over duration: Duration? = nil) {
        inputs[input].isSelected = isSelected
        inputs[input].fade = duration.map { max(1, format.frames(in: $0.inSeconds)) }
    }

    /// True when the input is selected, even while it still fades in.
    package func isSelected(_ input: Int) -> Bool { inputs[input].isSelected }

    /// Deselects one input and selects another; the next mixed blocks crossfade them with equal power.
    package mutating func crossfade(from old: Int, to new: Int) {
        setSelected(false, input: old)
        setSelected(true, input: new)
    }

    /// Mixes one block for each input.
    ///
    /// All blocks must be as long as the output, which gets the timestamp of the first block.
    ///
    /// The number of an input's channels may change from block to block, for example when another
    /// microphone replaces the first.
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

import PipFrames
import Testing

@testable import PipSound

@Suite("Mixing")
struct BlockMixerTests {
    private func mix(_ mixer: inout BlockMixer, _ blocks: [AudioBlock]) -> AudioBlock {
        var output = AudioBlock(mixer.format, frames: blocks[0].frames)
        mixer.mix(blocks, into: &output)
        return output
    }

    /// A long block with a constant value, in which any step of the gain shows.
    private func constant(_ value: Float, _ format: AudioFormat = .mono, frames: Int = 4800) -> AudioBlock {
        format.block(Array(repeating: value, count: frames), at: Timestamp(nanoseconds: 7))
    }

    @Test("inputs are added with their gains, and the output has their timestamp")
    func sum() throws {
        var mixer = BlockMixer(.mono)
        _ = try mixer.add(.mono, settings: AudioInputSettings(gain: -6.0206))
        _ = try mixer.add(.mono, settings: AudioInputSettings(gain: 0))
        let output = mix(&mixer, [constant(0.5), constant(0.25)])
        #expect(output.timestamp == Timestamp(nanoseconds: 7))
        #expect(output.samples.allSatisfy { abs($0 - 0.5) < 1e-4 })
    }

    @Test("channels are repeated or averaged", arguments: [(1, 2), (2, 1), (4, 2), (2, 2), (1, 6), (3, 2)])
    func channels(inputs: Int, outputs: Int) throws {
        let (from, to) = (try AudioFormat(channels: inputs), try AudioFormat(channels: outputs))
        var mixer = BlockMixer(to)
        _ = try mixer.add(from)
        var block = AudioBlock(from, frames: 10)
        for channel in 0..<inputs { for frame in 0..<10 { block[frame, channel] = Float(channel + 1) / 8 } }
        let output = mix(&mixer, [block])
        for channel in 0..<outputs {
            let sources =
                inputs > outputs
                ? stride(from: channel, to: inputs, by: outputs).map { $0 } : [channel % inputs]
            let expected = sources.map { Float($0 + 1) / 8 }.reduce(0, +) / Float(sources.count)
            #expect(output.channel(channel).allSatisfy { abs($0 - expected) < 1e-6 })
        }
    }

    @Test("another rate is refused")
    func otherRate() throws {
        var mixer = BlockMixer(.stereo)
        let format = try AudioFormat(rate: 44_100, channels: 2)
        let error = #expect(throws: SoundError.self) { _ = try mixer.add(format) }
        #expect(error?.description.contains("44100 Hz stereo") == true)
    }

    @Test("a change of gain is a ramp of 20 ms")
    func gainRamp() throws {
        var mixer = BlockMixer(.mono)
        let input = try mixer.add(.mono)
        _ = mix(&mixer, [constant(0.5)])
        mixer[input].gain = -20
        let samples = mix(&mixer, [constant(0.5)]).samples
        let steps = samples.indices.dropFirst().map { samples[$0 - 1] - samples[$0] }
        #expect(steps.allSatisfy { $0 > -1e-6 && $0 < 0.0006 })
        #expect(abs(samples[480] - 0.275) < 0.001)
        #expect(abs(samples[960] - 0.05) < 1e-5 && abs(samples[4799] - 0.05) < 1e-5)
    }

    @Test("balance attenuates one channel")
    func balance() throws {
        var mixer = BlockMixer(.stereo)
        _ = try mixer.add(.mono, settings: AudioInputSettings(balance: 0.5))
        let output = mix(&mixer, [constant(0.5)])
        #expect(abs(output[100, 0] - 0.25) < 1e-6 && abs(output[100, 1] - 0.5) < 1e-6)
    }

    @Test("a mute fades out, and its end fades in")
    func mute() throws {
        var mixer = BlockMixer(.mono)
        let input = try mixer.add(.mono)
        mixer[input].isMuted = true
        let muted = mix(&mixer, [constant(0.5)]).samples
        #expect(muted[10] > 0.4 && muted[960...].allSatisfy { $0 == 0 })
        mixer[input].isMuted = false
        let back = mix(&mixer, [constant(0.5)]).samples
        #expect(back[10] < 0.1 && back[960...].allSatisfy { $0 == 0.5 })
        #expect((muted + back).largestSecondDifference < 0.001)
    }

    @Test("a swap crossfades within 20 ms at equal power, and does not click")
    func crossfade() throws {
        var mixer = BlockMixer(.mono)
        let first = try mixer.add(.mono)
        let second = try mixer.add(.mono, isSelected: false)
        let (one, other) = (sine(440, count: 9600), sine(330, from: 0.001, count: 9600))
        var samples: [Float] = []
        for start in stride(from: 0, to: 9600, by: 480) {
            if start == 4800 { mixer.crossfade(from: first, to: second) }
            let blocks = [one, other].map { AudioFormat.mono.block(Array($0[start..<start + 480])) }
            samples += mix(&mixer, blocks).samples
        }
        #expect(samples[..<4800] == one[..<4800])
        #expect(samples[5760...] == other[5760...])
        #expect(zip(samples[4801..<5760], one[4801..<5760]).contains { $0 != $1 })
        // A hard cut would show as 0.5 or more.
        #expect(samples.largestSecondDifference < 1.5 * one.largestSecondDifference)
    }

    @Test("the powers of a crossfade add up to one")
    func equalPower() throws {
        var mixer = BlockMixer(.stereo)
        let first = try mixer.add(.stereo)
        let second = try mixer.add(.stereo, isSelected: false)
        // One input is only on the left and the other only on the right, so each channel shows one input's gain.
        var (left, right) = (AudioBlock(.stereo, frames: 960), AudioBlock(.stereo, frames: 960))
        for frame in 0..<960 {
            left[frame, 0] = 1
            right[frame, 1] = 1
        }
        mixer.crossfade(from: first, to: second)
        let output = mix(&mixer, [left, right])
        for frame in 0..<960 {
            let power = output[frame, 0] * output[frame, 0] + output[frame, 1] * output[frame, 1]
            #expect(abs(power - 1) < 1e-4)
        }
        #expect(abs(output[479, 0] - 0.7071) < 0.001)
    }

    @Test("a fade takes the requested time, and a mute keeps its short time")
    func longFade() throws {
        var mixer = BlockMixer(.mono)
        let input = try mixer.add(.mono)
        let ones = AudioBlock(.mono, samples: Array(repeating: 1, count: 4800))
        mixer.setSelected(false, input: input, over: .milliseconds(100))
        let faded = mix(&mixer, [ones])
        // Half of the fade is a phase of 45 degrees, with a gain of 0.707.
        let (half, end) = (faded[2400, 0], faded[4799, 0])
        #expect(abs(half - 0.707) < 0.002 && abs(end) < 0.001)
        mixer.setSelected(true, input: input)
        #expect(abs(mix(&mixer, [ones])[960, 0] - 1) < 0.001)
        mixer[input].isMuted = true
        #expect(mix(&mixer, [ones])[960, 0] == 0)
    }

    @Test("a block may have other channels than the previous one")
    func otherChannels() throws {
        var mixer = BlockMixer(.stereo)
        _ = try mixer.add(.mono)
        #expect(mix(&mixer, [AudioBlock(.mono, samples: [0.5, 0.5])]).samples == [0.5, 0.5, 0.5, 0.5])
        #expect(mix(&mixer, [AudioBlock(.stereo, samples: [0.1, 0.2, 0.3, 0.4])]).samples == [0.1, 0.2, 0.3, 0.4])
    }
}

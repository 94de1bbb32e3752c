package import PipFrames

/// Consecutive frames of sound with the time of the first.
///
/// The length is constant, so that a reused block allocates nothing. Copies share memory until one changes.
package struct AudioBlock: Sendable {
    package let format: AudioFormat
    /// The time at which the first frame was, or will be, heard.
    package var timestamp: Timestamp
    /// The samples, interleaved: ``frames`` times ``AudioFormat/channels``.
    package private(set) var samples: [Float]

    /// The number of frames.
    package var frames: Int { samples.count / format.channels }

    /// A block of silence.
    package init(_ format: AudioFormat, frames: Int, timestamp: Timestamp = .zero) {
        self.format = format
        self.timestamp = timestamp
        samples = Array(repeating: 0, count: max(frames, 0) * format.channels)
    }

    /// A block of the given samples.
    ///
    /// An incomplete frame at their end is omitted.
    package init(_ format: AudioFormat, samples: [Float], timestamp: Timestamp = .zero) {
        self.format = format
        self.timestamp = timestamp
        self.samples = Array(samples.prefix(samples.count / format.channels * format.channels))
    }

    /// One sample.
    package subscript(frame: Int, channel: Int) -> Float {
        get { samples[frame * format.channels + channel] }
        set { samples[frame * format.channels + channel] = newValue }
    }

    /// The samples of one channel.
    ///
    /// Allocates an array.
    package func channel(_ channel: Int) -> [Float] { (0..<frames).map { self[$0, channel] } }

    /// Replaces all samples by silence.
    package mutating func clear() {
        unsafe withSamples { samples in unsafe samples.update(repeating: 0) }
    }

    /// Lends the samples for changes.
    package mutating func withSamples<R>(_ body: (UnsafeMutableBufferPointer<Float>) -> R) -> R {
        unsafe samples.withUnsafeMutableBufferPointer { unsafe body($0) }
    }

    /// Replaces the first frames by decoded ones.
    ///
    /// - Parameters:
    ///   - bytes: The encoded samples, of at least `frames` frames.
    ///   - frames: The number of frames to decode, at most the block's length.
    ///   - coding: The encoding of the samples.
    package mutating func decode(_ bytes: [UInt8], frames: Int, _ coding: SampleCoding) {
        let count = min(frames, self.frames) * format.channels
        var target = samples.mutableSpan
        unsafe coding.decode(bytes.span.bytes, count: count, into: &target)
    }
}

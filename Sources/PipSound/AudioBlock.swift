package import PipFrames

/// Consecutive frames of sound with the time of the first frame.
///
/// The length is constant, so that reusing a block allocates no memory. Copies share memory until one of them changes.
package struct AudioBlock: Sendable {
    package let format: AudioFormat
    /// The time at which the first frame was recorded, or must be heard.
    package var timestamp: Timestamp
    /// The samples, interleaved: ``frames`` times ``AudioFormat/channels``.
    package private(set) var samples: [Float]

    /// The number of frames, which is the number of samples of each channel.
    package var frames: Int { samples.count / format.channels }

    /// Creates a block of silence.
    package init(_ format: AudioFormat, frames: Int, timestamp: Timestamp = .zero) {
        self.format = format
        self.timestamp = timestamp
        samples = Array(repeating: 0, count: max(frames, 0) * format.channels)
    }

    /// Creates a block of interleaved samples.
    ///
    /// An incomplete frame at the end of `samples` is left out.
    package init(_ format: AudioFormat, samples: [Float], timestamp: Timestamp = .zero) {
        self.format = format
        self.timestamp = timestamp
        self.samples = Array(samples.prefix(samples.count / format.channels * format.channels))
    }

    /// The sample of one channel in a frame.
    package subscript(frame: Int, channel: Int) -> Float {
        get { samples[frame * format.channels + channel] }
        set { samples[frame * format.channels + channel] = newValue }
    }

    /// The samples of one channel.
    ///
    /// The call allocates an array.
    package func channel(_ channel: Int) -> [Float] { (0..<frames).map { self[$0, channel] } }

    /// Replaces all samples by silence.
    package mutating func clear() {
        unsafe withSamples { samples in unsafe samples.update(repeating: 0) }
    }

    /// Calls `body` with the interleaved samples, which `body` may change but must not keep.
    package mutating func withSamples<R>(_ body: (UnsafeMutableBufferPointer<Float>) -> R) -> R {
        unsafe samples.withUnsafeMutableBufferPointer { unsafe body($0) }
    }

    /// Replaces the first frames of the block by decoded frames.
    ///
    /// - Parameters:
    ///   - bytes: The encoded samples, of at least `frames` frames.
    ///   - frames: The number of frames to decode, at most the block's length.
    ///   - coding: The encoding of the samples.
    package mutating func decode(_ bytes: [UInt8], frames: Int, _ coding: SampleCoding) {
        let size = coding.bytesPerSample
        bytes.withBytes { bytes in
            for index in 0..<min(min(frames, self.frames) * format.channels, bytes.byteCount / size) {
                samples[index] = coding.sample(bytes, at: index * size)
            }
        }
    }
}

internal import PipFrames

/// Measures the root mean square and the peak of each channel in successive time windows.
package struct LevelMeter: Sendable {
    /// The levels of the last complete window, one for each channel; silence before the first window is complete.
    package private(set) var levels: [AudioLevel]
    private let window: Int
    private var squares: [Double]
    private var peaks: [Float]
    private var frames = 0

    /// - Parameters:
    ///   - format: The format of the sound.
    ///   - window: The length of a window; 100 ms is short enough to follow speech.
    package init(_ format: AudioFormat, window: Duration = .milliseconds(100)) {
        levels = Array(repeating: .silence, count: format.channels)
        squares = Array(repeating: 0, count: format.channels)
        peaks = Array(repeating: 0, count: format.channels)
        self.window = max(1, format.frames(in: window.inSeconds))
    }

    /// Measures a block, which must have as many channels as the meter's format.
    package mutating func process(_ block: AudioBlock) {
        var first = 0
        while first < block.frames {
            let count = min(block.frames - first, window - frames)
            for channel in levels.indices { add(block, channel, first, count) }
            frames += count
            first += count
            if frames == window { publish() }
        }
    }

    private mutating func add(_ block: AudioBlock, _ channel: Int, _ first: Int, _ count: Int) {
        let stride = levels.count
        let (sum, peak) = unsafe block.samples.withUnsafeBufferPointer { samples in
            var (sum, peak) = (0.0, Float(0))
            var index = first * stride + channel
            for _ in 0..<count {
                let sample = unsafe samples[index]
                sum += Double(sample * sample)
                peak = max(peak, abs(sample))
                index += stride
            }
            return (sum, peak)
        }
        squares[channel] += sum
        peaks[channel] = max(peaks[channel], peak)
    }

    private mutating func publish() {
        for channel in levels.indices {
            levels[channel] = AudioLevel(
                rms: Decibels(amplitude: Float((squares[channel] / Double(frames)).squareRoot())),
                peak: Decibels(amplitude: peaks[channel]))
            squares[channel] = 0
            peaks[channel] = 0
        }
        frames = 0
    }
}

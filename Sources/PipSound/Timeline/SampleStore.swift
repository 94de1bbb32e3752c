/// The newest frames of a source's sound, numbered from 0, with each channel contiguous in memory.
struct SampleStore: Sendable {
    private let channels: Int
    /// The number of newest frames that are always kept.
    private let capacity: Int
    /// The number of frames for which each channel has memory.
    private let room: Int
    private var memory: [Float]
    /// The number of the frame at the beginning of the memory.
    private var base = 0
    /// The number of the next frame.
    private(set) var end = 0

    init(channels: Int, capacity: Int) {
        self.channels = channels
        self.capacity = capacity
        room = 2 * capacity
        memory = Array(repeating: 0, count: channels * room)
    }

    /// The number of the first frame that is still kept.
    var start: Int { base }

    /// Appends interleaved frames.
    ///
    /// Only the last ``capacity`` frames of a longer array are kept.
    mutating func append(_ samples: Span<Float>) {
        let frames = samples.count / channels
        let kept = min(frames, capacity)
        end += frames - kept
        makeRoom(for: kept, skipped: frames - kept)
        let (place, first) = (end - base, (frames - kept) * channels)
        for channel in 0..<channels {
            let line = channel * room + place
            unsafe memory.withUnsafeMutableBufferPointer { memory in
                for index in 0..<kept {
                    let sample = samples[first + index * channels + channel]
                    // A value that is not a number would spread through all later filters.
                    unsafe memory[line + index] = sample.isFinite ? sample : 0
                }
            }
        }
        end += kept
    }

    /// Appends silent frames, at most ``capacity``.
    mutating func appendSilence(_ frames: Int) {
        let kept = min(frames, capacity)
        makeRoom(for: kept, skipped: 0)
        for channel in 0..<channels {
            let line = channel * room + end - base
            unsafe memory.withUnsafeMutableBufferPointer { memory in
                for index in line..<line + kept { unsafe memory[index] = 0 }
            }
        }
        end += kept
    }

    /// Calls `body` with the samples of one channel from a frame on.
    ///
    /// The frame must still be kept: at least ``start``.
    func withChannel(_ channel: Int, from frame: Int, _ body: (UnsafePointer<Float>) -> Void) {
        unsafe memory.withUnsafeBufferPointer { memory in
            guard let start = memory.baseAddress else { return }
            unsafe body(start + channel * room + frame - base)
        }
    }

    /// Makes room for frames: moves the newest frames to the memory's beginning, if the next frames would not fit.
    ///
    /// Drops all frames instead when `skipped` frames are left out before the next frames.
    private mutating func makeRoom(for frames: Int, skipped: Int) {
        guard skipped == 0 else {
            base = end
            return
        }
        guard end - base + frames > room else { return }
        let moved = capacity
        let source = end - base - moved
        unsafe memory.withUnsafeMutableBufferPointer { memory in
            guard let start = memory.baseAddress else { return }
            for channel in 0..<channels {
                let line = unsafe start + channel * room
                unsafe line.update(from: line + source, count: moved)
            }
        }
        base = end - moved
    }
}

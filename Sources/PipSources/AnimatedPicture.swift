internal import PipConcurrency
package import PipFrames

/// A sequence of pictures that is shown again and again, in the output's time.
///
/// All of them are decoded once, on a thread of their own, and kept.
package final class AnimatedPicture: LivePicture, @unchecked Sendable {
    // `readers` belong to the decoding thread once it runs; all else is constant or locked.

    package let description: SourceDescription
    private let loops: Bool
    private let fail: @Sendable (SourceError) -> Void
    private var readers: [StillReader]
    private let count: Int
    private let state = Monitor(State())
    private let thread = Monitor<WorkerThread?>(nil)

    private struct State {
        var frames: [Frame] = []
        var hasEnded = false
    }

    /// Bytes that all pictures together may take, decoded.
    package static let mostBytes = 64 << 20

    /// Opens the files and reads their headers.
    ///
    /// - Parameters:
    ///   - path: A folder of PNG files, or their names with a field for the number: `frames/%03d.png`.
    ///   - rate: Pictures a second.
    ///   - loops: Whether it begins again; else the last picture stays.
    ///   - fail: Told when a picture turns out to be damaged.
    /// - Throws: ``SourceError`` when a file is missing or no picture, when sizes differ, or when there are too many.
    package init(
        _ path: String, rate: FrameRate, loops: Bool, fail: @escaping @Sendable (SourceError) -> Void
    ) throws(SourceError) {
        self.loops = loops
        self.fail = fail
        readers = []
        var bytes = 0
        for file in try PictureSequence.files(path) {
            let reader = try StillReader(path: file, isOverlay: true)
            let (layout, first) = (reader.description.layout, readers.first?.description.layout)
            guard first == nil || layout == first else {
                throw SourceError(
                    file, "be shown", .invalidOptions,
                    "it is \(layout.size) \(layout.format), but the first picture is \(first?.size ?? layout.size) "
                        + "\(first?.format ?? layout.format): all must be alike")
            }
            bytes += layout.byteCount
            guard bytes <= Self.mostBytes else {
                throw SourceError(
                    path, "be shown", .invalidOptions,
                    "its pictures take more than \(Self.mostBytes >> 20) MB once decoded: make them smaller or fewer")
            }
            readers.append(reader)
        }
        count = readers.count
        let first = readers[0].description
        description = SourceDescription(
            name: path, layout: first.layout, colorimetry: first.colorimetry, orientation: first.orientation,
            rate: rate, length: .endless)
    }

    package func start() {
        thread.update { thread in
            guard thread == nil else { return }
            thread = WorkerThread(name: "pip-animation") { [self] in decode() }
        }
    }

    package func stop() {
        state.update { $0.hasEnded = true }
        thread.read { $0 }?.join()
    }

    package func frame(at offset: Duration, waitingUntil deadline: Timestamp?) -> LiveFrame {
        let passed = description.rate.lastFrame(at: offset)
        let index = loops ? passed % count : min(passed, count - 1)
        if let frame = state.read({ $0.frames.indices.contains(index) ? $0.frames[index] : nil }) {
            return LiveFrame(frame)
        }
        guard let deadline else { return LiveFrame(state.read { $0.frames.last }) }
        let answer = state.wait(until: deadline) { state in
            let frame = state.frames.indices.contains(index) ? state.frames[index] : nil
            return frame != nil || state.hasEnded ? LiveFrame(frame) : nil
        }
        return answer ?? LiveFrame(nil, isPending: true)
    }

    private func decode() {
        for (index, reader) in readers.enumerated() where !state.read({ $0.hasEnded }) {
            let buffer = FrameBuffer(description.layout)
            do throws(SourceError) {
                _ = try reader.read(into: buffer, index: 0)
            } catch {
                state.update { $0.hasEnded = true }
                fail(error)
                break
            }
            var info = description.info(ofFrame: index)
            info.sequence = UInt64(index)
            state.update { $0.frames.append(Frame(info: info, buffer: buffer)) }
        }
        readers = []
    }
}

extension FrameRate {
    /// The last frame that is due at a time.
    fileprivate func lastFrame(at time: Duration) -> Int {
        let guess = Int(Int128(time.nanoseconds) * Int128(frames) / (Int128(seconds) * 1_000_000_000))
        // What is due is rounded down to the nanosecond.
        return max(0, offset(ofFrame: guess + 1) <= time ? guess + 1 : guess)
    }
}

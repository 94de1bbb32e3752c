package import PipConcurrency
package import PipFrames

/// A sequence of pictures that is shown again and again, in the output's time.
///
/// All of them are decoded once, on a thread of their own, and kept.
package final class AnimatedPicture: LivePicture {
    package let description: SourceDescription
    private let times: AnimationTimes
    private let loops: Bool
    private let fail: @Sendable (SourceError) -> Void
    /// Until it is decoded.
    private let animation: Monitor<Animation?>
    private let state: Monitor<State>
    private let clock: MonotonicClock
    private let thread = Monitor<WorkerThread?>(nil)

    private struct State {
        var frames: [Frame] = []
        var hasEnded = false
    }

    /// Opens the files and reads their headers.
    ///
    /// - Parameters:
    ///   - path: An animated WebP file, a folder of PNG or WebP files, or their names with a field for the number:
    ///     `frames/%03d.png`.
    ///   - rate: Pictures a second; nil for the times that a WebP file has for each, and for 12 a second.
    ///   - loops: Whether it begins again; else the last picture stays.
    ///   - clock: The clock by which its first pictures are waited for.
    ///   - fail: Told when a picture turns out to be damaged.
    /// - Throws: ``SourceError`` when a file is missing or no picture, when sizes differ, or when there are too many.
    package init(
        _ path: String, rate: FrameRate? = nil, loops: Bool, clock: MonotonicClock = MonotonicClock(),
        fail: @escaping @Sendable (SourceError) -> Void
    ) throws(SourceError) {
        self.clock = clock
        state = Monitor(State(), clock: clock)
        self.loops = loops
        self.fail = fail
        let animation = try Animation(path, rate: rate)
        description = animation.description
        times = animation.times
        self.animation = Monitor(animation)
    }

    package func start() {
        thread.update { thread in
            guard thread == nil else { return }
            thread = WorkerThread(name: "pip-animation", clock: clock) { [self] in decode() }
        }
    }

    package func stop() {
        state.update { $0.hasEnded = true }
        thread.read { $0 }?.join()
    }

    package func frame(at offset: Duration, waitingUntil deadline: Timestamp?) -> LiveFrame {
        let index = times.index(at: offset, loops: loops)
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
        let animation = animation.update { animation in
            defer { animation = nil }
            return animation
        }
        do throws(SourceError) {
            try animation?.decode { buffer in
                state.update { state in
                    let info = description.info(ofFrame: state.frames.count)
                    state.frames.append(Frame(info: info, buffer: buffer))
                    return !state.hasEnded
                }
            }
        } catch {
            state.update { $0.hasEnded = true }
            fail(error)
        }
    }
}

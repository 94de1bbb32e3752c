internal import Synchronization

/// Passes on the frames that meet a condition, and leaves out the others.
///
/// Thread: as for the receiver that gets the frames.
final class ConditionalReceiver: FrameReceiver {
    private struct State {
        var filter: PictureFilter
        /// True when the frame that was announced last meets the condition.
        var takes = false
    }

    private let receiver: any FrameReceiver
    private let state: Mutex<State>

    init(_ receiver: any FrameReceiver, _ condition: PictureCondition) {
        self.receiver = receiver
        state = Mutex(State(filter: PictureFilter(condition)))
    }

    func expect(_ frame: Frame) {
        let takes = state.withLock { state in
            state.takes = state.filter.takes(frame)
            return state.takes
        }
        if takes { receiver.expect(frame) }
    }

    func submit(_ frame: Frame, repeats: Int, until deadline: Timestamp) -> Bool {
        !state.withLock { $0.takes } || receiver.submit(frame, repeats: repeats, until: deadline)
    }

    var statistics: OutputStatistics { receiver.statistics }

    func finish(by deadline: Timestamp) async -> Bool { await receiver.finish(by: deadline) }

    func split() -> Bool { receiver.split() }

    func mark(_ moment: Moment) -> Bool { receiver.mark(moment) }
}

package import PipCapture
internal import PipConcurrency
internal import PipFrames

/// Collects a camera's events, and lets a test wait for them.
package final class EventRecorder: Sendable {
    private let events = Monitor<[CameraEvent]>([])

    package init() {}

    /// The function to pass to the camera.
    package var report: @Sendable (CameraEvent) -> Void {
        { [events] event in events.update { $0.append(event) } }
    }

    package var all: [CameraEvent] { events.read { $0 } }

    /// Blocks until an event satisfies a condition.
    ///
    /// - Returns: True when the event came within ten seconds.
    package func wait(for condition: (CameraEvent) -> Bool) -> Bool {
        let deadline = MonotonicClock().now.advanced(by: .seconds(10))
        return events.wait(until: deadline) { $0.contains(where: condition) ? true : nil } ?? false
    }
}

/// Counts signals, and lets a test wait for a number of them.
package final class SignalCounter: Sendable {
    private let count = Monitor(0)

    package init() {}

    package func signal() { count.update { $0 += 1 } }

    package var value: Int { count.read { $0 } }

    /// Blocks until `number` signals have come.
    ///
    /// - Returns: True when they came within ten seconds.
    package func wait(for number: Int) -> Bool {
        let deadline = MonotonicClock().now.advanced(by: .seconds(10))
        return count.wait(until: deadline) { $0 >= number ? true : nil } ?? false
    }
}

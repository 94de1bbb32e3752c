package import PipCapture
internal import PipConcurrency
internal import PipFrames

/// Collects the events of a camera, and lets a test wait for them.
package final class EventRecorder: Sendable {
    private let events = Monitor<[CameraEvent]>([])

    package init() {}

    /// The function that the camera must call for each event.
    package var report: @Sendable (CameraEvent) -> Void {
        { [events] event in events.update { $0.append(event) } }
    }

    package var all: [CameraEvent] { events.read { $0 } }

    /// Blocks until an event satisfies a condition.
    ///
    /// - Returns: False if ten seconds pass first.
    package func wait(for condition: (CameraEvent) -> Bool) -> Bool {
        let deadline = MonotonicClock().now.advanced(by: .seconds(10))
        return events.wait(until: deadline) { $0.contains(where: condition) ? true : nil } ?? false
    }
}

/// Counts calls of ``signal()``, and lets a test wait for a number of them.
package final class SignalCounter: Sendable {
    private let count = Monitor(0)

    package init() {}

    package func signal() { count.update { $0 += 1 } }

    package var value: Int { count.read { $0 } }

    /// Blocks until ``signal()`` has been called at least `number` times.
    ///
    /// - Returns: False if ten seconds pass first.
    package func wait(for number: Int) -> Bool {
        let deadline = MonotonicClock().now.advanced(by: .seconds(10))
        return count.wait(until: deadline) { $0 >= number ? true : nil } ?? false
    }
}

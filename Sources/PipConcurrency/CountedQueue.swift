package import PipFrames

/// A bounded queue whose producer never waits.
///
/// An element that does not fit is dropped and counted.
package final class CountedQueue<Element: Sendable>: Sendable {
    private let queue: BoundedQueue<Element>
    private let dropped = Monitor(0)

    /// Creates an empty queue of at most `capacity` elements.
    package init(capacity: Int) { queue = BoundedQueue(capacity: capacity) }

    // MARK: The producer's thread

    /// Appends an element where there is room for it.
    package func offer(_ element: Element) {
        switch queue.push(element, policy: .dropNewest) {
        case .accepted, .closed: break
        case .dropped, .timedOut: countDrop()
        }
    }

    /// Counts an element that could not be made.
    package func countDrop() { dropped.update { $0 += 1 } }

    // MARK: The consumer's thread

    /// Takes the oldest element, waiting for one.
    ///
    /// Nil when the queue is closed and empty, or the deadline passed.
    package func pop(until deadline: Timestamp? = nil) -> Element? { queue.pop(until: deadline) }

    /// True when the queue is closed and drained.
    package var isFinished: Bool { queue.isFinished }

    /// The number of drops since the last call.
    package func takeDrops() -> Int {
        dropped.update { count in
            defer { count = 0 }
            return count
        }
    }

    /// Refuses further elements; queued ones can still be popped.
    package func close() { queue.close() }
}

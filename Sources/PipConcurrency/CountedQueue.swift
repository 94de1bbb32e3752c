package import PipFrames

/// A bounded queue whose producer never waits.
///
/// The queue drops and counts an element for which it has no room.
package final class CountedQueue<Element: Sendable>: Sendable {
    private let queue: BoundedQueue<Element>
    private let dropped = Monitor(0)

    /// Creates an empty queue of at most `capacity` elements.
    package init(capacity: Int) { queue = BoundedQueue(capacity: capacity) }

    // MARK: The producer's thread

    /// Appends an element, or drops and counts it when the queue is full.
    ///
    /// A closed queue ignores the element, and does not count it.
    package func offer(_ element: Element) {
        switch queue.push(element, policy: .dropNewest) {
        case .accepted, .closed: break
        case .dropped, .timedOut: countDrop()
        }
    }

    /// Counts as dropped an element that the producer could not make.
    package func countDrop() { dropped.update { $0 += 1 } }

    // MARK: The consumer's thread

    /// Takes the oldest element; blocks while the queue is open and empty.
    ///
    /// Returns nil when the queue is closed and empty, or the deadline has passed.
    package func pop(until deadline: Timestamp? = nil) -> Element? { queue.pop(until: deadline) }

    /// True when the queue is closed and empty.
    package var isFinished: Bool { queue.isFinished }

    /// Returns the number of elements dropped since the last call.
    package func takeDrops() -> Int {
        dropped.update { count in
            defer { count = 0 }
            return count
        }
    }

    /// Closes the queue: the queue takes no further elements; queued elements can still be popped.
    package func close() { queue.close() }
}

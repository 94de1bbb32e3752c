package import PipFrames

/// The behaviour of a bounded queue when it is full.
package enum QueuePolicy: String, Sendable, CaseIterable {
    /// The queue drops the new element.
    case dropNewest
    /// The queue drops its oldest element to make room.
    case dropOldest
    /// The producer waits until there is room.
    case block
}

/// A first-in, first-out queue of at most `capacity` elements between two threads.
package final class BoundedQueue<Element: Sendable>: Sendable {
    private struct State {
        var elements: [Element?]
        var head = 0
        var count = 0
        var isClosed = false
    }

    /// The result of a push.
    package enum Outcome: Sendable {
        case accepted
        /// The queue dropped this element, or its oldest element in place of this one.
        case dropped
        /// The queue is closed and did not take the element.
        case closed
        /// The queue had no room until the deadline, and did not take the element.
        case timedOut
    }

    package let capacity: Int
    private let state: Monitor<State>

    /// Creates an empty queue.
    ///
    /// - Parameters:
    ///   - capacity: The largest number of elements that the queue holds.
    ///   - clock: The clock by which deadlines count.
    package init(capacity: Int, clock: MonotonicClock = MonotonicClock()) {
        self.capacity = capacity
        state = Monitor(State(elements: Array(repeating: nil, count: capacity)), clock: clock)
    }

    /// Appends an element, or applies the overflow policy when the queue is full.
    ///
    /// Only the policy ``QueuePolicy/block`` blocks the caller: until there is room, the queue is closed, or the
    /// deadline has passed.
    ///
    /// - Parameters:
    ///   - element: The new element.
    ///   - policy: The behaviour when the queue is full.
    ///   - deadline: The time at which blocking ends; nil for no deadline.
    /// - Returns: The outcome: the queue has taken or dropped the element, was closed, or had no room in time.
    package func push(_ element: Element, policy: QueuePolicy, until deadline: Timestamp? = nil) -> Outcome {
        if policy == .block {
            return state.wait(until: deadline) { state -> Outcome? in
                if state.isClosed { return .closed }
                guard state.count < self.capacity else { return nil }
                Self.append(element, to: &state)
                return .accepted
            } ?? .timedOut
        }
        return state.update { state in
            if state.isClosed { return .closed }
            if state.count < capacity {
                Self.append(element, to: &state)
                return .accepted
            }
            if policy == .dropOldest {
                _ = Self.removeFirst(from: &state)
                Self.append(element, to: &state)
            }
            return .dropped
        }
    }

    /// Takes the oldest element; blocks while the queue is open and empty.
    ///
    /// Returns nil when the queue is closed and empty, or the deadline has passed.
    package func pop(until deadline: Timestamp? = nil) -> Element? {
        let outcome = state.wait(until: deadline) { state -> Element?? in
            if state.count > 0 { return .some(Self.removeFirst(from: &state)) }
            return state.isClosed ? .some(nil) : nil
        }
        return outcome ?? nil
    }

    /// Takes the oldest element if it satisfies a condition; nil otherwise, and when the queue is empty.
    ///
    /// Does not wait.
    package func popFirst(where condition: (Element) -> Bool) -> Element? {
        state.update { state in
            guard state.count > 0, let first = state.elements[state.head], condition(first) else { return nil }
            return Self.removeFirst(from: &state)
        }
    }

    /// True when the queue takes no further elements.
    package var isClosed: Bool { state.read { $0.isClosed } }

    /// True when the queue is closed and empty.
    package var isFinished: Bool { state.read { $0.isClosed && $0.count == 0 } }

    /// Blocks until there is an element, the queue is closed, or the deadline has passed.
    ///
    /// - Returns: False when the queue is closed and empty, or the deadline has passed.
    package func waitForElement(until deadline: Timestamp? = nil) -> Bool {
        state.wait(until: deadline) { $0.count > 0 ? true : $0.isClosed ? false : nil } ?? false
    }

    /// Closes the queue: the queue takes no further elements; queued elements can still be popped.
    package func close() {
        state.update { $0.isClosed = true }
    }

    private static func append(_ element: Element, to state: inout State) {
        state.elements[(state.head + state.count) % state.elements.count] = element
        state.count += 1
    }

    private static func removeFirst(from state: inout State) -> Element? {
        let element = state.elements[state.head]
        state.elements[state.head] = nil
        state.head = (state.head + 1) % state.elements.count
        state.count -= 1
        return element
    }
}

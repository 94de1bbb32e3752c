internal import Synchronization

/// A single-value slot in which the newest value wins; neither producer nor consumer waits.
package final class Mailbox<Value: Sendable>: Sendable {
    private let slot = Mutex<Value?>(nil)

    package init() {}

    /// Stores a value, displacing one that was not taken.
    ///
    /// - Returns: True when a value was displaced.
    @discardableResult
    package func put(_ value: Value) -> Bool {
        // The displaced value is released outside the lock.
        let displaced = slot.withLock { slot in
            let old = slot
            slot = value
            return old
        }
        return displaced != nil
    }

    /// Takes the value, if there is one.
    package func take() -> Value? {
        slot.withLock { slot in
            let value = slot
            slot = nil
            return value
        }
    }
}

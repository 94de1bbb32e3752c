internal import Synchronization

/// A slot for one value, in which a newer value replaces an older one; neither producer nor consumer waits.
package final class Mailbox<Value: Sendable>: Sendable {
    private let slot = Mutex<Value?>(nil)

    package init() {}

    /// Stores a value, and replaces a value that was not taken.
    ///
    /// - Returns: True when a value was replaced.
    @discardableResult
    package func put(_ value: Value) -> Bool {
        // The replaced value is released outside the lock.
        let displaced = slot.withLock { slot in
            let old = slot
            slot = value
            return old
        }
        return displaced != nil
    }

    /// Takes the value; nil when the slot is empty.
    package func take() -> Value? {
        slot.withLock { slot in
            let value = slot
            slot = nil
            return value
        }
    }
}

internal import Synchronization

/// A slot for one value between a producer and a consumer that must not wait for each other: the newest wins.
package final class Mailbox<Value: Sendable>: Sendable {
    private let slot = Mutex<Value?>(nil)

    package init() {}

    /// Leaves a value, in place of one that was not taken.
    ///
    /// - Returns: Whether a value was displaced.
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

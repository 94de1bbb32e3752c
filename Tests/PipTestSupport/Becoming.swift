import PipConcurrency
import PipFrames

/// Waits until a condition holds, for at most two minutes; returns false when it does not.
package func becomes(_ condition: () -> Bool) async -> Bool {
    let end = MonotonicClock().now.advanced(by: .seconds(120))
    while MonotonicClock().now < end {
        if condition() { return true }
        try? await Task.sleep(for: .milliseconds(5))
    }
    return false
}

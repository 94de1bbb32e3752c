package import PipConcurrency

/// The threads that draw with the renderer's own.
package struct RowThreads: Sendable {
    let pool: ForkJoinPool
    /// The pixels of a band of rows that is worth a thread's waking up.
    let leastPixels: Int

    /// Starts threads, one less than there will be at work.
    ///
    /// - Parameters:
    ///   - count: The threads that draw, with the renderer's own.
    ///   - leastPixels: Those of a band of rows that is worth a thread's waking up.
    ///   - clock: The renderer's.
    package init(count: Int, leastPixels: Int = 1 << 16, clock: MonotonicClock = MonotonicClock()) {
        pool = ForkJoinPool(count: count, name: "pip-draw", clock: clock)
        self.leastPixels = leastPixels
    }
}

package import PipConcurrency

/// The threads that draw with the renderer's own.
package struct RowThreads: Sendable {
    let pool: ForkJoinPool
    /// The number of pixels from which a band of rows is worth waking a thread.
    let leastPixels: Int

    /// Starts one thread less than there will be drawing threads.
    ///
    /// - Parameters:
    ///   - count: The number of drawing threads, including the renderer's own.
    ///   - leastPixels: The number of pixels from which a band of rows is worth waking a thread.
    ///   - clock: The renderer's clock.
    package init(count: Int, leastPixels: Int = 1 << 16, clock: MonotonicClock = MonotonicClock()) {
        pool = ForkJoinPool(count: count, name: "pip-draw", clock: clock)
        self.leastPixels = leastPixels
    }
}

package import PipConcurrency

/// The threads that draw beside the renderer's own thread.
package struct RowThreads: Sendable {
    let pool: ForkJoinPool
    /// The smallest number of pixels in a band of rows that is worth waking a thread.
    let leastPixels: Int

    /// Starts `count` - 1 threads; the renderer's own thread is the last one.
    ///
    /// - Parameters:
    ///   - count: The number of drawing threads, including the renderer's own.
    ///   - leastPixels: The smallest number of pixels in a band of rows that is worth waking a thread.
    ///   - clock: The renderer's clock.
    package init(count: Int, leastPixels: Int = 1 << 16, clock: MonotonicClock = MonotonicClock()) {
        pool = ForkJoinPool(count: count, name: "pip-draw", clock: clock)
        self.leastPixels = leastPixels
    }
}

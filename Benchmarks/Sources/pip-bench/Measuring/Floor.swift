import Glibc

/// The cost of copying bytes, a lower bound for programs that copy their pictures.
enum Floor {
    /// Measures the CPU time in milliseconds in which `memcpy` moves `bytes` bytes: half of them read, half written.
    ///
    /// The copies move through about 128 MB of memory, which exceeds the caches. All pages are touched beforehand.
    static func milliseconds(bytes: Int) -> Double {
        let length = max(bytes / 2, 1)
        let count = max(64_000_000 / length, 2)
        let source = [UInt8](repeating: 1, count: length * count)
        var target = [UInt8](repeating: 0, count: length * count)
        var seconds = 0.0
        unsafe source.withUnsafeBytes { source in
            unsafe target.withUnsafeMutableBytes { target in
                let start = cpuSeconds()
                for index in 0..<count {
                    let part = index * length..<(index + 1) * length
                    unsafe UnsafeMutableRawBufferPointer(rebasing: target[part]).copyMemory(
                        from: UnsafeRawBufferPointer(rebasing: source[part]))
                }
                seconds = cpuSeconds() - start
            }
        }
        return seconds * 1000 / Double(count)
    }

    private static func cpuSeconds() -> Double {
        var time = timespec()
        unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}

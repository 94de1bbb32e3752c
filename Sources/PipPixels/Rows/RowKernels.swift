/// The inner loops of ``RowFilter``, in 16-bit fixed point; the compiler vectorizes them.
enum RowKernels {
    /// Two rows, or two positions in a row, with a common weight in shares of 65536.
    @safe struct Pair {
        var first: UnsafePointer<UInt16>
        var second: UnsafePointer<UInt16>
        var weight: UInt16
    }

    /// Converts samples to 128ths of a sample.
    static func widen(_ line: UnsafePointer<UInt8>, to out: UnsafeMutablePointer<UInt16>, _ count: Int) {
        for index in 0..<count { unsafe out[index] = UInt16(line[index]) &<< 7 }
    }

    /// Converts 128ths of a sample to samples.
    static func narrow(_ row: UnsafePointer<UInt16>, to out: UnsafeMutablePointer<UInt8>, _ count: Int) {
        for index in 0..<count { unsafe out[index] = sample(row[index]) }
    }

    /// Starts weighted sums with the products of one row and its weight, plus the mean rounding error of all products.
    static func start(
        _ row: UnsafePointer<UInt16>, _ weight: UInt16, _ loss: UInt16, to sums: UnsafeMutablePointer<UInt16>,
        _ count: Int
    ) {
        for index in 0..<count { unsafe sums[index] = product(row[index], weight) &+ loss }
    }

    /// Adds three pairs to weighted sums.
    static func add(_ pairs: (Pair, Pair, Pair), to sums: UnsafeMutablePointer<UInt16>, _ count: Int) {
        let (first, second, third) = pairs
        let (a, b, c) = unsafe (first.first, second.first, third.first)
        let (d, e, f) = unsafe (first.second, second.second, third.second)
        let (u, v, w) = (first.weight, second.weight, third.weight)
        for index in 0..<count {
            let near = unsafe product(a[index] &+ d[index], u)
            let middle = unsafe product(b[index] &+ e[index], v)
            let far = unsafe product(c[index] &+ f[index], w)
            unsafe sums[index] &+= near &+ middle &+ far
        }
    }

    /// Adds up four rows, weighted by 1, 3, 3 and 1; the sums are in eighths of a sample.
    static func addFour(
        _ rows: (UnsafePointer<UInt8>, UnsafePointer<UInt8>, UnsafePointer<UInt8>, UnsafePointer<UInt8>),
        to out: UnsafeMutablePointer<UInt16>, _ count: Int
    ) {
        let (first, second, third, fourth) = unsafe rows
        for index in 0..<count {
            let inner = unsafe UInt16(second[index]) &+ UInt16(third[index])
            unsafe out[index] = UInt16(first[index]) &+ UInt16(fourth[index]) &+ 3 &* inner
        }
    }

    /// Computes half as many samples, in 128ths, from the sums of ``addFour``: each from four adjacent sums.
    static func halve(
        _ row: UnsafePointer<UInt16>, to out: UnsafeMutablePointer<UInt16>, _ count: Int, parts: Int
    ) {
        if parts == 1 {
            for index in 0..<count { unsafe out[index] = addFour(row + 2 * index, 1) }
        } else {
            for index in 0..<count {
                unsafe out[2 * index] = addFour(row + 4 * index, 2)
                unsafe out[2 * index + 1] = addFour(row + 4 * index + 1, 2)
            }
        }
    }

    @inline(__always)
    private static func addFour(_ place: UnsafePointer<UInt16>, _ step: Int) -> UInt16 {
        let inner = unsafe place[0] &+ place[step]
        return unsafe (place[-step] &+ place[2 * step] &+ 3 &* inner) &<< 1
    }

    /// Mixes two rows of half the size, three quarters of `near` and a quarter of `far`, in 32nds of a sample.
    static func mix(
        _ near: UnsafePointer<UInt16>, _ far: UnsafePointer<UInt16>, to out: UnsafeMutablePointer<UInt16>, _ count: Int
    ) {
        for index in 0..<count {
            let (own, other) = unsafe ((near[index] &+ 2) &>> 2, (far[index] &+ 2) &>> 2)
            unsafe out[index] = (3 &* own &+ other &+ 2) &>> 2
        }
    }

    /// Converts 32nds of a sample to samples, and doubles the number of samples by interpolation.
    static func enlarge(
        _ row: UnsafePointer<UInt16>, to out: UnsafeMutablePointer<UInt8>, _ count: Int, parts: Int
    ) {
        if parts == 1 {
            for index in 0..<count / 2 {
                let own = unsafe 3 &* row[index]
                unsafe out[2 * index] = sample(own &+ row[index - 1])
                unsafe out[2 * index + 1] = sample(own &+ row[index + 1])
            }
            if count % 2 == 1 {
                let last = count / 2
                unsafe out[2 * last] = sample(3 &* row[last] &+ row[last - 1])
            }
            return
        }
        for index in 0..<count {
            let place = unsafe row + index / 2 * 2
            let side = index % 2 * 4 - 2
            for part in 0...1 { unsafe out[2 * index + part] = sample(3 &* place[part] &+ place[part + side]) }
        }
    }

    @inline(__always)
    private static func product(_ value: UInt16, _ weight: UInt16) -> UInt16 {
        UInt16(truncatingIfNeeded: (UInt32(value) &* UInt32(weight)) &>> 16)
    }

    /// Rounds 128ths to the nearest sample.
    @inline(__always)
    private static func sample(_ value: UInt16) -> UInt8 {
        UInt8(truncatingIfNeeded: min((value &+ 64) &>> 7, 255))
    }
}

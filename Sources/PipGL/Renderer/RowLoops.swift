/// Means of so many by so many samples, row by row.
///
/// Loops that the compiler can make vector instructions of.
enum RowMeans {
    /// Adds up rows that lie one below the other.
    static func add(
        _ line: UnsafePointer<UInt8>, _ stride: Int, rows: Int, to sums: UnsafeMutablePointer<UInt16>, _ count: Int
    ) {
        let second = unsafe line + (rows > 1 ? stride : 0)
        for index in 0..<count { unsafe sums[index] = UInt16(line[index]) &+ UInt16(second[index]) }
        for row in 2..<max(rows, 2) {
            let next = unsafe line + row * stride
            for index in 0..<count { unsafe sums[index] &+= UInt16(next[index]) }
        }
    }

    /// Adds up neighbours, and divides by how many they are in all.
    static func divide(
        _ sums: UnsafePointer<UInt16>, by mean: Int, to out: UnsafeMutablePointer<UInt8>, _ count: Int, isPairs: Bool
    ) {
        switch (mean, isPairs) {
        case (2, false): unsafe divideByFour(sums, to: out, count)
        case (2, true): unsafe divideByFour(pairs: sums, to: out, count / 2)
        case (4, false): unsafe divideBySixteen(sums, to: out, count)
        case (4, true): unsafe divideBySixteen(pairs: sums, to: out, count / 2)
        default: unsafe divide(sums, by: mean, step: isPairs ? 2 : 1, to: out, count)
        }
    }

    private static func divideByFour(
        _ sums: UnsafePointer<UInt16>, to out: UnsafeMutablePointer<UInt8>, _ count: Int
    ) {
        for index in 0..<count {
            let sum = unsafe sums[2 * index] &+ sums[2 * index + 1]
            unsafe out[index] = UInt8(truncatingIfNeeded: (sum &+ 2) >> 2)
        }
    }

    private static func divideByFour(
        pairs sums: UnsafePointer<UInt16>, to out: UnsafeMutablePointer<UInt8>, _ count: Int
    ) {
        for index in 0..<count {
            let first = unsafe sums[4 * index] &+ sums[4 * index + 2]
            let second = unsafe sums[4 * index + 1] &+ sums[4 * index + 3]
            unsafe out[2 * index] = UInt8(truncatingIfNeeded: (first &+ 2) >> 2)
            unsafe out[2 * index + 1] = UInt8(truncatingIfNeeded: (second &+ 2) >> 2)
        }
    }

    private static func divideBySixteen(
        _ sums: UnsafePointer<UInt16>, to out: UnsafeMutablePointer<UInt8>, _ count: Int
    ) {
        for index in 0..<count {
            let four = unsafe sums + 4 * index
            let sum = unsafe four[0] &+ four[1] &+ four[2] &+ four[3]
            unsafe out[index] = UInt8(truncatingIfNeeded: (sum &+ 8) >> 4)
        }
    }

    private static func divideBySixteen(
        pairs sums: UnsafePointer<UInt16>, to out: UnsafeMutablePointer<UInt8>, _ count: Int
    ) {
        for index in 0..<count {
            let eight = unsafe sums + 8 * index
            let first = unsafe eight[0] &+ eight[2] &+ eight[4] &+ eight[6]
            let second = unsafe eight[1] &+ eight[3] &+ eight[5] &+ eight[7]
            unsafe out[2 * index] = UInt8(truncatingIfNeeded: (first &+ 8) >> 4)
            unsafe out[2 * index + 1] = UInt8(truncatingIfNeeded: (second &+ 8) >> 4)
        }
    }

    /// Any other number, at most 16: by the reciprocal, which is near enough for sums of 16 bits.
    private static func divide(
        _ sums: UnsafePointer<UInt16>, by mean: Int, step: Int, to out: UnsafeMutablePointer<UInt8>, _ count: Int
    ) {
        let all = mean * mean
        let reciprocal = UInt32((1 << 20) / all) + UInt32((1 << 20) % all * 2 >= all ? 1 : 0)
        for index in 0..<count {
            let first = index / step * step * mean + index % step
            var sum: UInt32 = 0
            for part in 0..<mean { unsafe sum &+= UInt32(sums[first + part * step]) }
            unsafe out[index] = UInt8(truncatingIfNeeded: min((sum &* reciprocal &+ (1 << 19)) >> 20, 255))
        }
    }
}

/// Rows of packed 4:2:2, taken apart.
enum PackedRows {
    static func takeEverySecond(_ line: UnsafePointer<UInt8>, to out: UnsafeMutablePointer<UInt8>, _ count: Int) {
        for index in 0..<count { unsafe out[index] = line[2 * index] }
    }

    /// The means of two rows at some places of each four bytes.
    static func average(
        _ above: UnsafePointer<UInt8>, _ below: UnsafePointer<UInt8>, _ places: [Int],
        to out: UnsafeMutablePointer<UInt8>, _ count: Int
    ) {
        // Pairs in their usual order are every second byte.
        if places == [1, 3] || places == [0, 2] {
            unsafe averageEverySecond(above + places[0], below + places[0], to: out, count)
            return
        }
        for (part, place) in places.enumerated() {
            unsafe averageEveryFourth(
                above + place, below + place, to: out + part, step: places.count, count / places.count)
        }
    }

    private static func averageEverySecond(
        _ above: UnsafePointer<UInt8>, _ below: UnsafePointer<UInt8>, to out: UnsafeMutablePointer<UInt8>, _ count: Int
    ) {
        for index in 0..<count {
            let sum = unsafe UInt16(above[2 * index]) &+ UInt16(below[2 * index])
            unsafe out[index] = UInt8(truncatingIfNeeded: (sum &+ 1) >> 1)
        }
    }

    private static func averageEveryFourth(
        _ above: UnsafePointer<UInt8>, _ below: UnsafePointer<UInt8>, to out: UnsafeMutablePointer<UInt8>, step: Int,
        _ count: Int
    ) {
        for index in 0..<count {
            let sum = unsafe UInt16(above[4 * index]) &+ UInt16(below[4 * index])
            unsafe out[step * index] = UInt8(truncatingIfNeeded: (sum &+ 1) >> 1)
        }
    }
}

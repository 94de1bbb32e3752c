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

    /// Adds up neighbours in sums of so many rows, and divides by how many they are in all.
    static func divide(
        _ sums: UnsafePointer<UInt16>, columns: Int, rows: Int, to out: UnsafeMutablePointer<UInt8>, _ count: Int,
        isPairs: Bool
    ) {
        let all = columns * rows
        // A sum of 32 samples, at most, is still one of 16 bits.
        let shift = UInt16(all.trailingZeroBitCount)
        switch (columns, isPairs) {
        case (2, false) where all == 1 << shift: unsafe addTwo(sums, shift, to: out, count)
        case (2, true) where all == 1 << shift: unsafe addTwo(pairs: sums, shift, to: out, count / 2)
        case (4, false) where all == 1 << shift: unsafe addFour(sums, shift, to: out, count)
        case (4, true) where all == 1 << shift: unsafe addFour(pairs: sums, shift, to: out, count / 2)
        default:
            let parts = isPairs ? 2 : 1
            for part in 0..<parts {
                unsafe divide(
                    sums + part, step: parts, columns: columns, rows: rows, to: out + part, step: parts, count / parts)
            }
        }
    }

    private static func addTwo(
        _ sums: UnsafePointer<UInt16>, _ shift: UInt16, to out: UnsafeMutablePointer<UInt8>, _ count: Int
    ) {
        let half = UInt16(1) << (shift - 1)
        for index in 0..<count {
            let sum = unsafe sums[2 * index] &+ sums[2 * index + 1]
            unsafe out[index] = UInt8(truncatingIfNeeded: (sum &+ half) &>> shift)
        }
    }

    private static func addTwo(
        pairs sums: UnsafePointer<UInt16>, _ shift: UInt16, to out: UnsafeMutablePointer<UInt8>, _ count: Int
    ) {
        let half = UInt16(1) << (shift - 1)
        for index in 0..<count {
            let first = unsafe sums[4 * index] &+ sums[4 * index + 2]
            let second = unsafe sums[4 * index + 1] &+ sums[4 * index + 3]
            unsafe out[2 * index] = UInt8(truncatingIfNeeded: (first &+ half) &>> shift)
            unsafe out[2 * index + 1] = UInt8(truncatingIfNeeded: (second &+ half) &>> shift)
        }
    }

    private static func addFour(
        _ sums: UnsafePointer<UInt16>, _ shift: UInt16, to out: UnsafeMutablePointer<UInt8>, _ count: Int
    ) {
        let half = UInt16(1) << (shift - 1)
        for index in 0..<count {
            let four = unsafe sums + 4 * index
            let sum = unsafe four[0] &+ four[1] &+ four[2] &+ four[3]
            unsafe out[index] = UInt8(truncatingIfNeeded: (sum &+ half) &>> shift)
        }
    }

    private static func addFour(
        pairs sums: UnsafePointer<UInt16>, _ shift: UInt16, to out: UnsafeMutablePointer<UInt8>, _ count: Int
    ) {
        let half = UInt16(1) << (shift - 1)
        for index in 0..<count {
            let eight = unsafe sums + 8 * index
            let first = unsafe eight[0] &+ eight[2] &+ eight[4] &+ eight[6]
            let second = unsafe eight[1] &+ eight[3] &+ eight[5] &+ eight[7]
            unsafe out[2 * index] = UInt8(truncatingIfNeeded: (first &+ half) &>> shift)
            unsafe out[2 * index + 1] = UInt8(truncatingIfNeeded: (second &+ half) &>> shift)
        }
    }

    /// Any other number, at most 512: by the reciprocal, which is near enough.
    static func divide(
        _ sums: UnsafePointer<UInt16>, step: Int, columns: Int, rows: Int, to out: UnsafeMutablePointer<UInt8>,
        step outStep: Int, _ count: Int
    ) {
        let all = columns * rows
        let reciprocal = UInt64((1 << 32) / all) + ((1 << 32) % all * 2 >= all ? 1 : 0)
        for index in 0..<count {
            let first = index * columns * step
            var sum: UInt64 = 0
            for part in 0..<columns { unsafe sum &+= UInt64(sums[first + part * step]) }
            let mean = (sum &* reciprocal &+ (1 << 31)) &>> 32
            unsafe out[index * outStep] = UInt8(truncatingIfNeeded: min(mean, 255))
        }
    }
}

/// Rows of packed 4:2:2, taken apart.
enum PackedRows {
    static func takeEverySecond(_ line: UnsafePointer<UInt8>, to out: UnsafeMutablePointer<UInt8>, _ count: Int) {
        for index in 0..<count { unsafe out[index] = line[2 * index] }
    }

    /// Means of so many by so many luma samples, the first of which is at `line`.
    static func means(
        _ line: UnsafePointer<UInt8>, _ stride: Int, _ mean: Int, to out: UnsafeMutablePointer<UInt8>, _ count: Int,
        sums: UnsafeMutablePointer<UInt16>
    ) {
        unsafe addEverySecond(line, stride, rows: mean, to: sums, count * mean)
        unsafe RowMeans.divide(sums, columns: mean, rows: mean, to: out, count, isPairs: false)
    }

    /// Means of so many by twice as many chroma samples at some places of each four bytes.
    static func means(
        _ line: UnsafePointer<UInt8>, _ stride: Int, _ places: [Int], _ mean: Int,
        to out: UnsafeMutablePointer<UInt8>, _ count: Int, sums: UnsafeMutablePointer<UInt16>
    ) {
        let samples = count / places.count
        // Both kinds of chroma, in the order of the format.
        unsafe addEverySecond(line + places[0] % 2, stride, rows: 2 * mean, to: sums, samples * mean * 2)
        if places == [0, 2] || places == [1, 3] {
            unsafe RowMeans.divide(sums, columns: mean, rows: 2 * mean, to: out, count, isPairs: true)
            return
        }
        for (part, place) in places.enumerated() {
            unsafe RowMeans.divide(
                sums + place / 2, step: 2, columns: mean, rows: 2 * mean, to: out + part, step: places.count, samples)
        }
    }

    /// Adds up every second byte of rows that lie one below the other.
    private static func addEverySecond(
        _ line: UnsafePointer<UInt8>, _ stride: Int, rows: Int, to sums: UnsafeMutablePointer<UInt16>, _ count: Int
    ) {
        let second = unsafe line + stride
        for index in 0..<count { unsafe sums[index] = UInt16(line[2 * index]) &+ UInt16(second[2 * index]) }
        for row in 2..<max(rows, 2) {
            let next = unsafe line + row * stride
            for index in 0..<count { unsafe sums[index] &+= UInt16(next[2 * index]) }
        }
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

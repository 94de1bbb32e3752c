/// Box filters: means of square areas of samples, row by row, in loops that the compiler vectorizes.
enum RowMeans {
    /// Averages a plane, of samples or pairs, over square areas; sizes other than two and four go by way of sums.
    static func means(
        _ line: UnsafePointer<UInt8>, _ stride: Int, of number: Int, to out: UnsafeMutablePointer<UInt8>, _ count: Int,
        isPairs: Bool, sums: UnsafeMutablePointer<UInt16>
    ) {
        switch (number, isPairs) {
        case (2, false): unsafe ofTwo(line, line + stride, to: out, count)
        case (2, true): unsafe ofTwo(pairs: line, line + stride, to: out, count / 2)
        case (4, false): unsafe ofFour(line, stride, to: out, count)
        case (4, true): unsafe ofFour(pairs: line, stride, to: out, count / 2)
        default:
            unsafe add(line, stride, rows: number, to: sums, count * number)
            unsafe divide(sums, columns: number, rows: number, to: out, count, isPairs: isPairs)
        }
    }

    // Neighbours are taken out of one larger number: several times as quick as reading each.

    private static func ofTwo(
        _ first: UnsafePointer<UInt8>, _ second: UnsafePointer<UInt8>, to out: UnsafeMutablePointer<UInt8>,
        _ count: Int
    ) {
        for index in 0..<count {
            let above: UInt16 = unsafe number(at: first, index)
            let below: UInt16 = unsafe number(at: second, index)
            let sum = (above & 255) &+ (above &>> 8) &+ (below & 255) &+ (below &>> 8)
            unsafe out[index] = UInt8(truncatingIfNeeded: (sum &+ 2) &>> 2)
        }
    }

    private static func ofTwo(
        pairs first: UnsafePointer<UInt8>, _ second: UnsafePointer<UInt8>, to out: UnsafeMutablePointer<UInt8>,
        _ count: Int
    ) {
        let even: UInt32 = 0x00ff_00ff
        for index in 0..<count {
            let above: UInt32 = unsafe number(at: first, index)
            let below: UInt32 = unsafe number(at: second, index)
            let low = (above & even) &+ (below & even)
            let high = (above &>> 8 & even) &+ (below &>> 8 & even)
            unsafe store((low &+ low &>> 16 &+ 2) &>> 2, (high &+ high &>> 16 &+ 2) &>> 2, to: out, index)
        }
    }

    private static func ofFour(
        _ line: UnsafePointer<UInt8>, _ stride: Int, to out: UnsafeMutablePointer<UInt8>, _ count: Int
    ) {
        let even: UInt32 = 0x00ff_00ff
        for index in 0..<count {
            let first: UInt32 = unsafe number(at: line, index)
            let second: UInt32 = unsafe number(at: line + stride, index)
            let third: UInt32 = unsafe number(at: line + 2 * stride, index)
            let fourth: UInt32 = unsafe number(at: line + 3 * stride, index)
            let low = (first & even) &+ (second & even) &+ (third & even) &+ (fourth & even)
            let high =
                (first &>> 8 & even) &+ (second &>> 8 & even) &+ (third &>> 8 & even) &+ (fourth &>> 8 & even)
            let sum = low &+ high
            unsafe out[index] = UInt8(truncatingIfNeeded: (sum &+ sum &>> 16 &+ 8) &>> 4)
        }
    }

    private static func ofFour(
        pairs line: UnsafePointer<UInt8>, _ stride: Int, to out: UnsafeMutablePointer<UInt8>, _ count: Int
    ) {
        let even: UInt64 = 0x00ff_00ff_00ff_00ff
        for index in 0..<count {
            let first: UInt64 = unsafe number(at: line, index)
            let second: UInt64 = unsafe number(at: line + stride, index)
            let third: UInt64 = unsafe number(at: line + 2 * stride, index)
            let fourth: UInt64 = unsafe number(at: line + 3 * stride, index)
            var low = (first & even) &+ (second & even) &+ (third & even) &+ (fourth & even)
            var high =
                (first &>> 8 & even) &+ (second &>> 8 & even) &+ (third &>> 8 & even) &+ (fourth &>> 8 & even)
            (low, high) = (low &+ low &>> 32, high &+ high &>> 32)
            unsafe store((low &+ low &>> 16 &+ 8) &>> 4, (high &+ high &>> 16 &+ 8) &>> 4, to: out, index)
        }
    }

    /// A number of the bytes at a place, the first one lowest.
    @inline(__always)
    static func number<Number: FixedWidthInteger & BitwiseCopyable>(
        at place: UnsafePointer<UInt8>, _ index: Int
    ) -> Number {
        unsafe UnsafeRawPointer(place).loadUnaligned(fromByteOffset: index * MemoryLayout<Number>.size, as: Number.self)
            .littleEndian
    }

    /// Writes a pair, the lowest bytes of two numbers.
    @inline(__always)
    private static func store<Number: FixedWidthInteger>(
        _ low: Number, _ high: Number, to out: UnsafeMutablePointer<UInt8>, _ index: Int
    ) {
        let pair = UInt16(truncatingIfNeeded: low & 255 | (high & 255) &<< 8)
        unsafe UnsafeMutableRawPointer(out).storeBytes(of: pair.littleEndian, toByteOffset: 2 * index, as: UInt16.self)
    }

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

    /// Adds up neighbours in sums of `rows` rows, and divides by the number of samples.
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

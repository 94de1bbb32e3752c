internal import CPixels

/// The memory of a row of means, and of the sums from which they are computed.
@unsafe struct MeanRow {
    let start: UnsafeMutablePointer<UInt8>
    let count: Int
    /// Memory for the sums: as many numbers as ``RowMeans/room(of:_:)`` returns.
    let sums: UnsafeMutablePointer<UInt16>
    /// Vector code for the means of these sums; nil where there is none.
    let columns: ColumnMeans?
}

/// Bytes of a row at a constant distance from each other.
@unsafe struct SpacedBytes {
    let start: UnsafeMutablePointer<UInt8>
    /// The distance between neighbours, in bytes.
    let step: Int
    let count: Int
}

/// Box filters: means of square areas of samples, row by row.
enum RowMeans {
    private static let functions = RowSet.best.functions

    /// The number of sums that ``MeanRow/sums`` must hold for `count` means of `number` × `number` samples.
    static func room(of number: Int, _ count: Int) -> Int { (2 * number + 1) * count + ColumnMeans.room }

    /// Makes one row of means, each of `number` × `number` samples or pairs.
    ///
    /// Sizes other than 2 and 4 use sums, in this project's vector code: libyuv rounds such means down, and
    /// picks one pair instead of averaging pairs.
    @inline(__always)
    static func means(_ rows: InputRows, of number: Int, isPairs: Bool, to row: MeanRow) {
        let (line, stride) = unsafe (rows.row(0), rows.stride)
        let (out, count, sums) = unsafe (row.start, row.count, row.sums)
        switch (number, isPairs) {
        case (2, false), (4, false): unsafe LibraryRows.means(line, stride, of: number, to: out, count)
        case (2, true): unsafe LibraryRows.meansOfTwo(pairs: line, stride, to: out, count / 2)
        case (4, true):
            unsafe LibraryRows.meansOfFour(pairs: line, stride, to: out, count / 2, memory: bytes(of: sums))
        default:
            unsafe add(rows, number, to: sums, count * number)
            unsafe divide(row, columns: number, rows: number, isPairs: isPairs)
        }
    }

    /// Reinterprets the memory of the sums as bytes.
    static func bytes(of sums: UnsafeMutablePointer<UInt16>) -> UnsafeMutablePointer<UInt8> {
        unsafe UnsafeMutableRawPointer(sums).assumingMemoryBound(to: UInt8.self)
    }

    /// The little-endian number at an index.
    @inline(__always)
    static func number<Number: FixedWidthInteger & BitwiseCopyable>(
        at place: UnsafePointer<UInt8>, _ index: Int
    ) -> Number {
        unsafe UnsafeRawPointer(place).loadUnaligned(fromByteOffset: index * MemoryLayout<Number>.size, as: Number.self)
            .littleEndian
    }

    /// Adds up each column of rows that lie one below the other; the samples of a row are `step` bytes apart, 1 to 4.
    static func add(
        _ rows: InputRows, _ number: Int, step: Int = 1, to sums: UnsafeMutablePointer<UInt16>, _ count: Int
    ) {
        for row in 0..<number {
            unsafe functions.addBytes(rows.row(row), Int32(step), sums, row == 0 ? 1 : 0, Int32(count))
        }
    }

    /// Adds up `columns` neighbouring sums of `rows` rows, and divides by the number of samples.
    static func divide(_ row: MeanRow, columns: Int, rows: Int, isPairs: Bool = false) {
        let (sums, out, count) = unsafe (row.sums, row.start, row.count)
        if let vectors = unsafe row.columns {
            let numbers = unsafe UnsafeRawPointer(sums).assumingMemoryBound(to: Int16.self)
            unsafe vectors.run(numbers, to: out, isPairs ? count / 2 : count)
            return
        }
        let all = columns * rows
        // A sum of at most 32 samples fits into 16 bits.
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
                    sums + part, step: parts, columns: columns, rows: rows,
                    to: SpacedBytes(start: out + part, step: parts, count: count / parts))
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

    /// Divides the sums of at most 8192 samples by their number, as a product with the reciprocal.
    static func divide(
        _ sums: UnsafePointer<UInt16>, step: Int, columns: Int, rows: Int, to target: SpacedBytes
    ) {
        let (out, outStep, count) = unsafe (target.start, target.step, target.count)
        let all = columns * rows
        let reciprocal = UInt64((1 << 32) / all) + ((1 << 32) % all * 2 >= all ? 1 : 0)
        for index in 0..<count {
            let place = unsafe sums + index * columns * step
            var sum: UInt32 = 0
            if step == 1 {
                unsafe sum = total(of: place, columns)
            } else {
                for column in 0..<columns { unsafe sum &+= UInt32(place[column * step]) }
            }
            let mean = (UInt64(sum) &* reciprocal &+ (1 << 31)) &>> 32
            unsafe out[index * outStep] = UInt8(truncatingIfNeeded: min(mean, 255))
        }
    }
    /// The total of neighbouring sums, eight at a time.
    @inline(__always)
    private static func total(of sums: UnsafePointer<UInt16>, _ count: Int) -> UInt32 {
        var parts = SIMD4<UInt32>.zero
        var index = 0
        while index + 8 <= count {
            let pairs = unsafe UnsafeRawPointer(sums + index).loadUnaligned(as: SIMD4<UInt32>.self)
            parts &+= (pairs & 0xffff) &+ (pairs &>> 16)
            index += 8
        }
        var total = parts.wrappedSum()
        while index < count {
            unsafe total &+= UInt32(sums[index])
            index += 1
        }
        return total
    }
}

/// The rows of an interlaced plane in display order, for fields that are interleaved or sequential in memory.
@safe struct FieldRows {
    let count: Int
    private let start: UnsafeRawPointer
    private let stride: Int
    /// The memory rows at which the even and the odd field begin; nil for interleaved fields.
    private let firsts: (even: Int, odd: Int)?

    /// - Parameters:
    ///   - start: The plane's first byte.
    ///   - stride: The distance in memory from one row to the next. Units: bytes.
    ///   - count: The number of rows of both fields together.
    ///   - interlacing: The arrangement of the fields; nil for interleaved rows.
    @unsafe init(_ start: UnsafeRawPointer, stride: Int, _ count: Int, _ interlacing: Interlacing?) {
        unsafe self.start = unsafe start
        self.stride = stride
        self.count = count
        guard let interlacing, interlacing.isSequential else {
            firsts = nil
            return
        }
        firsts = interlacing.isTopFirst ? (0, (count + 1) / 2) : (count / 2, 0)
    }

    /// The pixels of a row of the picture.
    ///
    /// A row beyond the picture's edge is mirrored at the edge, within the same field.
    subscript(row: Int) -> UnsafePointer<UInt8> {
        var row = row
        // The filter may reach beyond both edges of a low picture, so one reflection is not enough.
        while row < 0 || row >= count { row = row < 0 ? -row : 2 * (count - 1) - row }
        let place = firsts.map { (row & 1 == 0 ? $0.even : $0.odd) + row / 2 } ?? row
        return unsafe (start + place * stride).assumingMemoryBound(to: UInt8.self)
    }
}

/// Keeps the rows of one field of a plane, and interpolates the rows of the other field.
@safe struct FieldFilter {
    private let now: FieldRows
    private let before: FieldRows?
    private let width: Int

    // Units: 1/8192, but 1/32768 for `high`. `low` weighs rows of the kept field, 1 and 3 rows away. `high` weighs rows
    // of the fields before and after, 0, 2 and 4 rows away. `alone` weighs rows of the kept field where the other
    // fields are not used.

    private static let low: (near: Int32, far: Int32) = (4309, 213)
    private static let high: (own: Int32, near: Int32, far: Int32) = (5570, 3801, 1016)
    private static let alone: (near: Int32, far: Int32) = (5077, 981)

    /// - Parameters:
    ///   - now: The present frame's rows.
    ///   - before: The previous frame's rows; nil when there is none.
    ///   - width: The bytes of a row.
    init(now: FieldRows, before: FieldRows?, width: Int) {
        self.now = now
        self.before = before
        self.width = width
    }

    /// Writes the deinterlaced plane.
    ///
    /// - Parameters:
    ///   - target: The first byte of the plane to write.
    ///   - stride: The distance in memory from one row of the target to the next. Units: bytes.
    ///   - kept: The first row of the field that is kept: 0 or 1.
    @unsafe func write(to target: UnsafeMutableRawPointer, stride: Int, keeping kept: Int) {
        for row in 0..<now.count {
            let out = unsafe (target + row * stride).assumingMemoryBound(to: UInt8.self)
            if row & 1 == kept || now.count < 2 {
                unsafe out.update(from: now[row], count: width)
            } else if let before {
                unsafe interpolate(row, before, to: out)
            } else {
                unsafe interpolateAlone(row, to: out)
            }
        }
    }

    @unsafe private func interpolateAlone(_ row: Int, to out: UnsafeMutablePointer<UInt8>) {
        let (above, below) = unsafe (now[row - 1], now[row + 1])
        let (upper, lower) = unsafe (now[row - 3], now[row + 3])
        for index in 0..<width {
            let near = unsafe Int32(above[index]) &+ Int32(below[index])
            let far = unsafe Int32(upper[index]) &+ Int32(lower[index])
            let value = (Self.alone.near &* near &- Self.alone.far &* far) &>> 13
            unsafe out[index] = UInt8(truncatingIfNeeded: min(max(value, 0), 255))
        }
    }

    @unsafe private func interpolate(_ row: Int, _ before: FieldRows, to out: UnsafeMutablePointer<UInt8>) {
        // The kept fields of the present and of the previous frame.
        let (above, below) = unsafe (now[row - 1], now[row + 1])
        let (upper, lower) = unsafe (now[row - 3], now[row + 3])
        let (pastAbove, pastBelow) = unsafe (before[row - 1], before[row + 1])
        // The second fields, which were captured just before and just after the kept field.
        let (past, next) = unsafe (before[row], now[row])
        let (past2, past4) = unsafe ((before[row - 2], before[row + 2]), (before[row - 4], before[row + 4]))
        let (next2, next4) = unsafe ((now[row - 2], now[row + 2]), (now[row - 4], now[row + 4]))
        for index in 0..<width {
            let (c, e) = unsafe (Int32(above[index]), Int32(below[index]))
            let (p, n) = unsafe (Int32(past[index]), Int32(next[index]))
            let upperPair = unsafe Int32(past2.0[index]) &+ Int32(next2.0[index])
            let lowerPair = unsafe Int32(past2.1[index]) &+ Int32(next2.1[index])
            let far = unsafe Int32(upper[index]) &+ Int32(lower[index])
            let farthest =
                unsafe Int32(past4.0[index]) &+ Int32(next4.0[index]) &+ Int32(past4.1[index])
                &+ Int32(next4.1[index])
            let ownChange = unsafe abs(Int32(pastAbove[index]) &- c) &+ abs(Int32(pastBelow[index]) &- e)
            let mean = (p &+ n) &>> 1
            let change = abs(p &- n)
            var reach = max(change &>> 1, ownChange &>> 1)
            // The mean of the second fields two rows above (below) the row, less the kept field one row above (below).
            let (b, f) = ((upperPair &>> 1) &- c, (lowerPair &>> 1) &- e)
            let (toAbove, toBelow) = (mean &- c, mean &- e)
            let most = max(max(toBelow, toAbove), min(b, f))
            let least = min(min(toBelow, toAbove), max(b, f))
            // Where nothing changes, the result is the mean of the second fields.
            reach = reach == 0 ? 0 : max(reach, max(least, 0 &- most))
            let withTime =
                ((Self.high.own &* (p &+ n) &- Self.high.near &* (upperPair &+ lowerPair) &+ Self.high.far &* farthest)
                    &>> 2) &+ Self.low.near &* (c &+ e) &- Self.low.far &* far
            let withoutTime = Self.alone.near &* (c &+ e) &- Self.alone.far &* far
            var value = (abs(c &- e) > change ? withTime : withoutTime) &>> 13
            value = min(max(value, mean &- reach), mean &+ reach)
            unsafe out[index] = UInt8(truncatingIfNeeded: min(max(value, 0), 255))
        }
    }
}

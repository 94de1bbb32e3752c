/// The rows of a plane whose fields lie by turns or one after the other.
@safe struct FieldRows {
    let count: Int
    private let start: UnsafeRawPointer
    private let stride: Int
    /// Where the even and the odd rows begin, in rows, when fields lie one after the other.
    private let firsts: (even: Int, odd: Int)?

    /// - Parameters:
    ///   - start: The first byte.
    ///   - stride: Bytes from one row to the next in memory.
    ///   - count: The rows of both fields.
    ///   - interlacing: How the fields lie; nil for rows by turns.
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

    /// A row of the picture; beyond the edges of one of two rows and more, those of the same field come back, mirrored.
    subscript(row: Int) -> UnsafePointer<UInt8> {
        var row = row
        // More than once where the filter reaches beyond a low picture twice.
        while row < 0 || row >= count { row = row < 0 ? -row : 2 * (count - 1) - row }
        let place = firsts.map { (row & 1 == 0 ? $0.even : $0.odd) + row / 2 } ?? row
        return unsafe (start + place * stride).assumingMemoryBound(to: UInt8.self)
    }
}

/// Fills the rows in that a field does not have.
@safe struct FieldFilter {
    /// Rows of this frame and of the one before.
    private let now: FieldRows
    private let before: FieldRows?
    private let width: Int

    // Weights in shares of 8192: of the own field's rows at 1 and 3 rows' distance, beside weights of the fields in
    // time at 0, 2 and 4 rows' distance; and of the own field's rows where it is alone.

    private static let low: (near: Int32, far: Int32) = (4309, 213)
    private static let high: (own: Int32, near: Int32, far: Int32) = (5570, 3801, 1016)
    private static let alone: (near: Int32, far: Int32) = (5077, 981)

    /// - Parameters:
    ///   - now: This frame's rows.
    ///   - before: Those of the frame before; nil where there is none.
    ///   - width: Bytes of a row.
    init(now: FieldRows, before: FieldRows?, width: Int) {
        self.now = now
        self.before = before
        self.width = width
    }

    /// Writes the whole picture.
    ///
    /// - Parameters:
    ///   - target: The first byte.
    ///   - stride: Bytes from row to row.
    ///   - kept: The first row of the field that stays: 0 or 1.
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
        // The own field: of this frame, and of the frame before.
        let (above, below) = unsafe (now[row - 1], now[row + 1])
        let (upper, lower) = unsafe (now[row - 3], now[row + 3])
        let (pastAbove, pastBelow) = unsafe (before[row - 1], before[row + 1])
        // The other fields, just before and just after.
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
            // What the rows around say of the difference.
            let (b, f) = ((upperPair &>> 1) &- c, (lowerPair &>> 1) &- e)
            let (toAbove, toBelow) = (mean &- c, mean &- e)
            let most = max(max(toBelow, toAbove), min(b, f))
            let least = min(min(toBelow, toAbove), max(b, f))
            // Where nothing changes, nothing is estimated.
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

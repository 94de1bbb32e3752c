/// Unpacks rows of packed 4:2:2.
///
/// libyuv has no such loops: it separates chroma from packed 4:2:2 only together with luma, as ``PackedPlanes`` does,
/// and computes no means of chroma.
enum PackedRows {
    /// Averages the luma of packed 4:2:2 over areas of `mean` × `mean` samples.
    ///
    /// `first`: The position of luma's first byte, 0 or 1.
    static func means(_ rows: InputRows, first: Int, _ mean: Int, to row: MeanRow) {
        let (line, stride) = unsafe (rows.row(0), rows.stride)
        let (out, count, sums) = unsafe (row.start, row.count, row.sums)
        if mean == 2 || mean == 4 {
            let luma = unsafe RowMeans.bytes(of: sums)
            unsafe LibraryRows.takeEverySecond(line, stride, first: first, rows: mean, to: luma, count * mean)
            unsafe LibraryRows.means(luma, count * mean, of: mean, to: out, count)
        } else {
            unsafe RowMeans.add(InputRows(line + first, stride: stride), mean, step: 2, to: sums, count * mean)
            unsafe RowMeans.divide(row, columns: mean, rows: mean)
        }
    }

    /// Averages components of packed 4:2:2 macropixels over areas of `mean` columns by 2·`mean` rows.
    ///
    /// `places`: The byte positions of the components in a macropixel, 0…3.
    static func means(_ rows: InputRows, _ places: [Int], _ mean: Int, to row: MeanRow) {
        let (line, stride) = unsafe (rows.row(0), rows.stride)
        let (out, count, sums) = unsafe (row.start, row.count, row.sums)
        let samples = count / places.count
        if places.count == 1 {
            unsafe RowMeans.add(
                InputRows(line + places[0], stride: stride), 2 * mean, step: 4, to: sums, samples * mean)
            unsafe RowMeans.divide(row, columns: mean, rows: 2 * mean)
            return
        }
        // Adds up every second byte, which is Cb and Cr in the format's order.
        unsafe RowMeans.add(
            InputRows(line + places[0] % 2, stride: stride), 2 * mean, step: 2, to: sums, samples * mean * 2)
        if places == [0, 2] || places == [1, 3] {
            unsafe RowMeans.divide(row, columns: mean, rows: 2 * mean, isPairs: true)
            return
        }
        for (part, place) in places.enumerated() {
            unsafe RowMeans.divide(
                sums + place / 2, step: 2, columns: mean, rows: 2 * mean,
                to: SpacedBytes(start: out + part, step: places.count, count: samples))
        }
    }

    /// Averages two rows at the given byte positions of each macropixel of four bytes.
    static func average(
        _ above: UnsafePointer<UInt8>, _ below: UnsafePointer<UInt8>, _ places: [Int],
        to out: UnsafeMutablePointer<UInt8>, _ count: Int
    ) {
        // Cb and Cr in their usual order are every second byte.
        if places == [1, 3] || places == [0, 2] {
            unsafe averageEverySecond(above + places[0], below + places[0], to: out, count)
            return
        }
        for (part, place) in places.enumerated() {
            unsafe averageEveryFourth(
                above, below, place: place,
                to: SpacedBytes(start: out + part, step: places.count, count: count / places.count))
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
        _ above: UnsafePointer<UInt8>, _ below: UnsafePointer<UInt8>, place: Int, to target: SpacedBytes
    ) {
        let (out, step, count) = unsafe (target.start, target.step, target.count)
        let shift = UInt32(8 * place)
        func mean(_ index: Int) -> UInt8 {
            let first: UInt32 = unsafe RowMeans.number(at: above, index)
            let second: UInt32 = unsafe RowMeans.number(at: below, index)
            return UInt8(truncatingIfNeeded: ((first &>> shift & 255) &+ (second &>> shift & 255) &+ 1) &>> 1)
        }
        // The compiler vectorizes the loop if results are adjacent.
        if step == 1 {
            for index in 0..<count { unsafe out[index] = mean(index) }
        } else {
            for index in 0..<count { unsafe out[step * index] = mean(index) }
        }
    }
}

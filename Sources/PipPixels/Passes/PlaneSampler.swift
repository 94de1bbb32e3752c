internal import CPixels
internal import PipPlan

/// Rows of one component of a plane, at any scale.
@safe final class PlaneSampler {
    /// The position of a component in the memory of its plane.
    struct Component {
        let texture: RenderPlan.TextureIndex
        /// Bytes from the plane's first byte to the component's first sample, and from one sample to the next.
        let offset: Int
        let step: Int
        /// True when samples are floats of 0 to 1; offset and step then count floats in place of bytes.
        var isFloat = false
    }

    private let component: Component
    private let functions: PipRowFunctions
    private let across: AreaAxis
    private let down: AreaAxis
    private let count: Int
    private var plane: PixelPlane?
    private let sums: RowMemory<UInt16>
    private let floats: UnsafeMutablePointer<Float>
    private let result: UnsafeMutablePointer<Float>
    private let first: Int
    private let width: Int
    private let starts: [Int32]
    private let doubling: AreaAxis.Doubling?

    /// - Parameters:
    ///   - component: The component to read.
    ///   - across: The columns.
    ///   - down: The rows.
    ///   - functions: The loops over rows.
    init(_ component: Component, across: AreaAxis, down: AreaAxis, _ functions: PipRowFunctions) {
        self.component = component
        self.functions = functions
        self.across = across
        self.down = down
        count = across.starts.count
        first = Int(across.starts.min() ?? 0)
        width = Int(across.starts.max() ?? 0) + across.taps - first
        let first = first
        starts = across.starts.map { $0 - Int32(first) }
        doubling = across.doubling
        sums = RowMemory(rows: 1, count: width + 64)
        unsafe floats = .allocate(capacity: width + 64)
        unsafe floats.initialize(repeating: 0, count: width + 64)
        unsafe result = .allocate(capacity: count + 64)
        unsafe result.initialize(repeating: 0, count: count + 64)
    }

    deinit {
        unsafe floats.deallocate()
        unsafe result.deallocate()
    }

    /// Reads a frame from now on.
    func begin(_ memory: PlaneMemory) { plane = memory[component.texture] }

    /// True when each position is one sample, which ``bytes(_:)`` then returns.
    var isDirect: Bool { across.factor == 1 && down.factor == 1 && !component.isFloat }

    /// The distance of the bytes of ``bytes(_:)``.
    var step: Int { component.step }

    /// The samples of a row of positions, if each is one sample.
    func bytes(_ row: Int) -> UnsafePointer<UInt8>? {
        unsafe plane.map { unsafe UnsafePointer($0.row(Int(down.starts[row])) + component.offset + first * step) }
    }

    /// The values of a row of positions, 0 to 255.
    func row(_ row: Int) -> UnsafePointer<Float> {
        guard let plane else { return unsafe UnsafePointer(result) }
        func line(_ tap: Int) -> UnsafePointer<UInt8> {
            unsafe UnsafePointer(plane.row(Int(down.starts[row]) + tap) + component.offset + first * step)
        }
        if isDirect {
            unsafe functions.widen(line(0), Int32(step), result, Int32(count))
        } else if component.isFloat {
            for tap in 0..<down.taps {
                let weight = down.weight(of: row, tap: tap)
                let numbers = unsafe UnsafePointer(plane.floats(Int(down.starts[row]) + tap) + component.offset)
                unsafe functions.addWeighedFloats(
                    numbers + first * step, Int32(step), weight, floats, tap == 0 ? 1 : 0, Int32(width))
            }
            readColumns()
        } else if let factor = across.factor, let rows = down.factor, factor * rows <= 257 {
            for tap in 0..<rows {
                unsafe functions.addBytes(line(tap), Int32(step), sums[0], tap == 0 ? 1 : 0, Int32(width))
            }
            unsafe functions.meansOfSums(sums[0], Int32(factor), 1 / Float(factor * rows), result, Int32(count))
        } else {
            for tap in 0..<down.taps {
                let weight = down.weight(of: row, tap: tap)
                unsafe functions.addWeighed(line(tap), Int32(step), weight, floats, tap == 0 ? 1 : 0, Int32(width))
            }
            readColumns()
        }
        return unsafe UnsafePointer(result)
    }
    /// Computes the positions' means from the sums of their rows.
    private func readColumns() {
        guard let doubling else {
            return unsafe functions.columns(
                floats, starts, across.weights, Int32(across.taps), result, Int32(count))
        }
        unsafe functions.doubleColumns(
            floats + Int(starts[doubling.first]), doubling.weights, Int32(doubling.shift), result + doubling.first,
            Int32(doubling.pairs))
        readColumns(0..<doubling.first)
        readColumns(doubling.first + 2 * doubling.pairs..<count)
    }

    /// Computes the means of two samples, for a few positions.
    private func readColumns(_ places: Range<Int>) {
        for place in places {
            let start = Int(starts[place])
            let (one, other) = (across.weight(of: place, tap: 0), across.weight(of: place, tap: 1))
            unsafe result[place] = one * floats[start] + other * floats[start + 1]
        }
    }
}

internal import CPixels
internal import PipPlan

/// Reads one component of a plane, row by row, scaled by an area filter.
@safe final class PlaneSampler {
    /// The location of a component's samples in a plane.
    struct Component {
        let texture: RenderPlan.TextureIndex
        /// The bytes from the plane's start to the component's first sample (`offset`), and from sample to sample
        /// (`step`).
        let offset: Int
        let step: Int
        /// True when samples are floats of 0 to 1, in which case ``offset`` and ``step`` count floats.
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
    ///   - across: The horizontal area filter.
    ///   - down: The vertical area filter.
    ///   - functions: The row loops that are compiled for one instruction set.
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

    /// Sets the planes of the frame to read next.
    func begin(_ memory: PlaneMemory) { plane = memory[component.texture] }

    /// True when every position is exactly one sample of bytes, so that ``bytes(_:)`` may be called.
    var isDirect: Bool { across.factor == 1 && down.factor == 1 && !component.isFloat }

    /// The number of bytes from one sample of ``bytes(_:)`` to the next.
    var step: Int { component.step }

    /// The unscaled samples of a row; only where ``isDirect`` is true.
    ///
    /// Nil while there is no frame.
    func bytes(_ row: Int) -> UnsafePointer<UInt8>? {
        unsafe plane.map { unsafe UnsafePointer($0.row(Int(down.starts[row])) + component.offset + first * step) }
    }

    /// The component's values at the positions of a row, 0 to 255; float samples are scaled to this range.
    ///
    /// Valid until the next call.
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
    /// Computes the mean at each position from the vertical sums.
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

    /// Computes the means at positions outside the twofold enlargement.
    private func readColumns(_ places: Range<Int>) {
        for place in places {
            let start = Int(starts[place])
            let (one, other) = (across.weight(of: place, tap: 0), across.weight(of: place, tap: 1))
            unsafe result[place] = one * floats[start] + other * floats[start + 1]
        }
    }
}

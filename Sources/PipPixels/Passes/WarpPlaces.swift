internal import CPixels
internal import PipEffects
internal import PipFrames
internal import PipPlan

/// The results of a warp: pixels of a canvas, or samples of its chroma.
struct WarpGrid {
    /// The columns and rows of the results.
    let region: RowRegion
    /// The position of a result, in columns and rows from its cell's upper left corner.
    var center = (x: 0.5, y: 0.5)
    /// The map from columns and rows to the warp function's positions.
    let positions: Mapping
}

/// The places at which a warp reads a plane, for the results in a rectangle.
///
/// Places are computed once, and again only after the warp's uniforms have changed. Only those of interpolated results
/// are kept: where a warp leaves or shifts pixels, whole runs of samples are copied.
@safe final class WarpPlaces {
    /// Neighbouring results of a row, which are either all copied or all interpolated.
    struct Run {
        /// The number of results in the row before the run.
        let column: Int
        var count: Int
        /// The column and row of the first copied sample; nil when results are interpolated.
        let copied: (column: Int, row: Int)?
        /// The index of the first result's place.
        let place: Int

        /// True when the sample at a place follows the run's last copied sample.
        func continues(at place: (column: Int, row: Int)) -> Bool {
            guard let copied else { return false }
            return place.row == copied.row && place.column == copied.column + count
        }
    }

    private let call: EffectCall
    private let grid: WarpGrid
    /// The map from the warp function's results to samples of the plane, in the order that the row functions take.
    private let place: [Float]
    private let size: PixelSize
    private let functions: PipRowFunctions
    private let block: RowBlock
    /// The number of places for which a row has room.
    private let capacity: Int
    private let samples: UnsafeMutablePointer<UInt32>
    private let weights: UnsafeMutablePointer<UInt32>
    private var isCopy: [UInt8]
    private var runs: [Run] = []
    /// The index in ``runs`` of each row's first run, and the number of all runs.
    private var starts: [Int] = []
    private var count = 0
    private var changes: Int?

    /// - Parameters:
    ///   - call: The warp function.
    ///   - grid: The results.
    ///   - place: The map from the function's results to samples of the plane.
    ///   - size: The plane's size in samples: at least 2×2.
    ///   - functions: The row loops that are compiled for one instruction set.
    init(
        _ call: EffectCall, _ grid: WarpGrid, place: Mapping, size: PixelSize, _ functions: PipRowFunctions
    ) {
        self.call = call
        self.grid = grid
        self.place = [place.a, place.b, place.c, place.d, place.e, place.f].map { Float($0) }
        self.size = size
        self.functions = functions
        block = RowBlock(count: grid.region.count, hasAlpha: true)
        capacity = grid.region.count.roundedUp(to: 16)
        // Memory for places that are never written takes no pages.
        unsafe samples = .allocate(capacity: capacity * grid.region.rows.count + 16)
        unsafe weights = .allocate(capacity: capacity * grid.region.rows.count + 16)
        isCopy = Array(repeating: 0, count: capacity / 16)
    }

    deinit {
        unsafe samples.deallocate()
        unsafe weights.deallocate()
    }

    /// Computes all places, unless the uniforms have kept their values since the last time.
    func update() {
        guard changes != call.changes else { return }
        changes = call.changes
        count = 0
        runs.removeAll(keepingCapacity: true)
        starts.removeAll(keepingCapacity: true)
        for row in grid.region.rows {
            starts.append(runs.count)
            addRow(row)
        }
        starts.append(runs.count)
    }

    /// The runs of a row of the grid, from left to right.
    func runs(_ row: Int) -> ArraySlice<Run> {
        let index = row - grid.region.rows.lowerBound
        return runs[starts[index]..<starts[index + 1]]
    }

    /// The places of a run of interpolated results.
    func places(of run: Run) -> PipPlaces {
        unsafe PipPlaces(samples: samples + run.place, weights: weights + run.place)
    }

    /// The first sample of a run of copied results in a plane; without a pointer for a run of interpolated results.
    func start(of run: Run, in plane: PipSamples) -> PipSamples {
        guard let copied = run.copied else { return unsafe PipSamples() }
        let offset = unsafe copied.row * Int(plane.stride) + copied.column * Int(plane.step)
        return unsafe PipSamples(first: plane.first.map { unsafe $0 + offset }, stride: plane.stride, step: plane.step)
    }

    private func addRow(_ row: Int) {
        let number = Int32(grid.region.count)
        unsafe call.arguments.pointee.count = number
        call.locate(grid.positions, column: grid.region.columns.lowerBound, row: row, center: grid.center)
        call.setResult(block)
        call.run()
        let (x, y) = unsafe (block.component(2), block.component(3))
        unsafe functions.place(block.component(0), block.component(1), place, x, y, number)
        unsafe functions.findPlaces(
            x, y, Int32(size.width), Int32(size.height), samples + count, weights + count, &isCopy, number)
        let (first, start) = (count, runs.count)
        for column in stride(from: 0, to: grid.region.count, by: 16) {
            addBlock(column, from: first + column, isFirst: runs.count == start)
        }
    }

    /// Adds 16 results, or the last ones of a row, whose places are at the index `from`.
    private func addBlock(_ column: Int, from: Int, isFirst: Bool) {
        let number = min(16, grid.region.count - column)
        let sample = unsafe samples[from]
        let copied = (column: Int(sample & 0xffff), row: Int(sample >> 16))
        let isCopy = isCopy[column / 16] != 0
        if !isFirst, let last = runs.last, isCopy ? last.continues(at: copied) : last.copied == nil {
            runs[runs.count - 1].count += number
        } else {
            runs.append(Run(column: column, count: number, copied: isCopy ? copied : nil, place: count))
        }
        guard !isCopy else { return }
        // The places of copied results before these are dropped.
        unsafe (samples + count).update(from: samples + from, count: 16)
        unsafe (weights + count).update(from: weights + from, count: 16)
        count += 16
    }
}

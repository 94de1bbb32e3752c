internal import Glibc
internal import PipConcurrency
internal import PipEffects
internal import PipFrames
package import PipGL
internal import PipGraph
internal import PipPixels
package import PipPlan
internal import SystemPackage

extension RenderContext {
    /// The measured times of drawing operations on this machine, from the cache or by a measurement of 32 frames.
    ///
    /// Must not be called in the frame path.
    ///
    /// - Parameter measures: False to read only the cache, for example while the CPU draws, because drawing would
    ///   distort a measurement.
    /// - Returns: The times. Nil without a cache folder or an open context, and in a debug build, whose loops are tens
    ///   of times slower. Nil, too, when the cache has no times and a measurement is not allowed, fails or is
    ///   implausible.
    package func workWeights(measures: Bool = true) -> WorkWeights? {
        #if DEBUG
        nil
        #else
        CacheFolder.path("speed").flatMap { workWeights(folder: $0, measures: measures) }
        #endif
    }

    /// Reads the times from a cache in `folder`, or measures and saves them there if `measures` is true.
    func workWeights(folder: FilePath, measures: Bool = true) -> WorkWeights? {
        guard let capabilities else { return nil }
        let files = CacheFolder(folder, suffix: ".weights", fileLimit: 16)
        let identity = WorkMeasurement.identity(of: capabilities)
        if let kept = files.load(identity).flatMap(WorkWeights.init(text:)) { return kept }
        guard measures, let measured = try? WorkMeasurement(capabilities).weights(on: self), measured.isSensible else {
            return nil
        }
        files.save(Array(measured.text.utf8), for: identity)
        return measured
    }
}

/// Draws a picture by plans that differ in the amount of one kind of work, and compares the times.
private struct WorkMeasurement {
    private let renderer = Renderer()
    private let frame: Frame
    private let shadesOnCPU: Bool
    private let capabilities: PlanCapabilities

    /// The key of the cache: the driver, the host's name, the number of processors, Mesa's setting for the number of
    /// drawing threads, and the CPU's instruction set.
    static func identity(of capabilities: Capabilities) -> [String] {
        var name = utsname()
        _ = unsafe uname(&name)
        let host = unsafe withUnsafeBytes(of: name.nodename) { bytes in
            unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        return [
            capabilities.driver, host, "\(sysconf(Int32(_SC_NPROCESSORS_ONLN))) processors",
            Environment.value("LP_NUM_THREADS") ?? "", InstructionSet.current.rawValue,
        ]
    }

    init(_ capabilities: Capabilities) {
        shadesOnCPU = capabilities.shadesOnCPU
        self.capabilities = Optional(capabilities).plan
        let layout = FrameLayout(.nv12, shadesOnCPU ? PixelSize(640, 360) : .hd720)
        frame = Frame(info: FrameInfo(layout: layout, colorimetry: .bt709), buffer: FrameBuffer(layout))
    }

    func weights(on gpu: isolated RenderContext) throws -> WorkWeights {
        let moving = try plan(of: [], blits: false)
        let moved = try time(of: moving, on: gpu) / Double(moving.cost.bytesUploaded + moving.cost.bytesReadBack)
        let drawing = try plan(of: [Vibrance(0.5)], blits: false)
        let drawn =
            try time(of: drawing, on: gpu)
            - Double(drawing.cost.bytesUploaded + drawing.cost.bytesReadBack) * moved
        let copying = try plan(of: [], blits: true)
        let changing = try plan(of: [Contrast(1.5)], blits: true)
        // Averages 4 × 4 samples per pixel, as an inset at a quarter of the width does.
        let quarter = PixelSize(frame.layout.size.width / 4, frame.layout.size.height / 4)
        let averaging = try plan(of: [], blits: true, size: quarter)
        let filtering = try plan(of: [GaussianBlur(radius: 2)], blits: true)
        let smaller = PixelSize(frame.layout.size.width / 5 * 2, frame.layout.size.height / 5 * 2)
        let scaling = try plan(of: [], blits: true, size: smaller)
        // An R'G'B' output makes the CPU draw, since no blit converts Y'CbCr to R'G'B'.
        let rows = try plan(of: [Contrast(1.5)], blits: false, to: .rgba, executor: .cpu)
        return WorkWeights(
            pixel: drawn / Double(drawing.cost.pixels), movedByte: moved,
            copiedByte: try time(of: copying, on: gpu) / Double(copying.cost.bytesBlitted),
            changedByte: try time(of: changing, on: gpu) / Double(changing.cost.bytesBlitted),
            averagedByte: try time(of: averaging, on: gpu) / Double(averaging.cost.bytesBlitted * 16),
            filteredByte: try time(of: filtering, on: gpu) / filtering.work { Double($0.kernel?.work ?? 0) },
            scaledByte: try time(of: scaling, on: gpu) / scaling.work { $0.scaling?.work ?? 0 },
            rowPixel: try time(of: rows, on: gpu) / rows.time(by: .rowsOnly))
    }

    /// Plans a picture with effects, drawn by blits or by passes.
    ///
    /// `size`: The output's size; nil takes the picture's.
    private func plan(
        of effects: [any Effect], blits: Bool, to format: PixelFormat = .nv12, size: PixelSize? = nil,
        executor: Executor = .gl
    ) throws -> RenderPlan {
        var capabilities = capabilities
        capabilities.renderer = .software
        capabilities.executors = [executor]
        let (draws, writes) = blits ? (1e9, 1) : (1, 1e9)
        capabilities.weights = WorkWeights(
            pixel: draws, movedByte: draws, copiedByte: writes, changedByte: writes, averagedByte: writes,
            filteredByte: writes, scaledByte: writes, rowPixel: writes)
        let (source, sink) = (NodeID(), NodeID())
        var graph = Graph()
        graph.set(.source(Measured(label: "a frame")), for: source)
        var end = source
        for effect in effects {
            let id = NodeID()
            graph.set(.filter(FilterRecord(effect, input: end)), for: id)
            end = id
        }
        graph.set(.sink(SinkRecord(Measured(label: "nothing"), input: end)), for: sink)
        return try Planner.plan(
            PlanInput(
                graph: graph,
                sources: [source: SourceFormat(layout: frame.layout, colorimetry: frame.info.colorimetry)],
                sinks: [sink: SinkRequest(format: format, size: size)], capabilities: capabilities))
    }

    /// The shortest drawing time of three frames, at most one second, in nanoseconds.
    ///
    /// Measures CPU time where the OpenGL ES renderer draws on the CPU, else the time until the GPU has finished.
    private func time(of plan: RenderPlan, on gpu: isolated RenderContext) throws(GLError) -> Double {
        let prepared = try renderer.prepare(plan, framesInFlight: 1, on: gpu)
        renderer.use(prepared)
        // A virtual clock would not measure how long work takes.
        let clock = MonotonicClock()
        var least = Duration.seconds(1)
        for round in 0..<4 {
            // A new sequence number makes the frame new, so that all steps run again.
            let info = FrameInfo(layout: frame.layout, colorimetry: frame.info.colorimetry, sequence: UInt64(round))
            let frame = Frame(info: info, buffer: frame.buffer)
            let (start, used) = (clock.now, Self.used)
            _ = try renderer.draw([frame], timestamp: .zero, sequence: UInt64(round), on: gpu)
            gpu.finish()
            try renderer.collect(timeout: .seconds(1), on: gpu) { _, _ in }
            let time = shadesOnCPU ? Self.used - used : start.duration(to: clock.now)
            // The first frame is not counted, because it allocates memory that later frames reuse.
            if round > 0 { least = min(least, time) }
        }
        return least / .nanoseconds(1)
    }

    /// The CPU time used for drawing: by this thread, and by the threads of Mesa's software renderer, known by their
    /// name.
    ///
    /// Other threads of the process do not count, since they may be busy with other work.
    private static var used: Duration {
        Folder.entries(of: "/proc/self/task").reduce(ProcessorTime.usedByThread) { total, thread in
            let folder = "/proc/self/task/\(thread)"
            guard FileContents.text(of: "\(folder)/comm")?.hasPrefix("llvmpipe") == true else { return total }
            let numbers = FileContents.text(of: "\(folder)/schedstat")?.split(separator: " ")
            return total + .nanoseconds(numbers?.first.flatMap { Int($0) } ?? 0)
        }
    }
}

/// The source and sink of a measured plan.
private struct Measured: SourceSpecification, SinkSpecification {
    var label: String
}

extension RenderPlan {
    /// Adds up a cost per byte over all bytes that the blits write.
    fileprivate func work(_ perByte: (Blit.Conversion) -> Double) -> Double {
        outputs.flatMap(\.blits).reduce(0) { $0 + Double($1.byteCount) * perByte($1.conversion) }
    }
}

extension WorkWeights {
    /// Weights that count only the CPU renderer's per-pixel work.
    fileprivate static let rowsOnly = WorkWeights(
        pixel: 0, movedByte: 0, copiedByte: 0, changedByte: 0, averagedByte: 0, filteredByte: 0, scaledByte: 0,
        rowPixel: 1)

    /// True when all times are plausible, unlike those of a disturbed measurement.
    fileprivate var isSensible: Bool {
        numbers.allSatisfy { $0.isFinite && $0 > 0 && $0 < 10_000 }
    }

    private var numbers: [Double] {
        [pixel, movedByte, copiedByte, changedByte, averagedByte, filteredByte, scaledByte, rowPixel]
    }

    fileprivate var text: String { numbers.map { "\($0)" }.joined(separator: " ") }

    fileprivate init?(text: some Sequence<UInt8>) {
        let numbers = String(decoding: Array(text), as: UTF8.self).split(separator: " ").compactMap { Double($0) }
        guard numbers.count == 8 else { return nil }
        self.init(
            pixel: numbers[0], movedByte: numbers[1], copiedByte: numbers[2], changedByte: numbers[3],
            averagedByte: numbers[4], filteredByte: numbers[5], scaledByte: numbers[6],
            rowPixel: numbers[7])
        if !isSensible { return nil }
    }
}

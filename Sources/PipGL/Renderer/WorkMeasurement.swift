internal import Glibc
internal import PipConcurrency
internal import PipFrames
internal import PipGraph
package import PipPlan
internal import PipShaders
internal import SystemPackage

extension RenderContext {
    /// How long this machine takes for what plans are made of: as it was measured once, or else by a measurement of less than a tenth of a second.
    ///
    /// Not for the frame path.
    ///
    /// - Returns: Nil where the figures cannot be kept, or are not sensible; and in a debug build, whose copies are tens of times slower than those that users
    ///   run.
    package func workWeights() -> WorkWeights? {
        #if DEBUG
        nil
        #else
        CacheFolder.path("speed").flatMap { workWeights(folder: $0) }
        #endif
    }

    /// `folder`: Where figures are kept.
    func workWeights(folder: FilePath) -> WorkWeights? {
        let files = CacheFolder(folder, suffix: ".weights", fileLimit: 16)
        let identity = WorkMeasurement.identity(of: capabilities)
        if let kept = files.load(identity).flatMap(WorkWeights.init(text:)) { return kept }
        guard let measured = try? WorkMeasurement(on: self).weights(on: self), measured.isSensible else { return nil }
        files.save(Array(measured.text.utf8), for: identity)
        return measured
    }
}

/// Draws a picture by plans of different amounts of work, and compares how long they take.
private struct WorkMeasurement {
    private let renderer = Renderer()
    private let frame: Frame
    private let isSoftware: Bool
    private let capabilities: PlanCapabilities

    /// What the figures hold for: this machine with this driver, as many threads included.
    static func identity(of capabilities: Capabilities) -> [String] {
        var name = utsname()
        _ = unsafe uname(&name)
        let host = unsafe withUnsafeBytes(of: name.nodename) { bytes in
            unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        return [
            capabilities.driver, host, "\(sysconf(Int32(_SC_NPROCESSORS_ONLN))) processors",
            Environment.value("LP_NUM_THREADS") ?? "",
        ]
    }

    init(on gpu: isolated RenderContext) {
        isSoftware = gpu.capabilities.isSoftware
        capabilities = gpu.capabilities.plan
        let layout = FrameLayout(.nv12, isSoftware ? PixelSize(640, 360) : .hd720)
        frame = Frame(info: FrameInfo(layout: layout, colorimetry: .bt709), buffer: FrameBuffer(layout))
    }

    func weights(on gpu: isolated RenderContext) throws -> WorkWeights {
        let never = WorkWeights(pixel: 1, movedByte: 1, copiedByte: 1e9)
        let move = try plan(of: [], never)
        let moved = try time(of: move, on: gpu) / Double(move.cost.bytesUploaded + move.cost.bytesReadBack)
        let draw = try plan(of: [Vibrance(0.5)], never)
        let drawn = try time(of: draw, on: gpu) - Double(draw.cost.bytesUploaded + draw.cost.bytesReadBack) * moved
        let copy = try plan(of: [Contrast(1.5)], WorkWeights(pixel: 1e9, movedByte: 1e9, copiedByte: 1))
        return WorkWeights(
            pixel: drawn / Double(draw.cost.pixels), movedByte: moved,
            copiedByte: try time(of: copy, on: gpu) / Double(copy.cost.bytesCopied))
    }

    /// The plan of a picture with effects that suits a machine best where work takes so long.
    private func plan(of effects: [any Effect], _ weights: WorkWeights) throws -> RenderPlan {
        var capabilities = capabilities
        (capabilities.isSoftware, capabilities.weights) = (true, weights)
        let (source, sink) = (NodeID(), NodeID())
        var graph = Graph()
        graph.set(.source(Measured(label: "a frame")), for: source)
        var end = source
        for effect in effects {
            let id = NodeID()
            graph.set(.filter(FilterRecord(effect, input: end)), for: id)
            end = id
        }
        graph.set(.sink(Measured(label: "nothing"), input: end), for: sink)
        return try Planner.plan(
            PlanInput(
                graph: graph,
                sources: [source: SourceFormat(layout: frame.layout, colorimetry: frame.info.colorimetry)],
                sinks: [sink: SinkRequest(format: .nv12)], capabilities: capabilities))
    }

    /// The least of three frames' times, in nanoseconds: of the processors where they draw, else until the GPU is done.
    private func time(of plan: RenderPlan, on gpu: isolated RenderContext) throws(GLError) -> Double {
        let prepared = try renderer.prepare(plan, framesInFlight: 1, on: gpu)
        renderer.use(prepared)
        let clock = MonotonicClock()
        var least = Duration.seconds(1)
        for round in 0..<4 {
            // Another number: what is drawn of the frame before need not be drawn again.
            let info = FrameInfo(layout: frame.layout, colorimetry: frame.info.colorimetry, sequence: UInt64(round))
            let frame = Frame(info: info, buffer: frame.buffer)
            let (start, used) = (clock.now, Self.used)
            _ = try renderer.draw([frame], timestamp: .zero, sequence: UInt64(round), on: gpu)
            gpu.finish()
            try renderer.collect(timeout: .seconds(1), on: gpu) { _, _ in }
            let time = isSoftware ? Self.used - used : start.duration(to: clock.now)
            // The first one makes what the others have.
            if round > 0 { least = min(least, time) }
        }
        return least / .nanoseconds(1)
    }

    /// What drawing has used of the processors: this thread, and those that Mesa's software renderer names after itself.
    ///
    /// The process's others may be busy with something else.
    private static var used: Duration {
        Folder.entries(of: "/proc/self/task").reduce(ProcessorTime.usedByThread) { total, thread in
            let folder = FilePath("/proc/self/task").appending(thread)
            guard start(ofFile: folder.appending("comm")).hasPrefix("llvmpipe") else { return total }
            let numbers = start(ofFile: folder.appending("schedstat")).split(separator: " ").compactMap { Int($0) }
            return total + .nanoseconds(numbers.first ?? 0)
        }
    }

    private static func start(ofFile path: FilePath) -> String {
        guard let file = try? FileDescriptor.open(path, .readOnly, options: .closeOnExec) else { return "" }
        let bytes = try? file.closeAfter {
            try unsafe [UInt8](unsafeUninitializedCapacity: 64) { buffer, count in
                count = try unsafe file.read(into: UnsafeMutableRawBufferPointer(buffer))
            }
        }
        return String(decoding: bytes ?? [], as: UTF8.self)
    }
}

/// What stands at the ends of a measured plan.
private struct Measured: SourceSpecification, SinkSpecification {
    var label: String
}

extension WorkWeights {
    /// Whether a machine can be like that; a measurement that was disturbed may give anything.
    fileprivate var isSensible: Bool {
        [pixel, movedByte, copiedByte].allSatisfy { $0.isFinite && $0 > 0 && $0 < 10_000 }
    }

    fileprivate var text: String { "\(pixel) \(movedByte) \(copiedByte)" }

    fileprivate init?(text: some Sequence<UInt8>) {
        let numbers = String(decoding: Array(text), as: UTF8.self).split(separator: " ").compactMap { Double($0) }
        guard numbers.count == 3 else { return nil }
        self.init(pixel: numbers[0], movedByte: numbers[1], copiedByte: numbers[2])
        if !isSensible { return nil }
    }
}

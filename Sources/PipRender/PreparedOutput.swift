internal import PipFrames
internal import PipGL
internal import PipGraph
internal import PipPixels
internal import PipPlan

/// An output with the memory of its frames.
final class PreparedOutput {
    let info: FrameInfo
    /// The sinks that take the frames.
    let sinks: [NodeID]
    /// The sources that the frames show.
    let sources: [NodeID]
    let readbacks: [PreparedReadback]
    /// The steps by which the CPU draws into the frames; nil for none.
    let draws: PreparedDraws?
    /// The planes that the CPU writes from sources' frames.
    let blits: PlaneWriters
    /// The value that planes are filled with first.
    let background: [UInt8]?
    /// True when the output gets the present frame.
    var isDue = true
    private var slots: [OutputSlot] = []
    private let framesInFlight: Int

    init(
        _ output: PlannedOutput, readbacks: [PreparedReadback], draws: PreparedDraws?, sources: [NodeID],
        framesInFlight: Int
    ) {
        var info = FrameInfo(layout: output.layout, colorimetry: output.colorimetry)
        info.content = output.content
        self.info = info
        sinks = output.sinks
        self.sources = output.sources
        self.readbacks = readbacks
        self.draws = draws
        blits = PlaneWriters(output.blits, sources: sources)
        background = output.background
        self.framesInFlight = framesInFlight
    }

    /// The source whose frame fills the picture where nothing else does.
    ///
    /// Without a frame of it, there is nothing to show.
    var base: Int? { background == nil ? blits.firstSource : nil }

    /// True when there is memory for another frame.
    var hasRoom: Bool { slots.count < framesInFlight || slots.contains { $0.isFree } }

    /// Memory for another frame; nil while the sinks hold all of it.
    func nextSlot(on gpu: isolated RenderContext) throws(GLError) -> OutputSlot? {
        for slot in slots where slot.isFree { return slot }
        guard slots.count < framesInFlight else { return nil }
        let slot = try OutputSlot(for: self, on: gpu)
        slots.append(slot)
        return slot
    }
}

/// A part of a target that is read back.
struct PreparedReadback {
    let target: RenderTarget
    let format: TextureFormat
    let region: PixelRect
    let plane: Int
    let offset: Int
    let rowStep: Int
    let rowBytes: Int

    init(_ readback: Readback, target: RenderTarget, format: TextureFormat) {
        self.target = target
        self.format = format
        region = readback.region
        plane = readback.plane
        offset = readback.offset
        rowStep = readback.rowStep
        rowBytes = readback.region.width * readback.bytesPerTexel
    }
}

/// Memory for one frame of an output, from its drawing until the last sink releases it.
final class OutputSlot {
    private var buffer: FrameBuffer
    /// The destination of the GPU's reads: the frame itself or, beside planes that the CPU writes, the frame's parts in
    /// order.
    private let readback: ReadbackBuffer?
    private let isDirect: Bool
    private var fence: Fence?
    private(set) var isInFlight = false
    private var info: FrameInfo
    /// The frames whose memory the GPU reads until the fence.
    private var lent: [Frame] = []

    init(for output: PreparedOutput, on gpu: isolated RenderContext) throws(GLError) {
        info = output.info
        let layout = output.info.layout
        let partBytes = output.readbacks.reduce(0) { $0 + $1.rowBytes * $1.region.height }
        let isDrawnByGL = output.draws == nil && output.blits.isEmpty && output.background == nil
        let mayBeDirect = isDrawnByGL && gpu.capabilities?.hasPersistentMapping == true
        let byteCount = mayBeDirect ? layout.byteCount : partBytes
        readback = byteCount > 0 ? try ReadbackBuffer(byteCount: byteCount, on: gpu) : nil
        if mayBeDirect, let bytes = unsafe readback?.mappedBytes {
            isDirect = true
            // Nobody writes through this pointer, since the GPU is the frame's producer.
            let start = unsafe UnsafeMutableRawBufferPointer(mutating: bytes)
            unsafe buffer = FrameBuffer(planes: Array(repeating: start, count: layout.planes.count), backing: readback)
        } else {
            isDirect = false
            buffer = FrameBuffer(layout)
        }
    }

    /// True when neither the GPU nor a sink uses it.
    var isFree: Bool { !isInFlight && isKnownUniquelyReferenced(&buffer) }

    /// Queues the reads of an output's parts, and a fence behind them.
    func read(
        _ output: PreparedOutput, timestamp: Timestamp, sequence: UInt64, on gpu: isolated RenderContext
    ) throws(GLError) {
        info.timestamp = timestamp
        info.sequence = sequence
        guard let readback else { return isInFlight = true }
        var offset = 0
        for part in output.readbacks {
            let plane = info.layout.planes[part.plane]
            try readback.read(
                from: part.target, region: part.region, format: part.format,
                into: isDirect ? plane.offset + part.offset : offset,
                strideInBytes: isDirect ? plane.strideInBytes * part.rowStep : part.rowBytes, on: gpu)
            offset += part.rowBytes * part.region.height
        }
        fence = try Fence(on: gpu)
        isInFlight = true
    }

    /// Retains frames until the GPU has finished all queued work.
    ///
    /// Without fences, leaves them to the caller.
    func hold(_ frames: inout [Frame]) {
        guard fence != nil, !frames.isEmpty else { return }
        lent.append(contentsOf: frames)
        frames.removeAll(keepingCapacity: true)
    }

    /// Writes the planes that the CPU makes from sources' frames.
    func blit(_ output: PreparedOutput, from frames: [Frame?]) {
        if let background = output.background, !output.blits.cover(info.layout.size, from: frames) {
            buffer.fill(with: background, info.layout)
        }
        output.blits.run(from: frames, to: buffer, info.layout)
    }

    /// Draws the passes of the CPU.
    func draw(_ output: PreparedOutput, _ plan: RowMemoryPlan, from frames: [Frame?], at time: Duration) {
        output.draws?.run(plan, frames, into: buffer, info.layout, at: time)
    }

    /// The frame, once the GPU is done with it.
    ///
    /// `timeout`: The longest wait for the GPU, after which the result is nil.
    func finish(_ output: PreparedOutput, timeout: Duration, on gpu: isolated RenderContext) throws(GLError) -> Frame? {
        if fence != nil {
            guard fence?.wait(timeout: timeout, on: gpu) == true else { return nil }
            fence = nil
            lent.removeAll(keepingCapacity: true)
        }
        if let readback, !isDirect {
            let buffer = buffer
            let info = info
            try unsafe readback.withMapped(on: gpu) { (bytes: UnsafeRawBufferPointer) throws(GLError) in
                var offset = 0
                for part in output.readbacks {
                    let plane = info.layout.planes[part.plane]
                    let target = unsafe buffer.mutableBytes(ofPlane: part.plane)
                    if let from = bytes.baseAddress, let to = target.baseAddress {
                        unsafe copyRows(
                            from: InputRows(from + offset, stride: part.rowBytes),
                            to: OutputRows(
                                to + plane.offset + part.offset, stride: plane.strideInBytes * part.rowStep),
                            rowBytes: part.rowBytes, rows: part.region.height)
                    }
                    offset += part.rowBytes * part.region.height
                }
            }
        }
        isInFlight = false
        return Frame(info: info, buffer: buffer)
    }

    /// Discards the frame, which was not drawn completely.
    func abandon() {
        fence = nil
        lent.removeAll(keepingCapacity: true)
        isInFlight = false
    }
}

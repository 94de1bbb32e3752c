internal import PipFrames
internal import PipGL
internal import PipGraph
internal import PipPixels
internal import PipPlan

/// An output with the memory that its frames go to.
final class PreparedOutput {
    let info: FrameInfo
    /// The sinks that take its frames.
    let sinks: [NodeID]
    /// The sources that it shows.
    let sources: [NodeID]
    let readbacks: [PreparedReadback]
    /// What the CPU draws into its frames.
    let draws: PreparedDraws?
    /// The planes that the CPU makes.
    let blits: PlaneWriters
    /// The value that planes are filled with first.
    let background: [UInt8]?
    /// True when it gets the frame at hand.
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

    /// The source whose frame is the picture where nothing else is: without one there is nothing to show.
    var base: Int? { background == nil ? blits.firstSource : nil }

    /// True when there is memory for one more frame.
    var hasRoom: Bool { slots.count < framesInFlight || slots.contains { $0.isFree } }

    /// Memory for one more frame; nil when the sinks hold all there is.
    func nextSlot(on gpu: isolated RenderContext) throws(GLError) -> OutputSlot? {
        for slot in slots where slot.isFree { return slot }
        guard slots.count < framesInFlight else { return nil }
        let slot = try OutputSlot(for: self, on: gpu)
        slots.append(slot)
        return slot
    }
}

/// A part of a target to be read back.
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

/// Memory for one frame of an output, from the moment that it is drawn until the last sink lets go of it.
final class OutputSlot {
    private var buffer: FrameBuffer
    /// The destination of the GPU's reads: the frame itself, or, beside planes that the CPU writes, its parts in order.
    private let readback: ReadbackBuffer?
    private let isDirect: Bool
    private var fence: Fence?
    private(set) var isInFlight = false
    private var info: FrameInfo
    /// Frames whose memory the GPU reads until the fence.
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
            // Nobody writes through this pointer: the frame's producer is the GPU.
            let start = unsafe UnsafeMutableRawBufferPointer(mutating: bytes)
            unsafe buffer = FrameBuffer(planes: Array(repeating: start, count: layout.planes.count), backing: readback)
        } else {
            isDirect = false
            buffer = FrameBuffer(layout)
        }
    }

    /// True when neither the GPU nor a sink uses it.
    var isFree: Bool { !isInFlight && isKnownUniquelyReferenced(&buffer) }

    /// Orders the reads of an output's parts, and marks their end.
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

    /// Keeps frames until the GPU has finished all queued work; leaves them where there are no fences.
    func hold(_ frames: inout [Frame]) {
        guard fence != nil, !frames.isEmpty else { return }
        lent.append(contentsOf: frames)
        frames.removeAll(keepingCapacity: true)
    }

    /// Makes the planes that follow from sources' frames.
    func blit(_ output: PreparedOutput, from frames: [Frame?]) {
        if let background = output.background, !output.blits.cover(info.layout.size, from: frames) {
            buffer.fill(with: background, info.layout)
        }
        output.blits.run(from: frames, to: buffer, info.layout)
    }

    /// Draws what the CPU draws.
    func draw(_ output: PreparedOutput, _ plan: RowMemoryPlan, from frames: [Frame?], at time: Duration) {
        output.draws?.run(plan, frames, into: buffer, info.layout, at: time)
    }

    /// The frame, once the GPU is done with it.
    ///
    /// `timeout`: How long to wait for the GPU.
    /// Gives nil when the time passed first.
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

    /// Gives up on the frame: it was not drawn to the end.
    func abandon() {
        fence = nil
        lent.removeAll(keepingCapacity: true)
        isInFlight = false
    }
}
